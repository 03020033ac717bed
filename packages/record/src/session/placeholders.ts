/** What stands where something was blocked: says so, says why, and carries nothing of what was blocked. */
import type { Violation } from "@spoor/core/internal/policy/policy";
import { type JsonObject, member } from "@spoor/core/internal/trace/json";

/** `confirm-before-refund: issue_refund was called without …; …` */
export function describeViolations(violations: readonly Violation[]): string {
  return violations.map((violation) => `${violation.ruleId}: ${violation.message}`).join("; ");
}

export function blockedToolText(violations: readonly Violation[]): string {
  return `[spoor] This tool call was blocked by policy and did not run. ${describeViolations(violations)}`;
}

/** The call ran; what it returned is not for the model to read, nor are the words by which it was found: they would be found again. */
export function withheldText(violations: readonly Violation[]): string {
  const rules = [...new Set(violations.map(({ ruleId }) => ruleId))].join(", ");
  return `[spoor] This tool ran, and what it returned is withheld by policy: ${rules}.`;
}

/** A person was asked and did not say yes. */
export function declinedToolText(asks: readonly Violation[], why: string | undefined): string {
  const reason = why === undefined ? "" : ` ${why}`;
  return `[spoor] This tool call needs a person's approval, was not approved and did not run.${reason} ${describeViolations(asks)}`;
}

/** Members that tell nothing of what a response said or asked for. */
const KEPT = ["id", "type", "role", "object", "created"];

/** A response that says why; usage and latency are kept, or zero where a framework insists on them. */
export function blockedResponse(violations: readonly Violation[], original: JsonObject): JsonObject {
  const amount = violations.length === 1 ? "1 violation" : `${violations.length} violations`;
  const kept = Object.entries(original).filter(([key]) => KEPT.includes(key));
  return {
    ...Object.fromEntries(kept),
    model: member(original, "model") ?? "",
    content: [
      {
        type: "text",
        text: `[spoor] This response was blocked by policy (${amount}). ${describeViolations(violations)}`,
      },
    ],
    stop_reason: "policy_blocked",
    usage: member(original, "usage") ?? { input_tokens: 0, output_tokens: 0, thinking_tokens: 0 },
    latency_ms: member(original, "latency_ms") ?? 0,
  };
}
