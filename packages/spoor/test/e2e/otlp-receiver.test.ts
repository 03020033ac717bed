/**
 * The real OpenTelemetry exporters, in both encodings, before the real receiver in a process of its own: what they were told is
 * kept is there after that process was killed. Installed on demand; where they cannot be, the tests say so and skip.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadTraces } from "../../src/load/load-traces.ts";
import { installPackages } from "./agent-cache.ts";
import { runSpoor } from "./run-spoor.ts";

const packages = [
  "@opentelemetry/api@1.9.1",
  "@opentelemetry/sdk-trace@2.12.1",
  "@opentelemetry/exporter-trace-otlp-http@0.223.1",
  "@opentelemetry/exporter-trace-otlp-proto@0.223.1",
];
const { modules, why } = installPackages(packages);
if (modules === undefined) console.warn(`the exporters are not tested: ${why}`);

let folder: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "spoor-otlp-e2e-"));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

/** A process that receives until it is killed, or told to end; resolves with its address. */
async function startReceiver(): Promise<{ child: ChildProcess; url: string; ended: Promise<unknown> }> {
  const receiver = pathToFileURL(join(import.meta.dirname, "../../dist/record/otlp/otlp-receiver.js")).href;
  const program = `
    import { createServer } from "node:http";
    import { createOtlpReceiver } from ${JSON.stringify(receiver)};
    const receiver = await createOtlpReceiver({ folder: ${JSON.stringify(join(folder, "recording"))} });
    const server = createServer((request, response) => void receiver.handle(request, response));
    server.listen(0, "127.0.0.1", () => console.log("http://127.0.0.1:" + server.address().port));
    process.on("SIGTERM", async () => { await receiver.close(); process.exit(0); });
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const ended = new Promise((done) => child.once("exit", done));
  const url = await new Promise<string>((done) =>
    child.stdout!.once("data", (line: Buffer) => done(String(line).trim())),
  );
  return { child, url, ended };
}

const rooted = (spans: number) => `
    const root = tracer.startSpan("invoke_agent support", { attributes: { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "support" } });
    const within = trace.setSpan(context.active(), root);
    for (let index = 0; index < ${spans}; index++) {
      tracer.startSpan("execute_tool", { attributes: {
        "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": index === 0 ? "lookup_order" : "issue_refund",
        "gen_ai.tool.call.id": "call-" + index, "gen_ai.tool.call.arguments": JSON.stringify({ order_id: "A-" + index, big: 9007199254740993n.toString() }),
      } }, within).end();
    }
    root.end();
`;

/** Two runs at once, as a program sends them that only has its client instrumented: every call is a trace of its own. */
const ROOTLESS = `
    const text = (role, content) => ({ role, parts: [{ type: "text", content }] });
    // Calls take time; the clock of the SDK counts milliseconds.
    let clock = Date.UTC(2026, 0, 5);
    const did = (name, attributes) => tracer.startSpan(name, { attributes, startTime: (clock += 10) }).end((clock += 10));
    const histories = ["Where is order 1?", "Cancel order 2."].map((question) => [text("user", question)]);
    for (let turn = 0; turn < 3; turn++) for (const [run, said] of histories.entries()) {
      const id = "call-" + run + "-" + turn;
      const input = { order: id };
      const answer = turn === 2 ? text("assistant", "Done.") : { role: "assistant", parts: [{ type: "tool_call", id, name: "lookup_order", arguments: input }] };
      did("chat m", {
        "gen_ai.operation.name": "chat", "gen_ai.request.model": "m",
        "gen_ai.input.messages": JSON.stringify(said), "gen_ai.output.messages": JSON.stringify([answer]),
      });
      if (turn === 2) continue;
      did("execute_tool lookup_order", {
        "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "lookup_order", "gen_ai.tool.call.id": id,
        "gen_ai.tool.call.arguments": JSON.stringify(input), "gen_ai.tool.call.result": JSON.stringify("found"),
      });
      said.push(answer, { role: "tool", parts: [{ type: "tool_call_response", id, response: "found" }] });
    }
`;

/** An agent of three spans, exported as an application does it; the exit code says whether the exporter was told yes. */
async function runAgent(
  url: string,
  encoding: "http" | "proto",
  more: { readonly spans?: number; readonly gzip?: boolean; readonly isRootless?: boolean } = {},
) {
  const program = `
    import { context, trace } from "@opentelemetry/api";
    import { TracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace";
    import { resourceFromAttributes } from "@opentelemetry/resources";
    import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-${encoding}";
    const exporter = new OTLPTraceExporter({ url: process.env.URL_OF_RECEIVER + "/v1/traces", ${more.gzip ? 'compression: "gzip",' : ""} timeoutMillis: 20000 });
    const results = [];
    const send = exporter.export.bind(exporter);
    exporter.export = (spans, done) => send(spans, (result) => { results.push(result.code); done(result); });
    const provider = new TracerProvider({
      resource: resourceFromAttributes({ "service.name": "support_agent" }),
      spanProcessors: [new BatchSpanProcessor({ exporter, maxQueueSize: 5000 })],
    });
    const tracer = provider.getTracer("test");
    ${more.isRootless ? ROOTLESS : rooted(more.spans ?? 2)}
    await provider.forceFlush();
    await provider.shutdown();
    process.exit(results.length > 0 && results.every((code) => code === 0) ? 0 : 1);
  `;
  // Beside the packages, so that they are found.
  const file = join(modules!, "..", `agent-${process.pid}-${encoding}.mjs`);
  writeFileSync(file, program);
  const child = spawn(process.execPath, [file], { env: { ...process.env, URL_OF_RECEIVER: url }, stdio: "inherit" });
  children.push(child);
  const code = await new Promise((done) => child.once("exit", done));
  rmSync(file);
  return code;
}

const traceFiles = () => readdirSync(join(folder, "recording")).filter((name) => name.endsWith(".agentlog"));

async function calls(): Promise<string[]> {
  const traces = await loadTraces(traceFiles().map((name) => join(folder, "recording", name)));
  return traces.flatMap((trace) => trace.toolCalls.map(({ name }) => name));
}

describe.skipIf(modules === undefined)("OpenTelemetry exporters", () => {
  it.each([
    ["JSON", "http", false],
    ["protobuf", "proto", false],
    ["protobuf in gzip", "proto", true],
  ] as const)("send %s, and the trace has every call", async (_name, encoding, gzip) => {
    const { child, url, ended } = await startReceiver();
    expect(await runAgent(url, encoding, { gzip })).toBe(0);
    child.kill("SIGTERM");
    await ended;
    expect(traceFiles()).toEqual(["conversation-1.agentlog"]);
    const shown = await runSpoor(["verify", "conversation-1.agentlog"], { cwd: join(folder, "recording") });
    expect(shown.code).toBe(0);
    expect(await calls()).toEqual(["lookup_order", "issue_refund"]);
    expect(existsSync(join(folder, "recording", ".run", "otlp.journal"))).toBe(false);
  });

  it("send calls without a span around them, and each run is one file", async () => {
    const { child, url, ended } = await startReceiver();
    expect(await runAgent(url, "proto", { isRootless: true })).toBe(0);
    child.kill("SIGTERM");
    await ended;
    const traces = await loadTraces(traceFiles().map((name) => join(folder, "recording", name)));
    expect(
      traces.map(({ turns, toolCalls }) => [turns.length, toolCalls.map(({ id, output }) => [id, output])]),
    ).toEqual([0, 1].map((run) => [3, [0, 1].map((turn) => [`call-${run}-${turn}`, "found"])]));
  });

  it("lose nothing that was acknowledged when the receiver is killed; verify --repair writes it", async () => {
    const { child, url, ended } = await startReceiver();
    expect(await runAgent(url, "proto", { spans: 1200 })).toBe(0);
    child.kill("SIGKILL");
    await ended;
    expect(traceFiles()).toEqual([]);
    const { code, stdout } = await runSpoor(["verify", "--repair", "recording"], { cwd: folder });
    expect([code, stdout.split("\n")[0]]).toEqual([
      0,
      "! recording: 1,201 spans of a receiver that was ended are written: 1 trace",
    ]);
    expect(await calls()).toHaveLength(1200);
  });
});
