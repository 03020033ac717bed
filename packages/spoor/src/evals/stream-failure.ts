/** Whether a live stream says at its end that the run failed, and in the words the runner understands. */
import type { TraceRecord } from "@spoor/core";
import { stringMember } from "@spoor/core/internal/trace/json";
import { type FailureKind, ProviderError } from "./providers/provider.ts";

/** An error that a response or a result follows was overcome; that of a sub-agent is its caller's business. */
export function streamFailure(records: readonly TraceRecord[]): ProviderError | undefined {
  const last = records.findLast(
    ({ kind, payload }) =>
      kind === "chat_response" ||
      kind === "tool_result" ||
      (kind === "error" && stringMember(payload, "code") !== "subagent.failed"),
  );
  if (last?.kind !== "error") return undefined;
  const message = stringMember(last.payload, "message") ?? "the agent reported an error";
  return new ProviderError(kindOf(message), message);
}

function kindOf(message: string): FailureKind {
  if (/\b429\b|rate.?limit|too many requests/i.test(message)) return "rate-limit";
  if (/\b(401|403)\b|unauthori[sz]ed|invalid api key|authentication/i.test(message)) return "missing";
  if (/ECONNREFUSED|connection refused|error sending request|unable to connect/i.test(message)) return "unreachable";
  if (/\b5\d\d\b|overloaded|unavailable|high demand|stream disconnected/i.test(message)) return "unavailable";
  return "failed";
}
