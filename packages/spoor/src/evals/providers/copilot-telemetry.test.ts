/** Spans as the file exporters of Copilot CLI and of VS Code's Copilot Chat write them, one JSON of an SDK span per line. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "@spoor/core";
import { afterAll, describe, expect, it } from "vitest";
import { hasCalls } from "../read-printed.ts";
import { readTelemetry, telemetryUsage } from "./copilot-telemetry.ts";
import { vscodeProvider } from "./vscode.ts";

const folder = mkdtempSync(join(tmpdir(), "spoor-telemetry-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let spans = 0;
function span(name: string, attributes: JsonObject, trace = "a"): JsonObject {
  const id = String(++spans).padStart(16, "0");
  const resource = { attributes: { "service.name": "github-copilot" } };
  const times = { startTime: [1_794_000_000 + spans, 0], endTime: [1_794_000_000 + spans, 5_000_000] };
  const context = { traceId: trace.repeat(32), spanId: id };
  return { type: "span", ...context, name, kind: 0, ...times, attributes, status: { code: 0 }, events: [], resource };
}

const chat = (input: number, output: number, cached?: number, trace?: string) =>
  span(
    "chat m",
    {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "m",
      "gen_ai.usage.input_tokens": input,
      "gen_ai.usage.output_tokens": output,
      ...(cached === undefined ? {} : { "gen_ai.usage.cache_read.input_tokens": cached }),
    },
    trace,
  );
const tool = (name: string) =>
  span(`execute_tool ${name}`, {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": name,
    "gen_ai.tool.call.id": `call_${name}`,
    "gen_ai.tool.call.arguments": '{"path":"a.txt"}',
    "gen_ai.tool.call.result": "read",
  });
const metric = { type: "metric", name: "gen_ai.client.operation.duration", unit: "s", dataPoints: [] };

function file(name: string, values: readonly object[], end = "\n"): string {
  const path = join(folder, name);
  writeFileSync(path, values.map((value) => JSON.stringify(value)).join("\n") + end);
  return path;
}

describe("tokens", () => {
  it("are those of every call of the model; cached ones are told apart", async () => {
    const path = file("two.jsonl", [tool("view"), chat(100, 20, 10), chat(150, 30), metric]);
    expect(await telemetryUsage(path)).toEqual({ input_tokens: 240, output_tokens: 50, cached_input_tokens: 10 });
  });

  it("are those of a short run, which has more metrics than spans, and of a long one", async () => {
    const metrics = Array.from({ length: 20 }, () => metric);
    expect(await telemetryUsage(file("short.jsonl", [chat(100, 20), ...metrics]))).toEqual({
      input_tokens: 100,
      output_tokens: 20,
    });
    const many = Array.from({ length: 80 }, () => chat(10, 1));
    expect(await telemetryUsage(file("long.jsonl", many))).toEqual({ input_tokens: 800, output_tokens: 80 });
  });

  it("of traces beside the main one count as well", async () => {
    const path = file("traces.jsonl", [chat(100, 20, undefined, "a"), chat(7, 3, undefined, "b")]);
    expect(await telemetryUsage(path)).toEqual({ input_tokens: 107, output_tokens: 23 });
  });

  it("are absent when a call was not counted, when there is no file, and when nobody knows what it holds", async () => {
    const uncounted = span("chat m", { "gen_ai.operation.name": "chat", "gen_ai.request.model": "m" });
    expect(await telemetryUsage(file("hole.jsonl", [chat(100, 20), uncounted]))).toBeUndefined();
    expect(await telemetryUsage(join(folder, "nowhere.jsonl"))).toBeUndefined();
    expect(await telemetryUsage(file("other.jsonl", [{ hello: 1 }, { hello: 2 }]))).toBeUndefined();
  });

  it("are read from a file that breaks off in its last line", async () => {
    const path = file("torn.jsonl", [chat(100, 20), chat(50, 5)], '\n{"type":"span","traceId":"aa');
    expect(await telemetryUsage(path)).toEqual({ input_tokens: 150, output_tokens: 25 });
  });
});

describe("calls", () => {
  it("are there without any span of the model", async () => {
    const read = await readTelemetry(file("tools.jsonl", [tool("read_file"), tool("run_in_terminal")]));
    expect(hasCalls(read!)).toBe(true);
  });

  it("are there in one OTLP document of many lines", async () => {
    const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });
    const one = {
      traceId: "01".repeat(16),
      spanId: "01".repeat(8),
      name: "execute_tool read_file",
      startTimeUnixNano: "1770000000000000000",
      endTimeUnixNano: "1770000001000000000",
      attributes: [attribute("gen_ai.operation.name", "execute_tool"), attribute("gen_ai.tool.name", "read_file")],
    };
    const path = join(folder, "otlp.json");
    writeFileSync(path, JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [one] }] }] }, null, 2));
    expect(hasCalls((await readTelemetry(path))!)).toBe(true);
  });
});

describe("the editor", () => {
  /** Writes the answer that the request asks for, and what it is given as telemetry. */
  async function ask(telemetry: string) {
    const program = join(folder, "code");
    const source = join(folder, "source.jsonl");
    writeFileSync(source, telemetry);
    writeFileSync(
      program,
      `#!/bin/sh\nfor word; do case "$word" in */request.md) request="$word";; esac; done\ncp "${source}" "$COPILOT_OTEL_FILE_EXPORTER_PATH"\nprintf done > "$(dirname "$request")/response.md"\n`,
    );
    chmodSync(program, 0o755);
    const options = { executable: program, args: [], env: {}, mode: "agent", pollMs: 5 };
    const provider = vscodeProvider.open(options, folder);
    const request = {
      caseId: "c",
      run: 1,
      attempt: 1,
      messages: [],
      prompt: "Read",
      files: [],
      folder,
      isolated: false,
    };
    const { signal } = new AbortController();
    return provider.ask(
      { ...request, evalFile: "e.yaml" },
      { signal, env: process.env, activity: () => undefined, now: Date.now },
    );
  }

  it("tells its calls in spans of the SDK, one per line", async () => {
    const answer = await ask(`${[tool("read_file"), chat(1, 1)].map((line) => JSON.stringify(line)).join("\n")}\n`);
    expect(answer.problems).toBeUndefined();
    expect(answer.output !== undefined && "read" in answer.output && hasCalls(answer.output.read)).toBe(true);
  });

  it.each([
    ["that nobody can read", "not telemetry at all\n"],
    ["of another kind", '{"hello":1}\n{"hello":2}\n'],
  ])("says that there are no calls when it writes a file %s", async (_, telemetry) => {
    const answer = await ask(telemetry);
    expect(answer.problems).toEqual(["the editor's telemetry could not be read, so there are no tool calls"]);
  });
});
