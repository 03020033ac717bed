/**
 * Canned answers: for trying out eval files, and for tests that must give the same bytes every time. Its durations are
 * what the target states, never what was measured.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Json } from "@spoor/core";
import { isObject, member, stringifyJson } from "@spoor/core/internal/trace/json";
import type { TargetReader } from "../target-reader.ts";
import {
  type AgentAnswer,
  type AgentRequest,
  type FailureKind,
  type Provider,
  type ProviderDefinition,
  ProviderError,
} from "./provider.ts";

export const mockProvider: ProviderDefinition = {
  names: ["mock"],
  title: "canned answers",
  open: openMock,
};

const FAILURES: readonly FailureKind[] = [
  "missing",
  "unreachable",
  "timeout",
  "rate-limit",
  "unavailable",
  "failed",
  "too-large",
  "bad-output",
];

/** `response` answers every case; `responses` maps case ids to answers, or to one answer per run. */
function openMock(target: TargetReader): Provider {
  const response = target.json("response");
  const responses = target.json("responses");
  const delayMs = target.number("delay_ms", { min: 0 });
  const delayMinMs = target.number("delay_min_ms", { min: 0 });
  const delayMaxMs = target.number("delay_max_ms", { min: 0 });
  if (responses !== undefined && !isObject(responses))
    target.problem(["responses"], '"responses" must map case ids to answers.');
  return {
    async ask(request, context) {
      const delay = delayOf(request);
      if (delay > 0) await sleep(delay, undefined, { signal: context.signal });
      const canned = cannedFor(request, responses, response);
      if (canned === undefined)
        throw new ProviderError("bad-output", `the mock has no answer for case "${request.caseId}"`);
      return { durationMs: delay > 0 ? delay : null, ...answerOf(canned, request) };
    },
  };

  /** Between the two limits, evenly over the runs: no randomness, so that two runs of a suite are the same. */
  function delayOf(request: AgentRequest): number {
    if (delayMinMs === undefined && delayMaxMs === undefined) return delayMs ?? 0;
    const low = delayMinMs ?? 0;
    const high = Math.max(low, delayMaxMs ?? low);
    let hash = request.run;
    for (const char of request.caseId) hash = (hash * 31 + char.charCodeAt(0)) % 1009;
    return Math.round(low + ((high - low) * hash) / 1008);
  }
}

function cannedFor(request: AgentRequest, responses: Json | undefined, response: Json | undefined): Json | undefined {
  const own = member(responses, request.caseId);
  const isPerRun = Array.isArray(own) && own.length > 0 && !own.every((item) => member(item, "role") !== undefined);
  return (isPerRun ? own[(request.run - 1) % own.length] : own) ?? response;
}

/** `{error: "timeout", message, attempts}` fails instead of answering, on the first `attempts` attempts (default: on all). */
function answerOf(canned: Json, request: AgentRequest): AgentAnswer {
  const failure = member(canned, "error");
  if (typeof failure === "string") {
    const kind = FAILURES.find((known) => known === failure) ?? "failed";
    const times = member(canned, "attempts");
    if (typeof times !== "number" || request.attempt <= times) {
      throw new ProviderError(kind, String(member(canned, "message") ?? failure));
    }
  }
  return { output: { text: typeof canned === "string" ? canned : stringifyJson(canned) } };
}
