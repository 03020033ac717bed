/**
 * One way in: the same content is the same trace whether it is a file, its bytes, its text, a value in memory, the subject
 * of a matcher, or what a guard saw turn by turn.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { buildTrace, type Json, type JsonObject, parsePolicy, type Trace, type TraceRecord } from "@spoor/core";
import { fingerprintTrace } from "@spoor/core/internal/fingerprint/fingerprint-trace";
import { checkPolicy } from "@spoor/core/internal/policy/check-policy";
import { apiOfResponse } from "@spoor/core/internal/providers/provider-apis";
import { readTraceInMemory } from "@spoor/core/internal/providers/read-trace";
import { member } from "@spoor/core/internal/trace/json";
import { createGuard } from "@spoor/record";
import { describe, expect, it } from "vitest";
import { readTrace } from "../src/index.ts";
import { loadTraceFile } from "../src/load/load-traces.ts";
import { readTraceValue } from "../src/load/read-trace.ts";
import { behaviourText } from "../src/vitest/to-match-behaviour.ts";
import { listFixtures } from "./fixtures.ts";

/** The formats that a program may also have in memory. */
const LOGS = ["openai-chat", "openai-responses", "anthropic", "gemini", "bedrock", "ai-sdk", "tool-calls", "agentv"];
/** Those that core reads without the files' formats: AgentV's shape exists at its edge only. */
const PURE = LOGS.filter((format) => format !== "agentv");

const fixtures = listFixtures().filter(({ format }) => LOGS.includes(format));
const documents = fixtures.filter(({ name }) => name.endsWith(".json"));
const pairs = fixtures.filter(({ name }) => name.endsWith("pairs.jsonl"));

const hash = (trace: Trace) => fingerprintTrace(trace).hash;
const callsOf = (trace: Trace) =>
  trace.toolCalls.map(({ name, input, output, status }) => ({ name, input, output, status }));

function expectSame(trace: Trace, file: Trace): void {
  expect(hash(trace)).toBe(hash(file));
  expect(callsOf(trace)).toEqual(callsOf(file));
  expect(trace.source.format).toBe(file.source.format);
}

describe("a file", () => {
  it.each(fixtures)("$name is the same from its path and its bytes", async ({ path }) => {
    const files = await loadTraceFile(path);
    const traces = await loadTraceFile("the input", { bytes: readFileSync(path) });
    expect(traces.map(hash)).toEqual(files.map(hash));
  });

  it.each(documents)("$name is the same as text, in memory, and for a matcher", async ({ path, format }) => {
    const [file, ...others] = await loadTraceFile(path);
    const text = readFileSync(path, "utf8");
    if (others.length > 0) {
      await expect(readTrace(text)).rejects.toThrow("this needs exactly one");
      return;
    }
    expectSame(await readTrace(path), file!);
    expectSame(await readTrace(text), file!);
    expectSame(await readTrace(readFileSync(path)), file!);
    expectSame(await readTrace(JSON.parse(text)), file!);
    if (PURE.includes(format)) expectSame(readTraceInMemory(JSON.parse(text)), file!);
    expect(behaviourText(JSON.parse(text), "sequence")).toBe(behaviourText(file!, "sequence"));
  });
});

const policy = parsePolicy(
  "apiVersion: spoor.dev/v1\nrules:\n  - {id: r, kind: no_call, params: {tool: never_called}}\n",
  {
    file: "policy.yaml",
  },
);

/** What a guard saw, as a trace. */
function guarded(turns: readonly { request: JsonObject; response: JsonObject }[]): Trace {
  const records: TraceRecord[] = [];
  const session = createGuard(policy, { onRecord: (record) => records.push(record) }).session("s");
  for (const { request, response } of turns) expect(session.turn(request, response)).toMatchObject({ allowed: true });
  return buildTrace(records);
}

describe("a guard", () => {
  it.each(pairs)("sees in $name what the file holds", async ({ path }) => {
    const lines = readFileSync(path, "utf8").trim().split("\n");
    // A call that failed has no response for a guard to see.
    const turns = lines
      .map((line) => JSON.parse(line) as { request: JsonObject; response: JsonObject })
      .filter(({ response }) => apiOfResponse(response) !== undefined);
    const files = await loadTraceFile(path);
    const seen = guarded(turns);
    const asked = (trace: Trace) => trace.toolCalls.map(({ name, input }) => ({ name, input }));
    expect(seen.turns).toHaveLength(files.flatMap((file) => file.turns).length);
    expect(asked(seen)).toEqual(files.flatMap(asked));
    if (files.length === 1) expect(hash(seen)).toBe(hash(files[0]!));
  });
});

const CORPORA = fileURLToPath(new URL("../../../../shared/corpora/", import.meta.url));
const chats = existsSync(CORPORA) ? ["tau-airline", "tau-retail"].flatMap(listChats) : [];

function listChats(corpus: string): { name: string; messages: JsonObject[] }[] {
  const folder = join(CORPORA, corpus);
  return readdirSync(folder)
    .filter((file) => /\.json(?:\.gz)?$/.test(file))
    .flatMap((file) => {
      const bytes = readFileSync(join(folder, file));
      const runs = JSON.parse((file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8")) as Json;
      const list = Array.isArray(runs) ? runs.slice(0, 5) : [];
      return list.flatMap((run: Json, index) => {
        const messages = member(run, "traj");
        const usable = Array.isArray(messages) && messages.some((message) => member(message, "role") === "assistant");
        return usable ? [{ name: `${corpus}/${file}[${index}]`, messages: messages as unknown as JsonObject[] }] : [];
      });
    });
}

describe.skipIf(chats.length === 0)("a real conversation (skipped without ../shared/corpora)", () => {
  it.each(chats)("$name is one trace through every door", async ({ messages }) => {
    const file = await readTrace(JSON.stringify(messages));
    expect(file.toolCalls.length + file.turns.length).toBeGreaterThan(0);
    expectSame(readTraceValue(messages), file);
    expectSame(readTraceInMemory(messages), file);
    expect(behaviourText(messages, "sequence")).toBe(behaviourText(file, "sequence"));
    const turns = messages.flatMap((message, index) =>
      message["role"] === "assistant"
        ? [{ request: { messages: messages.slice(0, index) }, response: { choices: [{ index: 0, message }] } }]
        : [],
    );
    const seen = guarded(turns);
    expect(seen.toolCalls.map(({ name, input }) => ({ name, input }))).toEqual(
      file.toolCalls.map(({ name, input }) => ({ name, input })),
    );
    expect(hash(seen)).toBe(hash(file));
  });
});

describe("the decision log of a guard", () => {
  it("is a trace of what was let through, in every mode and with what failed", async () => {
    const lines: JsonObject[] = [];
    const policy = parsePolicy(
      JSON.stringify([
        { id: "once", kind: "max_calls", params: { tool: "pay", limit: 1 } },
        { id: "ask", kind: "no_failed_call", params: { tool: "ask" } },
      ]),
      { file: "policy.json" },
    );
    const session = createGuard(policy, { onDecision: (line) => lines.push(line) }).session("ticket", {
      agent: "main",
    });
    const tools = session.wrapTools({
      ask: () => {
        throw new Error("nobody there");
      },
      pay: ({ amount }: { amount: number }) => `paid ${amount}`,
    });
    expect(tools.ask).toThrow("nobody there");
    tools.pay({ amount: 5 });
    tools.pay({ amount: 6 });
    const trace = await readTrace(lines.map((line) => JSON.stringify(line)).join("\n"));
    expect(trace.source.format).toBe("decision-log");
    expect(trace.toolCalls.map(({ name, input, status }) => [name, input, status])).toEqual([
      ["ask", {}, "error"],
      ["pay", { amount: 5 }, "ok"],
    ]);
    const outcomes = checkPolicy(trace, policy).outcomes;
    expect(outcomes.map(({ rule, violations }) => [rule.id, violations.length])).toEqual([
      ["once", 0],
      ["ask", 1],
    ]);
  });

  it.each([
    ["yes", true, ["pay"]],
    ["no", false, []],
  ])("a call about which a person said %s happened once or not at all", async (_answer, yes, expected) => {
    const lines: JsonObject[] = [];
    const rules = "rules: [{ id: large, kind: no_call, then: ask, params: { tool: pay } }]";
    const policy = parsePolicy(rules, { file: "policy.yaml" });
    const guard = createGuard(policy, { onDecision: (line) => lines.push(line), onAsk: () => yes });
    const { pay } = guard.session("s").wrapTools({ pay: (_input: object, _context: object) => "PAID" });
    pay({}, { toolCallId: "c1" });
    const trace = await readTrace(lines.map((line) => JSON.stringify(line)).join("\n"));
    expect(trace.toolCalls.map(({ name }) => name)).toEqual(expected);
    expect(checkPolicy(trace, policy).violations).toEqual([]);
  });

  it("a call that the guard let through and then could not keep has not happened", async () => {
    const lines: JsonObject[] = [];
    const policy = parsePolicy(JSON.stringify([{ id: "r", kind: "max_calls", params: { limit: 9 } }]), {
      file: "p.json",
    });
    const store = {
      update<T>(_id: string, change: (saved: undefined) => { readonly result: T }): T {
        change(undefined);
        throw new Error("disk full");
      },
    };
    const guard = createGuard(policy, { onDecision: (line) => lines.push(line), store });
    guard.session("s").judgeCall("pay", {}, "c1");
    expect(lines.map((line) => line["decision"])).toEqual(["allow", "deny"]);
    expect((await readTrace(lines.map((line) => JSON.stringify(line)).join("\n"))).toolCalls).toEqual([]);
  });
});
