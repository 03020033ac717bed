/** What OpenTelemetry exporters send, in both encodings and in pieces, becomes one run per trace. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { runInMemory } from "spoor/internal/cli/run-in-memory";
import { loadOtlpProtobuf } from "spoor/internal/formats/otel/otlp-protobuf";
import { loadTraceFile } from "spoor/internal/load/load-traces";
import { describe, expect, it, onTestFinished } from "vitest";
import { closeTraces, OPEN_MS, QUIET_MS } from "../src/ingest/close-traces.ts";
import { wholeTraces } from "./build-arrivals.ts";
import { startService, type TestService } from "./service.ts";

const fixture = (name: string) => fileURLToPath(new URL(`../../spoor/test/fixtures/${name}`, import.meta.url));
const JSON_TYPE = { "content-type": "application/json" };
const PROTO_TYPE = { "content-type": "application/x-protobuf" };

type Span = { traceId: string; spanId: string; parentSpanId?: string; endTimeUnixNano?: string };
interface Part {
  readonly resource: unknown;
  readonly scope: unknown;
  readonly span: Span;
}

function partsOf(name: string): Part[] {
  const document = JSON.parse(readFileSync(fixture(name), "utf8")) as {
    resourceSpans: { resource: unknown; scopeSpans: { scope: unknown; spans: Span[] }[] }[];
  };
  return document.resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ scope, spans }) => spans.map((span) => ({ resource, scope, span }))),
  );
}

const requestOf = (...parts: Part[]) => ({
  resourceSpans: parts.map(({ resource, scope, span }) => ({ resource, scopeSpans: [{ scope, spans: [span] }] })),
});

/** So much later everything that is due is closed and evaluated; the runs that are there then. */
async function after(service: TestService, ms: number) {
  service.clock += ms;
  const closed = await closeTraces(service.store.spans, service.clock);
  await service.evaluate();
  const { runs } = (await service.ask("GET", "/api/v1/runs")).json;
  return { closed, runs: runs as { id: string; calls: number; turns: number; number: number }[] };
}

const send = (service: TestService, json: unknown) =>
  service.ask("POST", "/v1/traces", { body: JSON.stringify(json), headers: JSON_TYPE });

describe("a trace", () => {
  it.each([
    ["JSON", "otlp/weather.json", JSON_TYPE],
    ["protobuf", "otlp-protobuf/weather.pb", PROTO_TYPE],
  ])("in %s is one run with the calls that its file has", async (_, name, headers) => {
    const service = await startService();
    const bytes = readFileSync(fixture(name));
    const answer = await service.ask("POST", "/v1/traces", {
      body: gzipSync(bytes),
      headers: { ...headers, "content-encoding": "gzip" },
    });
    expect([answer.status, answer.headers["content-type"]]).toEqual([200, headers["content-type"]]);
    expect(answer.text).toBe(headers === JSON_TYPE ? "{}" : "");
    expect((await after(service, QUIET_MS - 1)).runs).toEqual([]);
    const { runs } = await after(service, 1);
    const traces = await loadTraceFile(name, { bytes });
    expect(runs.map(({ calls, turns }) => [calls, turns])).toEqual(
      traces.map((trace) => [trace.toolCalls.length, trace.turns.length]),
    );
  });

  it("cut over many requests, in any order and sent twice, is one run", async () => {
    const parts = partsOf("otlp/weather.json");
    const whole = await startService();
    await send(whole, requestOf(...parts));
    const expected = (await after(whole, QUIET_MS)).runs;
    const service = await startService();
    for (const part of [...parts].reverse()) {
      await send(service, requestOf(part));
      await send(service, requestOf(part));
      service.clock += 1_000;
    }
    const { runs } = await after(service, QUIET_MS);
    expect(runs.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
  });

  it("waits for its root, but not for ever", async () => {
    const service = await startService();
    const parts = partsOf("otlp/weather.json").filter(({ span }) => span.parentSpanId);
    await send(service, requestOf(...parts));
    expect((await after(service, QUIET_MS * 2)).runs).toEqual([]);
    const { runs, closed } = await after(service, OPEN_MS);
    expect(runs).toHaveLength(1);
    expect(closed).toEqual({ arrived: 1, dropped: 0 });
  });

  it("that grows after it was closed replaces its run", async () => {
    const service = await startService();
    const parts = partsOf("otlp/weather.json");
    const late = parts.findLast(({ span }) => span.parentSpanId)!;
    await send(service, requestOf(...parts.filter((part) => part !== late)));
    const [first] = (await after(service, QUIET_MS)).runs;
    await send(service, requestOf(late));
    const { runs } = await after(service, QUIET_MS);
    expect(runs).toHaveLength(1);
    expect(runs[0]!.id).not.toBe(first!.id);
    const old = await service.ask("GET", `/api/v1/runs/${first!.id}`);
    expect(old.json.run.supersededBy).toBe(runs[0]!.number);
  });

  it("that was exported and then replaced is in the folder once", async () => {
    const service = await startService();
    const folder = mkdtempSync(join(tmpdir(), "spoor-replaced-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const files = () =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.\w+$/.test(name));
    const spoor = async (...words: string[]) =>
      JSON.parse(
        (await runInMemory(["export", "--to", folder, "--server", service.url, "--format", "json", ...words])).out,
      );
    const parts = partsOf("otlp/weather.json");
    const late = parts.findLast(({ span }) => span.parentSpanId)!;
    await send(service, requestOf(...parts.filter((part) => part !== late)));
    await after(service, QUIET_MS);
    expect(await spoor()).toMatchObject({ written: 1, replaced: 0 });
    expect(await spoor("--parquet")).toMatchObject({ runs: 1, files: 2 });
    const [recording] = files().filter((name) => name.endsWith(".agentlog"));
    const tables = files().filter((name) => name.endsWith(".parquet"));
    const old = readFileSync(join(folder, tables[0]!)).length;

    // It comes on the next day: the table of the first one must not count it any more.
    await send(service, requestOf(late));
    await after(service, 24 * 3_600_000);
    expect(await spoor()).toMatchObject({ written: 1, known: 0, replaced: 1 });
    expect(await spoor()).toMatchObject({ written: 0, known: 1, replaced: 0 });
    expect(files().filter((name) => name.endsWith(".agentlog"))).not.toEqual([recording]);
    expect(await spoor("--parquet")).toMatchObject({ runs: 1, files: 4 });
    expect(readFileSync(join(folder, tables[0]!)).length).toBeLessThan(old);
  });

  it("of metrics is none: their number and what to set are said, in both encodings", async () => {
    const service = await startService();
    const points = { dataPoints: [{ asInt: "1" }, { asInt: "2" }] };
    const metrics = [{ name: "a", sum: points }, { name: "b", histogram: points }, { name: "c" }];
    const body = JSON.stringify({ resourceMetrics: [{ scopeMetrics: [{ metrics }] }] });
    const answer = await service.ask("POST", "/v1/metrics", { body, headers: JSON_TYPE });
    expect([answer.status, answer.json]).toEqual([
      200,
      { partialSuccess: { rejectedDataPoints: "4", errorMessage: expect.stringContaining("OTEL_METRICS_EXPORTER") } },
    ]);
    expect((await service.ask("POST", "/v1/metrics", { body: "{}", headers: JSON_TYPE })).json).toEqual({});
    for (const [sent, headers, status] of [
      ["{", JSON_TYPE, 400],
      ["\u0000", PROTO_TYPE, 400],
      ["{}", {}, 415],
    ] as const)
      expect((await service.ask("POST", "/v1/metrics", { body: sent, headers })).status).toBe(status);
    expect(service.problems).toEqual([]);
  });

  it("without an agent is dropped and counted", async () => {
    const service = await startService();
    const [part] = partsOf("otlp/weather.json");
    const { parentSpanId: _, ...root } = part!.span;
    const span = { ...root, name: "GET /health", attributes: [] };
    await send(service, requestOf({ ...part!, span }));
    expect(await after(service, QUIET_MS)).toEqual({ closed: { arrived: 0, dropped: 1 }, runs: [] });
    expect((await after(service, QUIET_MS)).closed).toEqual({ arrived: 0, dropped: 0 });
  });

  it("has no secret in it, not even while it is open", async () => {
    const service = await startService();
    const parts = partsOf("otlp/weather.json");
    const attributes = [{ key: "password", value: { stringValue: "hunter2-is-my-password" } }];
    const [first, ...rest] = parts;
    const marked = { ...first!, resource: { attributes } };
    await send(service, requestOf(marked, ...rest));
    const seen: string[] = [];
    const look = wholeTraces((spans) => {
      seen.push(JSON.stringify(spans));
      return undefined;
    });
    await service.store.spans.close(service.projectId, first!.span.traceId, look);
    expect(seen.join()).toContain("[REDACTED:");
    expect(seen.join()).not.toContain("hunter2");
  });
});

describe("log records", () => {
  const TRACE = "7".repeat(32);
  const chat = {
    traceId: TRACE,
    spanId: "1".repeat(16),
    name: "chat m",
    startTimeUnixNano: "1000000000",
    endTimeUnixNano: "2000000000",
    attributes: [
      { key: "gen_ai.operation.name", value: { stringValue: "chat" } },
      { key: "gen_ai.request.model", value: { stringValue: "m" } },
    ],
  };
  const event = (eventName: string, content: string, more: object = {}) => ({
    timeUnixNano: "1500000000",
    traceId: TRACE,
    spanId: chat.spanId,
    eventName,
    body: { kvlistValue: { values: [{ key: "content", value: { stringValue: content } }] } },
    ...more,
  });
  const logsOf = (...logRecords: object[]) => ({
    resourceLogs: [{ resource: {}, scopeLogs: [{ scope: {}, logRecords }] }],
  });
  const spans = { resourceSpans: [{ resource: {}, scopeSpans: [{ scope: {}, spans: [chat] }] }] };
  const sendLogs = (service: TestService, json: unknown) =>
    service.ask("POST", "/v1/logs", { body: JSON.stringify(json), headers: JSON_TYPE });

  it("say what was said in a call of a model, before or after its span and in their order, once", async () => {
    const words = [
      "Where is my lamp?",
      "And my chair?",
      "One moment.",
      "Zebra, api_key: sk-abcdefghijklmnop1234567890",
    ];
    const said = logsOf(...words.map((text) => event("gen_ai.user.message", text)));
    const service = await startService();
    expect((await sendLogs(service, said)).json).toEqual({});
    expect((await after(service, QUIET_MS)).runs).toEqual([]);
    await send(service, spans);
    const [first] = (await after(service, QUIET_MS)).runs;
    await sendLogs(service, said);
    await sendLogs(service, logsOf(event("gen_ai.choice", "It is on its way.")));
    const { runs } = await after(service, QUIET_MS);
    expect(runs).toHaveLength(1);
    expect(runs[0]!.id).not.toBe(first!.id);
    const { text } = await service.ask("GET", `/api/v1/runs/${runs[0]!.id}/export`);
    const places = [...words.slice(0, 3), "Zebra", "It is on its way."].map((one) => text.indexOf(one));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(text.split("Where is my lamp?")).toHaveLength(2);
    expect(text).not.toContain("sk-abcdefghijklmnop");
  });

  it("that are no events of a span are not kept, and counted in both encodings", async () => {
    const service = await startService();
    const records = [
      event("gen_ai.user.message", "kept"),
      event("gen_ai.user.message", "of no span", { spanId: "" }),
      event("gen_ai.user.message", "of no trace", { traceId: "" }),
      { traceId: TRACE, spanId: chat.spanId, body: { stringValue: "GET /health 200" } },
    ];
    const { status, json } = await sendLogs(service, logsOf(...records));
    expect([status, json.partialSuccess.rejectedLogRecords]).toEqual([200, "3"]);
    const stray = Buffer.from([0x0a, 0x04, 0x12, 0x02, 0x12, 0x00]);
    const answer = await service.ask("POST", "/v1/logs", { body: stray, headers: PROTO_TYPE });
    expect([answer.status, [...answer.bytes.subarray(2, 4)]]).toEqual([200, [0x08, 0x01]]);
  });
});

describe("an exporter", () => {
  it("is told of spans without ids, which it need not send again", async () => {
    const service = await startService();
    const parts = partsOf("otlp/weather.json");
    const lost = { ...parts[0]!, span: { ...parts[0]!.span, spanId: "" } };
    const { status, json } = await send(service, requestOf(...parts, lost));
    expect([status, json.partialSuccess.rejectedSpans]).toEqual([200, "1"]);
  });

  it.each([
    ["no type", "{}", {}, 415],
    ["another type", "{}", { "content-type": "text/plain" }, 415],
    ["no JSON", "{", JSON_TYPE, 400],
    ["another document", '{"a":1}', JSON_TYPE, 400],
  ])("hears what is wrong as a status: %s", async (_, body, headers, status) => {
    const service = await startService();
    const answer = await service.ask("POST", "/v1/traces", { body, headers: headers as Record<string, string> });
    expect(answer.status).toBe(status);
    expect(answer.json.message).toMatch(/^It is not taken: /);
  });

  it("hears it in protobuf when it speaks protobuf", async () => {
    const service = await startService();
    const answer = await service.ask("POST", "/v1/traces", { body: Buffer.from([0xff, 0xff]), headers: PROTO_TYPE });
    expect([answer.status, answer.headers["content-type"]]).toEqual([400, "application/x-protobuf"]);
    const { encode } = await loadOtlpProtobuf();
    const message = "It is not taken: the body is not OTLP in protobuf.";
    expect(answer.bytes.equals(Buffer.from(encode("Failure", { code: 0, message })))).toBe(true);
  });

  it("is to send again what a store did not take, and less at once", async () => {
    const service = await startService({
      limits: { spans: 3 },
      store: (store) => ({ ...store, spans: { ...store.spans, append: () => Promise.reject(new Error("gone")) } }),
    });
    const [part] = partsOf("otlp/weather.json");
    const down = await send(service, requestOf(part!));
    expect([down.status, down.headers["retry-after"]]).toEqual([503, "1"]);
    const many = Array.from({ length: 4 }, (_, index) => ({
      ...part!,
      span: { ...part!.span, spanId: `a00000000000000${index}` },
    }));
    const large = await send(service, requestOf(...many));
    expect([large.status, large.json.message]).toEqual([413, expect.stringContaining("more than 3 spans")]);
  });
});
