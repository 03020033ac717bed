/** What a hook prints, in the words of the agent that asks. */
import type { Json } from "@spoor/core";
import { writeJson } from "../write/json.ts";
import type { Dialect } from "./hook-event.ts";
import type { ResultAnswer } from "./judge-result.ts";

export type HookDecision = "allow" | "deny" | "ask";

export interface HookAnswer {
  /** Absent: the agent's own permissions decide. */
  readonly decision?: HookDecision;
  readonly reason?: string;
  /** Of a call that ended: what stands in the place of its result, and why. */
  readonly result?: ResultAnswer;
  /** For the person at the screen. */
  readonly notice?: string;
}

/** Nothing at all where there is nothing to say. */
export function renderAnswer({ decision, reason = "", result, notice }: HookAnswer, dialect: Dialect): string {
  const said = { permissionDecision: decision ?? "", permissionDecisionReason: reason };
  const answer: Record<string, Json> = {
    ...(decision === undefined ? {} : { hookSpecificOutput: { hookEventName: "PreToolUse", ...said } }),
    // Copilot reads the members themselves; the others are strict about what they do not know.
    ...(decision !== undefined && dialect === "copilot" ? said : {}),
    ...(result === undefined ? {} : renderResult(result, dialect)),
    ...(notice === undefined || dialect === "copilot" ? {} : { systemMessage: notice }),
  };
  return Object.keys(answer).length === 0 ? "" : writeJson(answer);
}

/** Claude Code reads another output, Codex the reason in its place; Copilot reads neither. */
function renderResult({ reasons, output, failed }: ResultAnswer, dialect: Dialect): Record<string, Json> {
  if (failed && dialect !== "codex") {
    const additionalContext = `The policy forbids to use what this call said: ${reasons.join(" ") || textOf(output)}`;
    return { hookSpecificOutput: { hookEventName: "PostToolUseFailure", additionalContext } };
  }
  const blocked = { decision: "block", reason: reasons.join(" ") };
  if (dialect === "codex") return reasons.length > 0 ? blocked : { decision: "block", reason: textOf(output) };
  const hookSpecificOutput = { hookEventName: "PostToolUse", updatedToolOutput: output };
  return reasons.length > 0 ? { ...blocked, hookSpecificOutput } : { hookSpecificOutput };
}

function textOf(output: Json): string {
  return typeof output === "string" ? output : writeJson(output);
}
