/** Calls that nobody put a span around, each in a trace of its own: the service joins them to the runs that the reader of files makes of them. */
import { gzipSync } from "node:zlib";
import type { JsonObject } from "@spoor/core";
import { loadOtlpProtobuf } from "spoor/internal/formats/otel/otlp-protobuf";
import { loadTraceFile } from "spoor/internal/load/load-traces";
import { describe, expect, it } from "vitest";
import { closeTraces, OPEN_MS, QUIET_MS } from "../src/ingest/close-traces.ts";
import { migrateStore } from "../src/store/open-store.ts";
import { startService, type TestService } from "./service.ts";
import { memoryEngine, postgresEngines, type TestEngine, testEngines } from "./stores.ts";

type Attributes = Readonly<Record<string, string>>;
interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue: string } }[];
}

const START_NS = 1_790_000_000_000_000_000n;
const JSON_TYPE = { "content-type": "application/json" };

/** In a trace of its own unless `more` names one. */
function span(at: number, name: string, attributes: Attributes, more: Partial<Span> = {}): Span {
  return {
    traceId: at.toString(16).padStart(32, "7"),
    spanId: at.toString(16).padStart(16, "3"),
    name,
    startTimeUnixNano: String(START_NS + BigInt(at) * 1_000_000n),
    endTimeUnixNano: String(START_NS + BigInt(at) * 1_000_000n + 500_000n),
    attributes: Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } })),
    ...more,
  };
}

const text = (role: string, content: string) => ({ role, parts: [{ type: "text", content }] });
const call = (id: string) => ({
  role: "assistant",
  parts: [{ type: "tool_call", id, name: "look", arguments: { id } }],
});
const result = (id: string) => ({ role: "tool", parts: [{ type: "tool_call_response", id, response: "x" }] });

function chat(at: number, said: readonly object[], answer: object, attributes: Attributes = {}): Span {
  return span(at, "chat m", {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "m",
    "gen_ai.input.messages": JSON.stringify(said),
    "gen_ai.output.messages": JSON.stringify([answer]),
    ...attributes,
  });
}

/** A question, a call of the model for each of `calls`, and an answer. */
function conversation(at: number, question: string, calls: readonly string[], attributes: Attributes = {}): Span[] {
  const said: object[] = [text("user", question)];
  const spans = calls.map((id, index) => {
    const asked = chat(at + 2 * index, [...said], call(id), attributes);
    said.push(call(id), result(id));
    return asked;
  });
  return [...spans, chat(at + 2 * calls.length, said, text("assistant", "Done."), attributes)];
}

const documentOf = (...spans: Span[]) => ({
  resourceSpans: [
    {
      resource: { attributes: [{ key: "service.name", value: { stringValue: "shop" } }] },
      scopeSpans: [{ scope: { name: "test" }, spans }],
    },
  ],
});

const send = (service: TestService, ...spans: Span[]) =>
  service.ask("POST", "/v1/traces", { body: JSON.stringify(documentOf(...spans)), headers: JSON_TYPE });

/** Everything that is due is closed and evaluated; turns and calls of the runs that stand then, in the order in which they began. */
async function runsAfter(service: TestService, ms = QUIET_MS): Promise<number[][]> {
  service.clock += ms;
  await closeTraces(service.store.spans, service.clock);
  await service.evaluate();
  return shown(service);
}

interface Shown {
  readonly id: string;
  readonly turns: number;
  readonly calls: number;
  readonly startedAt: string;
}

async function runsOf(service: TestService): Promise<Shown[]> {
  const { runs } = (await service.ask("GET", "/api/v1/runs")).json as { runs: Shown[] };
  return runs.sort((left, right) => (left.startedAt < right.startedAt ? -1 : 1));
}

async function shown(service: TestService): Promise<number[][]> {
  return (await runsOf(service)).map(({ turns, calls }) => [turns, calls]);
}

async function inFile(...spans: Span[]): Promise<number[][]> {
  const traces = await loadTraceFile("spans.json", { bytes: Buffer.from(JSON.stringify(documentOf(...spans))) });
  return traces.map(({ turns, toolCalls }) => [turns.length, toolCalls.length]);
}

async function startOn(engine: TestEngine): Promise<TestService> {
  const url = await engine.address();
  if (engine !== memoryEngine) await migrateStore(url);
  return startService({ url });
}

describe.each(testEngines)("calls without a root, $name", (engine) => {
  it("are the runs that their file has, whatever comes when and however often", async () => {
    const spans = [
      ...conversation(1, "Where is order 1?", ["c1", "c2"]),
      ...conversation(11, "Cancel order 2.", ["c3"]),
    ];
    const expected = await inFile(...spans);
    expect(expected).toEqual([
      [3, 2],
      [2, 1],
    ]);
    const service = await startOn(engine);
    // The last first, each on its own, and closed before the next one comes.
    for (const one of [...spans].reverse()) {
      await send(service, one);
      await runsAfter(service);
    }
    expect(await shown(service)).toEqual(expected);
    const ids = (await runsOf(service)).map(({ id }) => id);
    await send(service, ...spans);
    expect(await runsAfter(service)).toEqual(expected);
    expect((await runsOf(service)).map(({ id }) => id)).toEqual(ids);
    const [agent] = (await service.ask("GET", "/api/v1/agents")).json.agents;
    expect(agent).toMatchObject({ name: "shop", runs: 2 });
  });

  it("change places when an earlier one comes late", async () => {
    const service = await startOn(engine);
    // Two conversations that say the same until they part: without its beginning, the second one looks like a branch of the first.
    const [first, again] = [conversation(1, "Where is it?", ["c1"]), conversation(2, "Where is it?", ["c1"])];
    await send(service, first[0]!, { ...first[1]!, ...at(10, first[1]!) });
    expect(await runsAfter(service)).toEqual([[2, 1]]);
    await send(service, { ...again[1]!, ...at(11, again[1]!) });
    await runsAfter(service);
    await send(service, again[0]!);
    expect(await runsAfter(service)).toEqual([
      [2, 1],
      [2, 1],
    ]);
    expect(service.problems).toEqual([]);
  });

  it("leave their run when a root comes after all", async () => {
    const service = await startOn(engine);
    const [first, second] = conversation(1, "Where is order 1?", ["c1"]);
    await send(service, first!, second!);
    expect(await runsAfter(service)).toEqual([[2, 1]]);
    const root = span(0, "invoke_agent", { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "shop" });
    await send(service, { ...root, traceId: first!.traceId });
    expect((await runsAfter(service)).sort()).toEqual([
      [1, 0],
      [1, 1],
    ]);
  });

  it("are kept as long as the youngest of their run", async () => {
    const service = await startOn(engine);
    const named = { "gen_ai.conversation.id": "chat-1" };
    const day = 24 * 3_600_000;
    const keep = async () =>
      service.store.retention.apply({ rejectedMs: day, bodiesMs: 9 * day, eventsMs: day }, service.clock);
    await send(service, ...conversation(1, "Hello", [], named));
    await runsAfter(service);
    await runsAfter(service, day - QUIET_MS * 2);
    await send(service, ...conversation(5, "Hello again", [], named));
    expect(await runsAfter(service)).toEqual([[2, 0]]);
    await runsAfter(service, day / 2);
    expect(await keep()).toMatchObject({ spans: 0 });
    await send(service, ...conversation(9, "And again", [], named));
    expect(await runsAfter(service)).toEqual([[3, 0]]);
    service.clock += 2 * day;
    expect(await keep()).toMatchObject({ spans: 3 });
    await send(service, ...conversation(13, "Long after", [], named));
    expect(await runsAfter(service)).toEqual([
      [3, 0],
      [1, 0],
    ]);
  });
});

/** The same span in a trace of its own at another time. */
function at(time: number, { traceId, spanId }: Span): Partial<Span> {
  const { startTimeUnixNano, endTimeUnixNano } = span(time, "", {});
  return { traceId: `8${traceId.slice(1)}`, spanId: `8${spanId.slice(1)}`, startTimeUnixNano, endTimeUnixNano };
}

describe("calls without a root", () => {
  it("come as protobuf in gzip too, with the tools that ran between them", async () => {
    const spans = conversation(1, "Where is order 1?", ["a-call-with-an-id-of-its-own", "c2"]);
    const tool = (time: number, id: string) =>
      span(time, "execute_tool look", {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "look",
        "gen_ai.tool.call.id": id,
        "gen_ai.tool.call.result": "x",
      });
    const all = [...spans, tool(2, "a-call-with-an-id-of-its-own"), tool(4, "c2")];
    const { encode } = await loadOtlpProtobuf();
    const service = await startService();
    for (const one of [...all].reverse()) {
      const answer = await service.ask("POST", "/v1/traces", {
        body: gzipSync(encode("TracesData", documentOf(one) as unknown as JsonObject)),
        headers: { "content-type": "application/x-protobuf", "content-encoding": "gzip" },
      });
      expect(answer.status).toBe(200);
    }
    expect(await runsAfter(service)).toEqual(await inFile(...all));
    expect(await shown(service)).toEqual([[3, 2]]);
    // All were due at once: one arrival, and nothing that was replaced.
    expect(await service.store.runs.page(service.projectId, { superseded: true }, undefined, 9)).toHaveLength(1);
  });

  it.each([
    ["markup", '<img src=x onerror="alert(1)">'],
    ["a quote", "'; drop table spans; --"],
    ["NUL", "a\u0000b"],
    ["a long text", "x".repeat(100_000)],
    ["a name of ours", "__proto__"],
    ["escapes", "\u001b[31m\u202e"],
  ])("belong together by whatever their session is called: %s", async (_, name) => {
    const service = await startService();
    const named = { "session.id": name };
    const spans = [...conversation(1, "Hello", [], named), ...conversation(5, "Something else", [], named)];
    for (const one of [...spans, ...conversation(9, "Alone", [])]) expect((await send(service, one)).json).toEqual({});
    expect(await runsAfter(service)).toEqual([
      [2, 0],
      [1, 0],
    ]);
    expect(service.problems).toEqual([]);
  });

  it("that name no conversation and hold no message are refused in the words of files", async () => {
    const service = await startService();
    const bare = (time: number) =>
      span(time, "chat m", { "gen_ai.operation.name": "chat", "gen_ai.request.model": "m" });
    await send(service, bare(1), bare(2), bare(3));
    await runsAfter(service);
    const rejected = await service.store.inbox.rejected(service.projectId, undefined, 9);
    const [said] = rejected.map(({ message }) => message);
    expect(said).toContain("nothing tells which of them are one run: they name no conversation and hold no messages");
    expect(said).toContain("set gen_ai.conversation.id on its spans");
    expect(await shown(service)).toEqual([]);
  });

  it("of two conversations in one trace are what the file says", async () => {
    const service = await startService();
    const spans = [...conversation(1, "Hello", ["c1"]), ...conversation(5, "Something else", ["c2"])].map((one) => ({
      ...one,
      traceId: "9".repeat(32),
    }));
    await send(service, ...spans);
    expect(await runsAfter(service)).toEqual(await inFile(...spans));
  });

  it("without a trace id are counted, and the others joined", async () => {
    const service = await startService();
    const [first, second] = conversation(1, "Where is order 1?", ["c1"]);
    const { json } = await send(service, first!, { ...second!, traceId: "" }, second!);
    expect(json.partialSuccess.rejectedSpans).toBe("1");
    expect(await runsAfter(service)).toEqual([[2, 1]]);
  });

  it("of 1 MB are joined, and 10,000 tools in one trace are one run", async () => {
    const service = await startService();
    await send(service, ...conversation(1, `Where is ${"it ".repeat(350_000)}?`, ["c1"]));
    expect(await runsAfter(service)).toEqual([[2, 1]]);
    const tools = Array.from({ length: 10_000 }, (_, index) =>
      span(
        1_000 + index,
        "execute_tool look",
        {
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.name": "look",
          "gen_ai.tool.call.id": `tool-call-number-${index}`,
        },
        { traceId: "a".repeat(32) },
      ),
    );
    for (let from = 0; from < tools.length; from += 5_000) {
      const { status } = await send(service, ...tools.slice(from, from + 5_000));
      expect(status).toBe(200);
    }
    expect(await runsAfter(service)).toEqual([
      [2, 1],
      [0, 10_000],
    ]);
  });

  it("are not waited for where a root may still come", async () => {
    const service = await startService();
    const [first, second] = conversation(1, "Where is order 1?", ["c1"]);
    await send(service, first!, { ...second!, parentSpanId: "f".repeat(16) });
    expect(await runsAfter(service)).toEqual([[1, 1]]);
    expect(await runsAfter(service, OPEN_MS)).toHaveLength(2);
  });
});

describe.each(postgresEngines)("two servers on one $name", (engine) => {
  it("join what came to either of them, once", async () => {
    const url = await engine.address();
    await migrateStore(url);
    const servers = [await startService({ url }), await startService({ url })] as const;
    const conversations = Array.from({ length: 6 }, (_, index) =>
      conversation(1 + index * 10, `Where is order ${index}?`, [`call-of-order-${index}-one`, `c${index}`]),
    );
    for (const turn of [2, 0, 1])
      for (const [index, spans] of conversations.entries()) {
        await send(servers[(index + turn) % 2]!, spans[turn]!);
        for (const server of servers) server.clock += QUIET_MS;
        await Promise.all(servers.map((server) => closeTraces(server.store.spans, server.clock)));
      }
    await Promise.all(servers.map((server) => runsAfter(server)));
    await Promise.all(servers.map((server) => server.evaluate()));
    expect(await shown(servers[0])).toEqual(conversations.map(() => [3, 2]));
    const [agent] = (await servers[1].ask("GET", "/api/v1/agents")).json.agents;
    expect(agent).toMatchObject({ name: "shop", runs: conversations.length });
  });
});
