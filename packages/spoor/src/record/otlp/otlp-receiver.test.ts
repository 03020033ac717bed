import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request as httpRequest, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Json, JsonObject } from "@spoor/core";
import { createRecordBlinder } from "@spoor/core/internal/fingerprint/blind-record";
import { createRedaction, type Redaction } from "@spoor/core/internal/redact/redaction";
import { member } from "@spoor/core/internal/trace/json";
import protobuf from "protobufjs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { OTLP_PROTO } from "../../formats/otel/otlp-proto-text.ts";
import { loadTraces } from "../../load/load-traces.ts";
import { readJournal } from "./journal.ts";
import { redactOtlp } from "./otlp-document.ts";
import { createOtlpReceiver, type OtlpReceiver, type OtlpReceiverOptions } from "./otlp-receiver.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";

interface SpanSpec {
  readonly id: string;
  readonly parent?: string;
  readonly trace?: string;
  readonly at?: number;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** A request as an exporter sends it: hex ids, clocks as text. */
function traces(...spans: SpanSpec[]): JsonObject {
  const attribute = ([key, value]: [string, string]) => ({ key, value: { stringValue: value } });
  return {
    resourceSpans: [
      {
        resource: { attributes: [attribute(["service.name", "support_agent"])] },
        scopeSpans: [
          {
            scope: { name: "test" },
            spans: spans.map(({ id, parent, trace = TRACE, at = 1, attributes = {} }) => ({
              traceId: trace,
              spanId: id.repeat(16),
              ...(parent === undefined ? {} : { parentSpanId: parent.repeat(16) }),
              name: attributes["gen_ai.operation.name"] ?? "work",
              kind: 1,
              startTimeUnixNano: `${1763244000000000000n + BigInt(at) * 1000000n}`,
              endTimeUnixNano: `${1763244000000000000n + BigInt(at + 5) * 1000000n}`,
              attributes: Object.entries(attributes).map(attribute),
            })),
          },
        ],
      },
    ],
  };
}

const agent = (id: string): SpanSpec => ({
  id,
  attributes: { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "support" },
});
const tool = (id: string, parent: string, name: string, at = 2): SpanSpec => ({
  id,
  parent,
  at,
  attributes: {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": name,
    "gen_ai.tool.call.id": `call-${id}`,
  },
});

let folder: string;
const folders: string[] = [];
let now: number;
let timers: { at: number; run: () => void }[];
let server: Server | undefined;
let receiver: OtlpReceiver;
const receivers: OtlpReceiver[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "spoor-otlp-"));
  folders.push(folder);
  now = 0;
  timers = [];
});
afterEach(async () => {
  // Also those that were killed: their files are open in this process.
  for (const one of receivers.splice(0)) await one.close();
  server?.closeAllConnections();
  server?.close();
  server = undefined;
  for (const one of folders.splice(0)) rmSync(one, { recursive: true, force: true });
});

/** The clock of the test: commits come at once, everything else when the time is set forward. */
async function open(options: Partial<OtlpReceiverOptions> = {}): Promise<void> {
  receiver = await createOtlpReceiver({
    folder,
    nowMs: () => now,
    later: (run, ms) => (ms <= 5 ? setImmediate(run) : timers.push({ at: now + ms, run })),
    ...options,
  });
  receivers.push(receiver);
  server = createServer((request, response) => void receiver.handle(request, response));
  await new Promise<void>((done) => server!.listen(0, "127.0.0.1", done));
}

/** What is left on the disk of a machine whose receiver was killed, in a folder of its own. */
async function kill(): Promise<void> {
  const left = mkdtempSync(join(tmpdir(), "spoor-otlp-"));
  folders.push(left);
  cpSync(folder, left, { recursive: true, filter: (path) => !path.endsWith(".lock") });
  folder = left;
  server!.close();
}

function pass(ms: number): void {
  now += ms;
  const due = timers.filter(({ at }) => at <= now);
  timers = timers.filter(({ at }) => at > now);
  for (const { run } of due) run();
}

interface Sent {
  readonly status: number;
  readonly type: string | undefined;
  readonly body: Buffer;
  readonly retryAfter: string | undefined;
}

function post(
  body: string | Uint8Array,
  headers: Record<string, string> = {},
  path = "/v1/traces",
  method = "POST",
): Promise<Sent> {
  const { port } = server!.address() as AddressInfo;
  return new Promise((done, failed) => {
    const sent = httpRequest(
      { port, host: "127.0.0.1", path, method, headers: { "content-type": "application/json", ...headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () =>
          done({
            status: response.statusCode!,
            type: response.headers["content-type"],
            body: Buffer.concat(chunks),
            retryAfter: response.headers["retry-after"],
          }),
        );
      },
    );
    sent.on("error", failed);
    sent.end(body);
  });
}

const send = (document: JsonObject) => post(JSON.stringify(document));

/** Files are written beside the answer: what was begun is waited for by asking for the folder until it is there. */
async function written(count: number): Promise<string[]> {
  for (;;) {
    const names = readdirSync(folder).filter(
      (name) => name.endsWith(".agentlog") && readFileSync(join(folder, name)).length > 0,
    );
    if (names.length >= count) return names.map((name) => join(folder, name));
    await new Promise((done) => setImmediate(done));
  }
}

async function toolsIn(paths: readonly string[]): Promise<string[][]> {
  return (await loadTraces(paths)).map((trace) => trace.toolCalls.map(({ name }) => name));
}

/** The same request in protobuf: ids as bytes. */
function inProtobuf(document: JsonObject): Uint8Array {
  const type = protobuf.parse(OTLP_PROTO).root.lookupType("TracesData");
  const bytes = (value: Json): unknown => {
    if (Array.isArray(value)) return value.map(bytes);
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value as JsonObject).map(([key, inner]) => [
      key,
      /^(trace|span|parentSpan)Id$/.test(key) ? Buffer.from(String(inner), "hex") : bytes(inner),
    ]);
    return Object.fromEntries(entries);
  };
  return type.encode(type.fromObject(bytes(document) as Record<string, unknown>)).finish();
}

const whole = traces(agent("1"), tool("2", "1", "lookup_order"), tool("3", "1", "issue_refund", 9));

describe("what is sent", () => {
  it.each<[string, () => [string | Uint8Array, Record<string, string>]]>([
    ["JSON", () => [JSON.stringify(whole), {}]],
    ["JSON with a character set", () => [JSON.stringify(whole), { "content-type": "application/json; charset=utf-8" }]],
    ["JSON in gzip", () => [gzipSync(JSON.stringify(whole)), { "content-encoding": "gzip" }]],
    ["protobuf", () => [inProtobuf(whole), { "content-type": "application/x-protobuf" }]],
    [
      "protobuf in gzip",
      () => [gzipSync(inProtobuf(whole)), { "content-type": "application/x-protobuf", "content-encoding": "gzip" }],
    ],
  ])("as %s is the same trace, and answered in the same type", async (_name, request) => {
    await open();
    const [body, headers] = request();
    const answer = await post(body, headers);
    const isJson = !(headers["content-type"] ?? "").includes("protobuf");
    expect([answer.status, answer.type]).toEqual([200, isJson ? "application/json" : "application/x-protobuf"]);
    expect(answer.body.toString()).toBe(isJson ? "{}" : "");
    const { traces: paths } = await receiver.close();
    expect(await toolsIn(paths)).toEqual([["lookup_order", "issue_refund"]]);
  });

  it.each<[string, () => Promise<Sent>, number]>([
    ["no JSON", () => post("{"), 400],
    ["JSON of something else", () => post('{"rules": []}'), 400],
    ["a list in its place", () => post('{"resourceSpans": {}}'), 400],
    ["no protobuf", () => post(Buffer.from([0xff, 0xff, 0xff]), { "content-type": "application/x-protobuf" }), 400],
    ["no gzip", () => post("{}", { "content-encoding": "gzip" }), 400],
    ["another coding", () => post("{}", { "content-encoding": "br" }), 415],
    ["another type", () => post("a=b", { "content-type": "application/x-www-form-urlencoded" }), 415],
    ["more than the limit of the wire", () => post(Buffer.alloc(2001, 32)), 413],
    ["more than announced", () => post(Buffer.alloc(200_000, 32), { "transfer-encoding": "chunked" }), 413],
    ["a zip bomb", () => post(gzipSync(Buffer.alloc(1_000_000, 32)), { "content-encoding": "gzip" }), 413],
    ["another path", () => post("{}", {}, "/v1/profiles"), 404],
    ["another method", () => post("", {}, "/v1/traces", "PUT"), 405],
  ])("is refused when it is %s", async (_name, request, status) => {
    await open({ limits: { wireBytes: 2000, decodedBytes: 10_000 } });
    expect((await request()).status).toBe(status);
    expect(await receiver.close()).toMatchObject({ refused: 1, spans: 0, traces: [] });
  });

  it("may be empty, and may be metrics, of which nothing is kept", async () => {
    await open();
    expect((await post("{}")).status).toBe(200);
    expect((await post('{"resourceMetrics": []}', {}, "/v1/metrics")).status).toBe(200);
    expect(await receiver.close()).toMatchObject({ requests: 2, refused: 0, traces: [] });
  });

  it("is taken but for spans without ids, and says so", async () => {
    await open();
    const answer = await send(traces({ id: "" }, agent("1")));
    expect([answer.status, JSON.parse(answer.body.toString())]).toEqual([
      200,
      { partialSuccess: { rejectedSpans: "1", errorMessage: "spans without ids" } },
    ]);
    expect(await receiver.close()).toMatchObject({ spans: 1, rejected: 1 });
  });

  it("may be log records, which belong to the spans they name", async () => {
    await open();
    const model = {
      id: "2",
      parent: "1",
      attributes: { "gen_ai.operation.name": "chat", "gen_ai.request.model": "m" },
    };
    await send(traces(agent("1"), model));
    const record = {
      timeUnixNano: "1763244000002000000",
      traceId: TRACE,
      spanId: "2".repeat(16),
      eventName: "gen_ai.user.message",
      attributes: [],
      body: { kvlistValue: { values: [{ key: "content", value: { stringValue: "Where is my lamp?" } }] } },
    };
    const logs = { resourceLogs: [{ resource: {}, scopeLogs: [{ scope: {}, logRecords: [record] }] }] };
    const twice = [await post(JSON.stringify(logs), {}, "/v1/logs"), await post(JSON.stringify(logs), {}, "/v1/logs")];
    expect(twice.map(({ status }) => status)).toEqual([200, 200]);
    const { traces: paths } = await receiver.close();
    const text = readFileSync(paths[0]!, "utf8");
    expect(text.split("Where is my lamp?")).toHaveLength(2);
  });
});

describe("when a trace is written", () => {
  it("five seconds after the last span, once its root has ended", async () => {
    await open();
    await send(traces(tool("2", "1", "lookup_order")));
    pass(30_000);
    await send(traces(agent("1")));
    pass(4_999);
    expect(readdirSync(folder)).toEqual([".run"]);
    pass(1);
    expect(await toolsIn(await written(1))).toEqual([["lookup_order"]]);
  });

  it("after a minute, when its root never comes", async () => {
    await open();
    await send(traces(tool("2", "1", "lookup_order")));
    pass(59_999);
    expect(readdirSync(folder)).toEqual([".run"]);
    pass(1);
    expect(await toolsIn(await written(1))).toEqual([["lookup_order"]]);
  });

  it("again into the same file, when a span comes late", async () => {
    await open();
    await send(traces(agent("1"), tool("2", "1", "lookup_order")));
    pass(5_000);
    const [path] = await written(1);
    await send(traces(tool("3", "1", "issue_refund", 9)));
    const { traces: paths } = await receiver.close();
    expect(paths).toEqual([path]);
    expect(await toolsIn(paths)).toEqual([["lookup_order", "issue_refund"]]);
  });

  it("whole, when the late span comes after the trace was let go of", async () => {
    await open();
    await send(traces(agent("1"), tool("2", "1", "lookup_order")));
    pass(5_000);
    const [path] = await written(1);
    pass(600_000);
    // Another trace wakes the receiver.
    await send(traces({ ...agent("1"), trace: "2".repeat(32) }));
    pass(5_000);
    await written(2);
    await send(traces(tool("3", "1", "issue_refund", 9)));
    await receiver.close();
    expect(await toolsIn([path!])).toEqual([["lookup_order", "issue_refund"]]);
  });

  it("with each span once, however often it is sent; the last counts", async () => {
    await open();
    await send(traces(agent("1"), tool("2", "1", "lookup_ordr")));
    await send(traces(agent("1"), tool("2", "1", "lookup_order")));
    const { traces: paths, spans } = await receiver.close();
    expect([await toolsIn(paths), spans]).toEqual([[["lookup_order"]], 4]);
  });

  it("each trace in a file of its own, under its scenario", async () => {
    await open();
    const other = "1".repeat(32);
    const scenario = { "spoor.scenario_id": "damaged-item" };
    await send(
      traces({ ...agent("1"), attributes: { ...agent("1").attributes, ...scenario } }, { ...agent("4"), trace: other }),
    );
    await receiver.close();
    expect(readdirSync(folder).sort()).toEqual([".run", "conversation-1.agentlog", "damaged-item.run1.agentlog"]);
  });

  it("under what was stated for all of them, where the spans say nothing else", async () => {
    await open({ stated: { agent: "support", scenario_id: "late-parcel", tags: { team: "a" } } });
    const own = { ...agent("4"), trace: "1".repeat(32) };
    await send(
      traces(tool("2", "1", "lookup_order"), {
        ...own,
        attributes: { ...own.attributes, "spoor.scenario_id": "damaged" },
      }),
    );
    await receiver.close();
    expect(readdirSync(folder).sort()).toEqual([".run", "damaged.run1.agentlog", "late-parcel.run1.agentlog"]);
  });

  it("not at all, when no agent did anything in it", async () => {
    await open();
    await send(traces({ id: "1", attributes: { "http.request.method": "GET" } }));
    expect(await receiver.close()).toMatchObject({ quiet: 1, traces: [] });
  });

  it("with a gap that every lens counts, when spans between are missing; a caller elsewhere is none", async () => {
    await open();
    const other = "1".repeat(32);
    await send(traces(agent("1"), tool("2", "9", "lookup_order")));
    await send(traces({ ...tool("2", "9", "lookup_order"), trace: other }));
    const { traces: paths, missingParents } = await receiver.close();
    expect(missingParents).toBe(2);
    const gaps = (await loadTraces(paths)).map((trace) => trace.recording?.gaps);
    expect(gaps).toEqual([1, undefined]);
  });
});

describe("what is acknowledged is not lost", () => {
  it("is in the journal when the answer comes, and a new receiver takes it up", async () => {
    await open();
    await send(traces(agent("1")));
    await send(traces(tool("2", "1", "lookup_order")));
    const { bodies } = await readJournal(join(folder, ".run", "otlp.journal"));
    expect(bodies).toHaveLength(2);
    await kill();
    await open();
    await send(traces(tool("3", "1", "issue_refund", 9)));
    const { traces: paths } = await receiver.close();
    expect(await toolsIn(paths)).toEqual([["lookup_order", "issue_refund"]]);
    expect(existsSync(join(folder, ".run", "otlp.journal"))).toBe(false);
  });

  it("is not written a second time by the receiver that takes it up", async () => {
    await open();
    await send(traces(agent("1"), tool("2", "1", "lookup_order")));
    pass(5_000);
    await written(1);
    await kill();
    writeFileSync(join(folder, "other.agentlog"), "not a record\n");
    await open();
    await send(traces(tool("3", "1", "issue_refund", 9)));
    const { traces: paths } = await receiver.close();
    expect(paths).toEqual([join(folder, "conversation-1.agentlog")]);
    expect(await toolsIn(paths)).toEqual([["lookup_order", "issue_refund"]]);
  });

  it.each([
    ["cut short", (bytes: Buffer) => bytes.subarray(0, bytes.length - 3)],
    ["damaged", (bytes: Buffer) => Buffer.concat([bytes.subarray(0, bytes.length - 3), Buffer.from("xyz")])],
    ["a few bytes of its head", (bytes: Buffer) => Buffer.concat([bytes, Buffer.from([0, 0, 1])])],
  ])("a last frame that is %s is dropped, and what follows is readable", async (_name, damage) => {
    await open();
    await send(traces(agent("1"), tool("2", "1", "lookup_order")));
    await send(traces(tool("3", "1", "never_acknowledged", 9)));
    await kill();
    const path = join(folder, ".run", "otlp.journal");
    writeFileSync(path, damage(readFileSync(path)));
    await open();
    await send(traces(tool("4", "1", "issue_refund", 11)));
    await kill();
    await open();
    const { traces: paths } = await receiver.close();
    const tools = (await toolsIn(paths))[0]!;
    expect([tools[0], tools.at(-1)]).toEqual(["lookup_order", "issue_refund"]);
  });

  it("is answered with 503 and a time to wait when the disk will not take it, and taken when it does", async () => {
    let isFull = true;
    const held: Buffer[] = [];
    await open({
      openJournalFile: async () =>
        ({
          async write(bytes: Uint8Array, offset?: number | null, length?: number | null) {
            // A full disk takes a part and says nothing, then nothing at all.
            const size = isFull ? Math.min(length!, 10) : length!;
            if (isFull && offset! > 0) throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
            held.push(Buffer.from(bytes.subarray(offset!, offset! + size)));
            return { bytesWritten: size, buffer: bytes };
          },
          datasync: async () => undefined,
          truncate: async () => undefined,
          close: async () => undefined,
        }) as never,
    });
    const refused = await send(traces(agent("1")));
    expect([refused.status, refused.retryAfter]).toEqual([503, "5"]);
    isFull = false;
    expect((await send(traces(agent("1")))).status).toBe(200);
    expect(await receiver.close()).toMatchObject({ spans: 1 });
  });

  it("belongs to one receiver at a time", async () => {
    await open();
    await expect(createOtlpReceiver({ folder })).rejects.toMatchObject({ code: "record.in-use" });
    await receiver.close();
    await (await createOtlpReceiver({ folder })).close();
  });

  it("while it is closed nothing more is taken", async () => {
    await open();
    await receiver.close();
    expect((await send(traces(agent("1")))).status).toBe(503);
  });
});

describe("secrets", () => {
  it("never reach the disk, neither in the journal nor in a trace; ids and clocks are left alone", async () => {
    await open({ redaction: createRedaction() });
    const key = `sk-ant-${"a1B2".repeat(8)}`;
    const base = tool("2", "1", "lookup_order");
    const input = { "gen_ai.tool.call.arguments": JSON.stringify({ note: key }) };
    await send(traces(agent("1"), { ...base, attributes: { ...base.attributes, ...input } }));
    const journal = readFileSync(join(folder, ".run", "otlp.journal"), "utf8");
    const { traces: paths } = await receiver.close();
    for (const text of [journal, readFileSync(paths[0]!, "utf8")]) {
      expect(text).not.toContain(key);
      expect(text).toContain("[REDACTED:anthropic_api_key]");
    }
    expect(journal).toContain('"startTimeUnixNano":"1763244000002000000"');
    expect(member((await loadTraces(paths))[0]!.metadata, "door")).toBe("otlp");
  });

  it("and everything else anyone said stay away in a blind recording, from the journal too", async () => {
    await open({ blind: createRecordBlinder("key") });
    const base = tool("2", "1", "lookup_order");
    const input = { "gen_ai.tool.call.arguments": JSON.stringify({ note: "My lamp arrived broken" }) };
    await send(traces(agent("1"), { ...base, attributes: { ...base.attributes, ...input } }));
    expect(existsSync(join(folder, ".run", "otlp.journal"))).toBe(false);
    const { traces: paths } = await receiver.close();
    expect(await toolsIn(paths)).toEqual([["lookup_order"]]);
    const text = readFileSync(paths[0]!, "utf8");
    expect(text).toContain('"note"');
    expect(text).not.toContain("lamp");
  });

  it("are known by the names of attributes too, also inside of lists and mappings", () => {
    const hide = (value: Json): Json =>
      Object.fromEntries(
        Object.entries(value as JsonObject).map(([key, one]) => [key, key === "password" ? "***" : one]),
      );
    const redaction: Redaction = { text: (text) => text, json: (value) => hide(value) as typeof value };
    const text = (stringValue: string) => ({ stringValue });
    const attributes = [
      { key: "password", value: text("a") },
      { key: "user", value: text("b") },
      { key: "password", value: { arrayValue: { values: [text("c")] } } },
      { key: "user", value: { kvlistValue: { values: [{ key: "password", value: text("d") }] } } },
      { key: "password", value: { intValue: "5" } },
    ];
    expect(redactOtlp({ attributes }, redaction)).toEqual({
      attributes: [
        { key: "password", value: text("***") },
        { key: "user", value: text("b") },
        { key: "password", value: { arrayValue: { values: [text("***")] } } },
        { key: "user", value: { kvlistValue: { values: [{ key: "password", value: text("***") }] } } },
        { key: "password", value: { intValue: "5" } },
      ],
    });
  });
});

describe("calls that nobody put a span around", () => {
  const tools = [{ type: "function", function: { name: "look", parameters: {} } }];
  /** Each in a trace of its own, as instrumentation without a root sends them; `said` is the history it was asked with. */
  const model = (n: number, said: readonly Json[], answer: Json, more: Record<string, string> = {}): SpanSpec => ({
    id: n.toString(16),
    trace: n.toString(16).padStart(32, "7"),
    at: n * 100,
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "m",
      "gen_ai.input.messages": JSON.stringify(said),
      "gen_ai.output.messages": JSON.stringify([answer]),
      "gen_ai.tool.definitions": JSON.stringify(tools),
      ...more,
    },
  });
  const text = (role: string, content: string): Json => ({ role, parts: [{ type: "text", content }] });
  const call = (id: string): Json => ({
    role: "assistant",
    parts: [{ type: "tool_call", id, name: "look", arguments: { id } }],
  });
  const result = (id: string): Json => ({ role: "tool", parts: [{ type: "tool_call_response", id, response: "x" }] });

  /** A question, then a call of the model for each of `calls`, then an answer. */
  function run(
    from: number,
    question: string,
    calls: readonly string[],
    more: Record<string, string> = {},
  ): SpanSpec[] {
    const said: Json[] = [text("user", question)];
    const spans = calls.map((id, index) => {
      const span = model(from + index, [...said], call(id), more);
      said.push(call(id), result(id));
      return span;
    });
    return [...spans, model(from + calls.length, said, text("assistant", "Done."), more)];
  }

  const turnsIn = async (paths: readonly string[]) =>
    (await loadTraces(paths)).map(({ turns, toolCalls }) => [turns.length, toolCalls.length]);

  it("become one file for each run, by the history that grows", async () => {
    await open();
    for (const span of [...run(1, "Where is order 1?", ["c1", "c2"]), ...run(11, "Cancel order 2.", ["c3"])])
      await send(traces(span));
    const { traces: paths } = await receiver.close();
    expect(await turnsIn(paths)).toEqual([
      [3, 2],
      [2, 1],
    ]);
  });

  it("say what the same spans in a file say", async () => {
    const spans = [...run(1, "Where is order 1?", ["c1", "c2"]), ...run(11, "Cancel order 2.", ["c3"])];
    const file = join(folder, "..", `${folder.split("/").pop()}.json`);
    writeFileSync(file, JSON.stringify(traces(...spans)));
    folders.push(file);
    await open();
    for (const span of spans) await send(traces(span));
    const { traces: paths } = await receiver.close();
    const facts = (all: Awaited<ReturnType<typeof loadTraces>>) =>
      all.map(({ turns, toolCalls }) => [turns.map(({ response }) => response.content), toolCalls.map(({ id }) => id)]);
    expect(facts(await loadTraces(paths))).toEqual(facts(await loadTraces([file])));
  });

  it("grow in the file they have, interleaved with another run", async () => {
    await open();
    const [one, other] = [run(1, "Where is order 1?", ["c1", "c2"]), run(11, "Cancel order 2.", ["c3", "c4"])];
    for (const [index, span] of one.entries()) {
      await send(traces(span));
      await send(traces(other[index]!));
      pass(5_000);
      await written(2);
    }
    const { traces: paths } = await receiver.close();
    expect(paths).toHaveLength(2);
    expect(readdirSync(folder).filter((name) => name.endsWith(".agentlog"))).toHaveLength(2);
    expect(await turnsIn(paths)).toEqual([
      [3, 2],
      [3, 2],
    ]);
  });

  it("are whole also when the first of them were let go of, and when a killed receiver had written some", async () => {
    await open();
    const [first, second, third] = run(1, "Where is order 1?", ["c1", "c2"]);
    await send(traces(first!));
    pass(5_000);
    await written(1);
    pass(600_000);
    // Another trace wakes the receiver.
    await send(traces({ ...agent("1"), trace: "2".repeat(32) }));
    pass(5_000);
    await written(2);
    await send(traces(second!));
    pass(5_000);
    await kill();
    await open();
    await send(traces(third!));
    const { traces: paths } = await receiver.close();
    expect((await turnsIn(paths)).sort()).toEqual([
      [0, 0],
      [3, 2],
    ]);
  });

  it("belong together when they name a conversation, whatever they say", async () => {
    await open();
    const named = { "gen_ai.conversation.id": "chat-1" };
    await send(traces(...run(1, "Hello", [], named), ...run(5, "Something else", [], named), ...run(9, "Alone", [])));
    const { traces: paths } = await receiver.close();
    expect(await turnsIn(paths)).toEqual([
      [2, 0],
      [1, 0],
    ]);
  });

  it("are recordings of their own when nothing ties them to another, and the line to add is said", async () => {
    await open();
    await send(traces(...run(1, "Hello", []), ...run(5, "Something else", [])));
    const { traces: paths, alone } = await receiver.close();
    expect(await turnsIn(paths)).toEqual([
      [1, 0],
      [1, 0],
    ]);
    expect(alone).toEqual({ count: 2, advice: expect.stringContaining("gen_ai.conversation.id") });
  });

  it("leave their run when a root comes after all", async () => {
    await open();
    const [first, second] = run(1, "Where is order 1?", ["c1"]);
    await send(traces(first!));
    await send(traces(second!));
    pass(5_000);
    await written(1);
    await send(traces({ ...agent("e"), trace: first!.trace! }));
    const { traces: paths } = await receiver.close();
    expect(await turnsIn(paths)).toEqual([
      [1, 0],
      [1, 1],
    ]);
  });
});
