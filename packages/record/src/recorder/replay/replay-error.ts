/**
 * An answer that is none, in the form in which each API says that a request failed, so that clients show its words. Clients try again
 * what failed with 429 or 5xx; what a recording does not hold will not be there a second later, hence 400.
 */
import type { ProviderApi } from "@spoor/core/internal/providers/provider-api";
import { type JsonObject, stringifyJson } from "@spoor/core/internal/trace/json";
import { REPLAY_HEADER } from "@spoor/core/internal/trace/replay-marks";

export interface ReplayFailure {
  readonly status: number;
  /** `replay.miss`, `replay.tools-open`, or what a recorded error was called. */
  readonly code: string;
  readonly message: string;
}

export interface FailedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export function failedAnswer(
  api: Pick<ProviderApi, "name"> | undefined,
  failure: ReplayFailure,
  served: string,
): FailedAnswer {
  const headers = { "content-type": "application/json", [REPLAY_HEADER]: served };
  return { status: failure.status, headers, text: stringifyJson(bodyFor(api?.name, failure)) };
}

/** An answer of the replay's own; clients that can be told so do not try again. */
export function refusedAnswer(api: Pick<ProviderApi, "name"> | undefined, failure: ReplayFailure): FailedAnswer {
  const worded = { ...failure, message: `${failure.message} (${failure.code})` };
  const { headers, ...answer } = failedAnswer(api, worded, "refused");
  return { ...answer, headers: { ...headers, "x-should-retry": "false" } };
}

function bodyFor(api: string | undefined, { status, code, message }: ReplayFailure): JsonObject {
  switch (api) {
    case "messages":
      return { type: "error", error: { type: anthropicType(status), message } };
    case "gemini":
      return { error: { code: status, message, status: status < 500 ? "INVALID_ARGUMENT" : "INTERNAL" } };
    case "bedrock":
      return { message };
    default:
      return { error: { message, type: status < 500 ? "invalid_request_error" : "server_error", param: null, code } };
  }
}

function anthropicType(status: number): string {
  if (status === 429) return "rate_limit_error";
  return status < 500 ? "invalid_request_error" : "api_error";
}
