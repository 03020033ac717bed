/** Whether a live stream says at its end that the run failed, and in the words the runner understands. */
import type { TraceRecord } from "@spoor/core";
import type { LimitKind } from "@spoor/core/internal/evals/run-ending";
import { stringMember } from "@spoor/core/internal/trace/json";
import { limitText } from "../document/limit-words.ts";
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
  const limit = OWN_LIMITS[stringMember(last.payload, "code") ?? ""];
  return limit === undefined
    ? new ProviderError(failureKind(message), message)
    : new ProviderError(limit, limitText({ kind: limit }));
}

/** What agents say when they have reached a limit that they were given. */
const OWN_LIMITS: Readonly<Record<string, LimitKind>> = { error_max_turns: "turns", error_max_budget_usd: "cost" };

/** Agents tell of a server's trouble in words only. What is not known to be somebody else's fault is the agent's. */
export function failureKind(message: string): FailureKind {
  if (/\b429\b|rate.?limit|too many requests/i.test(message)) return "rate-limit";
  if (/\b(401|403)\b|unauthori[sz]ed|invalid api key|authentication/i.test(message)) return "missing";
  if (/ECONNREFUSED|connection refused|error sending request|unable to connect/i.test(message)) return "unreachable";
  return PASSING.test(message) ? "unavailable" : "failed";
}

const PASSING = new RegExp(
  [
    // Statuses, where the words around them say that they are statuses.
    String.raw`\b(?:http|status|error|code|server)\D{0,20}5\d\d\b`,
    String.raw`^\W*5\d\d\b`,
    "overloaded",
    "high demand",
    "(?:temporarily|service) unavailable",
    "internal (?:server )?error",
    "bad gateway",
    "gateway time-?out",
    "server_error",
    "server had an error",
    // Connections that broke off.
    "stream (?:disconnected|error|closed|ended)",
    "closed before (?:response|message)",
    "error decoding response body",
    "connection (?:error|reset|closed|timed out|lost|aborted)",
    "ECONNRESET|ETIMEDOUT|EPIPE|EAI_AGAIN|UND_ERR_SOCKET",
    "socket hang up",
    "fetch failed",
    "network error",
    "request timed out",
    "idle timeout",
    "try again later",
  ].join("|"),
  "i",
);
