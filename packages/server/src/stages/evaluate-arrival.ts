/** What arrived → the runs it holds, or why it cannot be read. Never throws for what a client can cause. */
import { createHash } from "node:crypto";
import type { Json, Trace } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { redactPayloads } from "@spoor/core/internal/redact/redact-records";
import { createRedaction, type Redaction, type RedactionOptions } from "@spoor/core/internal/redact/redaction";
import { buildTrace } from "@spoor/core/internal/trace/build-trace";
import { present } from "@spoor/core/internal/trace/present";
import type { Arrival, EvaluatedRun, Outcome } from "../store/store.ts";
import { evaluateTrace } from "./evaluate-trace.ts";
import { readArrival } from "./read-arrival.ts";
import type { RunRules } from "./run-rules.ts";

export async function evaluateArrival(
  arrival: Arrival,
  rulesFor: (agent: string) => Promise<RunRules>,
): Promise<Outcome> {
  try {
    const { traces, decoded } = await readArrival(arrival);
    const sent = traces.length === 1 ? { codec: arrival.codec, bytes: arrival.body, decoded } : undefined;
    const runs: EvaluatedRun[] = [];
    for (const [index, read] of traces.entries()) {
      const trace = withoutSecrets(read);
      const rules = await rulesFor(trace.agent ?? "default");
      const contentId = traces.length === 1 ? arrival.contentId : partId(arrival.contentId, index);
      runs.push({ ...evaluateTrace(trace, arrival.source, rules, sent), contentId });
    }
    return { kind: "runs", runs };
  } catch (error) {
    if (!(error instanceof SpoorError)) throw error;
    const { code, message, hint, at } = error;
    return { kind: "rejected", code, message: [message, hint].filter(Boolean).join(" "), at: at as Json };
  }
}

/** A body of several runs: each has an id of its own, the same whenever the body comes again. */
function partId(arrivalId: Uint8Array, index: number): Uint8Array {
  return createHash("sha256").update(arrivalId).update(`#${index}`).digest();
}

/** It remembers words it has seen, and traces of one agent share most of theirs: one serves many, but not for ever. */
const TRACES_PER_REDACTION = 200;
const REDACTION: RedactionOptions = { personal: false, isSettled: true };
let redaction = createRedaction(REDACTION);
let redacted = 0;

function nextRedaction(): Redaction {
  redacted += 1;
  if (redacted % TRACES_PER_REDACTION === 0) redaction = createRedaction(REDACTION);
  return redaction;
}

/** What opens something is not kept, whoever sent it. */
function withoutSecrets(trace: Trace): Trace {
  const { records, agent, scenario, name, source } = trace;
  const current = nextRedaction();
  const clean = redactPayloads(records, (payload) => current.json(payload));
  if (clean.every((record, index) => record === records[index])) return trace;
  return { ...buildTrace(clean, { source }), ...present({ name, agent, scenario }) };
}
