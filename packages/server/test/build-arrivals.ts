/** Builders of what comes into the store: arrivals, and runs as an evaluation gives them. */
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { Arrival, EvaluatedRun, Outcome, SpanAssembler, Store, WaitingArrival } from "../src/store/store.ts";

export const HOUR = 3_600_000;
export const START = Date.UTC(2026, 10, 16, 12);

export function idOf(text: string): Uint8Array {
  return new Uint8Array(createHash("sha256").update(text).digest());
}

export function arrival(projectId: number, text: string, more: Partial<Arrival> = {}): Arrival {
  return {
    projectId,
    contentId: idOf(text),
    source: { name: `${text}.json` },
    codec: "plain",
    body: new Uint8Array(Buffer.from(text)),
    receivedAt: START,
    ...more,
  };
}

export function run(text: string, more: Partial<EvaluatedRun> = {}): EvaluatedRun {
  return {
    contentId: idOf(text),
    agent: "support",
    name: text,
    format: "agentlog",
    status: "passed",
    turns: 2,
    calls: 3,
    errors: 0,
    callsWithoutResult: 0,
    replayed: 0,
    standIns: 0,
    unknownRecords: 0,
    hashVersion: "1",
    mode: "tools",
    fingerprint: "f1",
    structural: "s1",
    verdict: "no_baseline",
    path: ["search", "answer"],
    tools: [{ name: "search", calls: 3, errors: 0 }],
    stages: [],
    findings: [],
    body: { codec: "gzip", bytes: new Uint8Array(gzipSync(text)) },
    ...more,
  };
}

/** An evaluation that makes one run of each arrival, named after the beginning of its body. */
export function oneRunEach(
  more: (text: string) => Partial<EvaluatedRun> = () => ({}),
): (arrivals: readonly WaitingArrival[]) => Promise<readonly Outcome[]> {
  return async (arrivals) =>
    arrivals.map(({ body }) => {
      const text = Buffer.from(body.subarray(0, 40)).toString("utf8").trimEnd();
      return { kind: "runs", runs: [run(text, more(text))] };
    });
}

/** Takes until nothing waits; how many were taken. */
export async function drain(
  store: Store,
  evaluate: Parameters<Store["inbox"]["claim"]>[1] = oneRunEach(),
  limit = 200,
): Promise<number> {
  let all = 0;
  for (;;) {
    const taken = await store.inbox.claim(limit, evaluate);
    if (taken === 0) return all;
    all += taken;
  }
}

/** Of spans that are no fragments. */
export function wholeTraces(read: SpanAssembler["read"]): SpanAssembler {
  return { read, partition: (fragments) => [fragments], join: () => undefined };
}
