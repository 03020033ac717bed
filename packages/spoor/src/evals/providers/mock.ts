/**
 * Canned answers: for trying out eval files, and for tests that must give the same bytes every time. Its durations are
 * what the target states, never what was measured.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Json } from "@spoor/core";
import { limitKinds } from "@spoor/core/internal/evals/run-ending";
import { record } from "@spoor/core/internal/read/collections";
import { optional } from "@spoor/core/internal/read/field";
import type { ValuesOf } from "@spoor/core/internal/read/mapping";
import { json } from "@spoor/core/internal/read/scalars";
import { member, scalarText, stringifyJson } from "@spoor/core/internal/trace/json";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import { settingNumber } from "../target-shapes.ts";
import {
  type AgentAnswer,
  type AgentOutput,
  type AgentRequest,
  defineProvider,
  type FailureKind,
  type Provider,
  ProviderError,
} from "./provider.ts";

const delay = settingNumber({ min: 0 });
const fields = {
  response: optional(json, "answers every case"),
  responses: optional(record(json), "case ids to answers, or to a list with one answer per run"),
  delayMs: optional(delay, "how long an answer takes"),
  delayMinMs: optional(delay, "or: at least so long, spread evenly over the runs"),
  delayMaxMs: optional(delay, "and at most so long"),
};

export const mockProvider = defineProvider({
  names: ["mock"],
  summary: "canned answers",
  fields,
  open: openMock,
});

const FAILURES: readonly FailureKind[] = [
  ...limitKinds,
  "missing",
  "unreachable",
  "rate-limit",
  "unavailable",
  "failed",
  "too-large",
  "bad-output",
  "workspace",
];

export function openMock(options: ValuesOf<typeof fields>): Provider {
  const { response, responses, delayMs, delayMinMs, delayMaxMs } = options;
  const ask: Provider["ask"] = async (request, context) => {
    const waits = delayOf(request);
    if (waits > 0) await sleep(waits, undefined, { signal: context.signal });
    const canned = turnOf(cannedFor(request, responses, response), request);
    if (canned === undefined)
      throw new ProviderError("bad-output", `the mock has no answer for case "${request.caseId}"`);
    return { durationMs: waits > 0 ? waits : null, ...answerOf(canned, request) };
  };
  return { ask, converse: () => ({ say: ask }) };

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

/** `{turns: […]}` has an answer for every turn of a conversation; the last one goes on. */
function turnOf(canned: Json | undefined, { turn }: AgentRequest): Json | undefined {
  const turns = member(canned, "turns");
  if (!Array.isArray(turns) || turns.length === 0) return canned;
  return turns[Math.min(turn ?? 1, turns.length) - 1];
}

/** `{error: "timeout", message, attempts}` fails instead of answering, on the first `attempts` attempts (default: on all). */
function answerOf(canned: Json, request: AgentRequest): AgentAnswer {
  const failure = member(canned, "error");
  if (typeof failure === "string") {
    const kind = FAILURES.find((known) => known === failure) ?? "failed";
    const times = member(canned, "attempts");
    if (typeof times !== "number" || request.attempt <= times) {
      throw new ProviderError(kind, scalarText(member(canned, "message")) ?? failure);
    }
  }
  return { output: printed(canned) };
}

/** A canned answer is written and read like any other, but once: it is the same for thousands of cases. */
function printed(canned: Json): CannedOutput {
  if (typeof canned === "string") return { text: canned };
  if (typeof canned !== "object" || canned === null) return { text: stringifyJson(canned) };
  const known = PRINTED.get(canned);
  if (known !== undefined) return known;
  const text = stringifyJson(canned);
  const output = { text, document: parseJson(text) };
  PRINTED.set(canned, output);
  return output;
}

type CannedOutput = Extract<AgentOutput, { readonly text: string }>;

const PRINTED = new WeakMap<object, CannedOutput>();
