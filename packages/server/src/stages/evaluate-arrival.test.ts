import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { parsePolicy } from "@spoor/core/internal/policy/parse-policy";
import { loadTraceFile } from "spoor/internal/load/load-traces";
import { describe, expect, it } from "vitest";
import { listFixtures } from "../../../spoor/test/fixtures.ts";
import type { Arrival, EvaluatedRun } from "../store/store.ts";
import { evaluateArrival } from "./evaluate-arrival.ts";
import { keptSourceOf, traceOfBody, unpackBody } from "./stored-body.ts";

const TODAY = "2026-11-16";

function arrival(text: string | Buffer, source: Arrival["source"] = {}): Arrival {
  const bytes = Buffer.from(text as string);
  const contentId = createHash("sha256").update(bytes).digest();
  return { projectId: 1, contentId, source, codec: "plain", body: bytes, receivedAt: 0 };
}

async function runsOf(arrived: Arrival, policy?: string): Promise<readonly EvaluatedRun[]> {
  const rules =
    policy === undefined
      ? { today: TODAY }
      : { today: TODAY, policy: { policy: parsePolicy(policy), hash: "h", failOn: "severe" as const } };
  const outcome = await evaluateArrival(arrived, async () => rules);
  if (outcome.kind !== "runs") throw new Error(outcome.message);
  return outcome.runs;
}

const CHAT = JSON.stringify({
  messages: [
    { role: "user", content: "refund order A-1" },
    {
      role: "assistant",
      tool_calls: [{ id: "1", type: "function", function: { name: "issue_refund", arguments: '{"amount":900}' } }],
    },
    { role: "tool", tool_call_id: "1", content: "done" },
    { role: "assistant", content: "Refunded. My key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEF" },
  ],
});
const POLICY = `
rules:
  - id: no-refund
    kind: no_call
    severity: error
    params: { tool: issue_refund }
`;

describe("evaluateArrival", () => {
  it("gives the figures of a run, and what its policy says", async () => {
    const [run, ...others] = await runsOf(arrival(CHAT, { agent: "shop", release: "v2", scenario: "refund" }), POLICY);
    expect(others).toEqual([]);
    expect(run).toMatchObject({ agent: "shop", release: "v2", scenario: "refund", turns: 2, calls: 1, errors: 0 });
    expect(run).toMatchObject({
      status: "failed",
      verdict: "no_baseline",
      tools: [{ name: "issue_refund", calls: 1 }],
    });
    expect(run!.findings).toMatchObject([{ ruleId: "no-refund", severity: "severe", turnIndex: 0, configHash: "h" }]);
    expect(run).not.toHaveProperty("inputTokens");
  });

  it("does not pass what has no policy", async () => {
    const [run] = await runsOf(arrival(CHAT));
    expect(run!.status).toBe("not_evaluated");
  });

  it("keeps no secret, in no part of what it keeps", async () => {
    const [run] = await runsOf(arrival(CHAT), POLICY);
    expect(unpackBody(run!.body)).toContain("[REDACTED:");
    const { body, ...rest } = run!;
    expect(unpackBody(body) + JSON.stringify(rest)).not.toContain("sk-proj-abcdef");
  });

  it("keeps a recording as it was sent where that is how it is kept, and packs it anew where it is not", async () => {
    const [first] = await runsOf(arrival(CHAT));
    const log = unpackBody(first!.body);
    const sentAs = (text: string, body: Buffer): Arrival => ({ ...arrival(text), codec: "gzip", body });
    const bodyOf = async (sent: Arrival) => (await runsOf(sent))[0]!.body;

    const own = gzipSync(log, { level: 9 });
    expect(Buffer.from((await bodyOf(sentAs(log, own))).bytes).equals(own)).toBe(true);

    const named = Buffer.concat([
      own.subarray(0, 3),
      Buffer.of(8),
      own.subarray(4, 10),
      Buffer.from("home\0"),
      own.subarray(10),
    ]);
    const loose = gzipSync(log, { level: 0 });
    for (const body of [named, loose]) {
      const kept = await bodyOf(sentAs(log, body));
      expect(Buffer.from(kept.bytes).equals(body)).toBe(false);
      expect(unpackBody(kept)).toBe(log);
    }

    const secret = log.replaceAll(/\[REDACTED:[^\]]*\]/g, "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEF");
    expect(secret).not.toBe(log);
    expect(unpackBody(await bodyOf(sentAs(secret, gzipSync(secret))))).not.toContain("sk-proj-");
  });

  it("is the same packed and plain", async () => {
    const plain = arrival(CHAT);
    const packed: Arrival = { ...plain, codec: "gzip", body: gzipSync(plain.body) };
    expect(await runsOf(packed)).toEqual(await runsOf(plain));
  });

  it("says in the reader's words what cannot be read", async () => {
    for (const text of ["{", "hello", '{"a":1}', "", "\u0000\u0001"]) {
      const outcome = await evaluateArrival(arrival(text), async () => ({ today: TODAY }));
      expect(outcome).toMatchObject({ kind: "rejected", code: expect.stringMatching(/^(trace|json|input)\./) });
    }
    const bomb: Arrival = { ...arrival("x"), codec: "gzip", body: gzipSync(Buffer.alloc(65 * 1024 * 1024)) };
    expect(await evaluateArrival(bomb, async () => ({ today: TODAY }))).toMatchObject({ code: "trace.bad-gzip" });
  });

  it("stores a run when its project's policy cannot be used, and passes nothing", async () => {
    const problem = { code: "policy.missing", message: "The policy a.yaml is not with the service." };
    const outcome = await evaluateArrival(arrival(CHAT), async () => ({ today: TODAY, problem }));
    expect(outcome).toMatchObject({ kind: "runs", runs: [{ status: "not_evaluated", findings: [] }] });
    expect(JSON.stringify(outcome)).toContain("policy.missing");
  });

  it("gives each run of a body that holds several an id of its own, always the same", async () => {
    const file = listFixtures().find(({ format }) => format === "tau-bench")!.path;
    const arrived = arrival(readFileSync(file), { name: "results.json" });
    const ids = (runs: readonly EvaluatedRun[]) => runs.map(({ contentId }) => Buffer.from(contentId).toString("hex"));
    const first = ids(await runsOf(arrived));
    expect(first.length).toBeGreaterThan(1);
    expect(new Set(first).size).toBe(first.length);
    expect(ids(await runsOf(arrived))).toEqual(first);
  });
});

describe("a stored run, read again", () => {
  const samples = listFixtures();

  it.each(samples)("is the trace that its file is: $name", async ({ path }) => {
    const bytes = readFileSync(path);
    const name = path.replace(/^.*\//, "");
    const outcome = await evaluateArrival(arrival(bytes, { name }), async () => ({ today: TODAY }));
    if (outcome.kind !== "runs") {
      await expect(loadTraceFile(name, { bytes })).rejects.toThrow(outcome.message);
      return;
    }
    const traces = await loadTraceFile(name, { bytes, path: name });
    expect(outcome.runs).toHaveLength(traces.length);
    for (const [index, run] of outcome.runs.entries()) {
      const again = traceOfBody(run.body, keptSourceOf(run.stages.find(({ stage }) => stage === "reading")!.result));
      const read = traces[index]!;
      expect(again.name).toBe(read.name);
      expect(again.source).toEqual(read.source);
      expect(again.turns.map(({ text, stopReason }) => [text, stopReason])).toEqual(
        read.turns.map(({ text, stopReason }) => [text, stopReason]),
      );
      expect(again.toolCalls).toEqual(read.toolCalls);
      expect(again.steps).toEqual(read.steps);
    }
  });
});
