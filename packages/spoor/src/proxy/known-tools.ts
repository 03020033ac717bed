/**
 * What a server said about its tools last time, so that a description that changes behind the user's back is noticed: the
 * model reads descriptions as instructions.
 */
import { join } from "node:path";
import { contentId, digestText } from "@spoor/core/internal/canonical/digest";
import { type Json, member, stringMember } from "@spoor/core/internal/trace/json";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import { readWholeText } from "../load/read-text.ts";
import { writeFileAtomically } from "../load/write-file.ts";

export interface ToolChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** The same name with another description or other arguments. */
  readonly changed: readonly string[];
}

/** Compares with what is remembered under `key`, and remembers what is offered now. Undefined the first time. */
export async function compareTools(
  folder: string,
  key: string,
  tools: readonly Json[],
): Promise<ToolChanges | undefined> {
  const file = join(folder, `${digestText(key, 16)}.json`);
  const now = idsOf(tools);
  const before = await readKnown(file);
  // As the server answers tools/list, so that `spoor policy test --tools` reads it too.
  await writeFileAtomically(file, `${JSON.stringify({ target: key, tools }, undefined, 2)}\n`);
  if (before === undefined) return undefined;
  return {
    added: [...now.keys()].filter((name) => !before.has(name)),
    removed: [...before.keys()].filter((name) => !now.has(name)),
    changed: [...now].filter(([name, id]) => before.has(name) && before.get(name) !== id).map(([name]) => name),
  };
}

async function readKnown(file: string): Promise<Map<string, string> | undefined> {
  try {
    const tools = member(parseJson(readWholeText(file)), "tools");
    return Array.isArray(tools) ? idsOf(tools) : undefined;
  } catch {
    // Never seen, or not readable any more: then everything is new.
    return undefined;
  }
}

function idsOf(tools: readonly Json[]): Map<string, string> {
  return new Map(tools.map((tool) => [stringMember(tool, "name") ?? "", contentId(tool)]));
}
