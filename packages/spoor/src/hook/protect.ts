/** Calls that would change what the hook rests on are refused whatever the policy says, or the next call has no judge. */
import type { Json } from "@spoor/core";
import { readShellCall } from "@spoor/core/internal/shell/shell-call";
import { isObject } from "@spoor/core/internal/trace/json";
import type { OwnFiles } from "./own-files.ts";
import { touchedByScript } from "./protect-shell.ts";
import { isReadingTool, isRemovingTool, isShellTool } from "./tool-names.ts";

/** Longer texts are contents, not paths. */
const LONGEST_PATH = 4_096;

/** Why the call is refused; undefined when it leaves everything alone. */
export function protectOwnFiles(tool: string, input: Json, own: OwnFiles): string | undefined {
  const touched = touchedBy(tool, input, own);
  return touched === undefined ? undefined : `${tool} would touch ${touched}, on which this hook rests.`;
}

function touchedBy(tool: string, input: Json, own: OwnFiles): string | undefined {
  const texts = textsIn(input);
  if (isShellTool(tool)) {
    const { text, folder = "." } = readShellCall(tool, input);
    return text === undefined ? firstOf(texts, own.namedIn) : touchedByScript(text, folder, own);
  }
  if (isReadingTool(tool)) return undefined;
  const paths = texts.flatMap((text) => [...patchedFiles(text), ...(isPath(text) ? [text] : [])]);
  return (
    firstOf(paths, (path) => own.of(path)) ??
    (isRemovingTool(tool) ? firstOf(paths, (path) => own.within(path)) : undefined)
  );
}

function firstOf(texts: readonly string[], find: (text: string) => string | undefined): string | undefined {
  for (const text of texts) {
    const found = find(text);
    if (found !== undefined) return found;
  }
  return undefined;
}

function textsIn(value: Json): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

function isPath(text: string): boolean {
  return text !== "" && text.length <= LONGEST_PATH && !text.includes("\n") && !text.includes("\0");
}

/** The files that a patch adds, changes, deletes or moves. */
function patchedFiles(text: string): string[] {
  if (!text.includes("*** Begin Patch")) return [];
  return [...text.matchAll(/^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm)].map(([, path]) =>
    path!.trim(),
  );
}
