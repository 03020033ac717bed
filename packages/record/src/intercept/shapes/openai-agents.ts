/** OpenAI Agents: `invoke(runContext, jsonText, { toolCall: { callId } })`, called by the tool's own name. */

import { type Json, stringifyJson } from "@spoor/core/internal/trace/json";
import { idIn } from "../intercept-door.ts";
import { patchArgument } from "../patch-value.ts";
import { snapshot } from "../snapshot.ts";
import { hasMethod, memberOf, type ReadUse, type ToolShape, textMember } from "../tool-use.ts";

export const openaiAgentsTool: ToolShape = {
  title: "a function tool of OpenAI Agents",
  recognises: (value) => hasMethod(value, "invoke") && textMember(value, "type") === "function",
  nameOf: (tool, key) => textMember(tool, "name") ?? key,
  doorsOf: () => [{ method: "invoke", read, style: "promise", failureOf: failureText }],
};

const FAILED = /^An error occurred while running the tool\b|^Tool '.*' timed out after \d+ms\.$/;

/** A tool that threw answers with a text: the framework's own, unless `errorFunction` of the tool words it in its way. */
export function failureText(output: unknown): string | undefined {
  return typeof output === "string" && FAILED.test(output) ? output : undefined;
}

function read(args: readonly unknown[]): ReadUse {
  const callId = idIn(memberOf(args[2], "toolCall"), "callId", "call_id", "id");
  return { ...readText(args, 1), callId };
}

/** Arguments that stand at a place as JSON text, or as an object. */
export function readText(args: readonly unknown[], index: number): ReadUse {
  const input = parseInput(args[index]);
  return { input, rewrite: (changed) => writeAt(args, index, input, changed) };
}

/** The arguments of a function where those of the tool, which stand at that place, are changed. */
export function writeAt(
  args: readonly unknown[],
  index: number,
  before: Json,
  after: Json,
): readonly unknown[] | undefined {
  if (typeof args[index] !== "string") return patchArgument(args, index, before, after);
  return args.map((arg, at) => (at === index ? stringifyJson(after) : arg));
}

/** The arguments of a call as text; what is no JSON stays the text it is, and no rule takes it for arguments. */
export function parseInput(text: unknown): ReadUse["input"] {
  if (typeof text !== "string") return snapshot(text ?? {});
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text) as ReadUse["input"];
  } catch {
    return text;
  }
}
