/** OpenAI Agents: `invoke(runContext, jsonText, { toolCall: { callId } })`, called by the tool's own name. */
import { idIn } from "../intercept-door.ts";
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

function read([, text, details]: readonly unknown[]): ReadUse {
  return { input: parseInput(text), callId: idIn(memberOf(details, "toolCall"), "callId", "call_id", "id") };
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
