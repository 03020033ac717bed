/**
 * Real telemetry: what each reader finds equals the counts of SOURCE.md, or the difference is said here; the same trace
 * survives the way through `.agentlog`, OTLP JSON and OTLP protobuf.
 */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import {
  buildTrace,
  type Json,
  type JsonObject,
  parseJson,
  SpoorError,
  type Trace,
  type TraceRecord,
} from "@spoor/core";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import protobuf from "protobufjs";
import { describe, expect, it } from "vitest";
import { onShared, sharedExists, sharedFolder } from "../../core/test/shared.ts";
import { agentlog, writeAgentlog } from "../src/formats/agentlog.ts";
import { agentv } from "../src/formats/agentv.ts";
import type { ReadContext } from "../src/formats/format.ts";
import { otlpJson } from "../src/formats/otel/otlp-json.ts";
import { OTLP_PROTO } from "../src/formats/otel/otlp-proto-text.ts";
import { otlpProtobuf } from "../src/formats/otel/otlp-protobuf.ts";
import { writeAgentv } from "../src/formats/write-agentv.ts";
import { writeOtlp } from "../src/formats/write-otlp.ts";
import { loadTraceFile } from "../src/load/load-traces.ts";

const otel = "otel-genai";
const langfuse = "langfuse-frameworks";
const mixed = "formats-2";

/** Numbers of the tables in SOURCE.md; `why` explains where ours differ and `ours` gives them. */
const files = [
  { file: `${otel}/jaeger-helm.json.gz`, format: "jaeger", turns: 2, calls: 1, most: 1 },
  { file: `${otel}/jaeger-k8s.json.gz`, format: "jaeger", turns: 1, calls: 0, most: 0 },
  { file: `${otel}/otlp-helm.json.gz`, format: "otlp", turns: 2, calls: 1, most: 1 },
  { file: `${otel}/tempo-helm.json.gz`, format: "tempo", turns: 2, calls: 1, most: 1 },
  {
    file: `${langfuse}/agno-2025-06-11.trace.json.gz`,
    format: "langfuse",
    // SOURCE.md counts 4 generations, but two instrumentations recorded each call: OpenAIChat.invoke > chat gpt-4o-mini.
    // Nested spans of one model call are one turn.
    turns: 2,
    calls: 1,
    most: 1,
  },
  { file: `${langfuse}/autogen-2025-06-06.trace.json.gz`, format: "langfuse", turns: 1, calls: 0, most: 0 },
  { file: `${langfuse}/claude-agent-2025-12-22.trace.json.gz`, format: "langfuse", turns: 4, calls: 2, most: 1 },
  { file: `${langfuse}/google-adk-2025-08-28.trace.json.gz`, format: "langfuse", turns: 2, calls: 1, most: 1 },
  { file: `${langfuse}/google-gemini-2025-08-01.trace.json.gz`, format: "langfuse", turns: 1, calls: 0, most: 0 },
  { file: `${langfuse}/langgraph-js-2025-10-30.trace.json.gz`, format: "langfuse", turns: 2, calls: 1, most: 1 },
  {
    file: `${langfuse}/langgraph-python-2025-08-22.trace.json.gz`,
    format: "langfuse",
    turns: 2,
    // SOURCE.md counts none: the call stands under additional_kwargs.tool_calls, where LangChain for Python keeps it,
    // and the observation Web-Search shows it running.
    calls: 1,
    most: 1,
  },
  { file: `${langfuse}/llamaindex-2025-06-05.trace.json.gz`, format: "langfuse", turns: 1, calls: 0, most: 0 },
  { file: `${langfuse}/pydantic-ai-2025-06-06.trace.json.gz`, format: "langfuse", turns: 1, calls: 0, most: 0 },
  { file: `${langfuse}/pydantic-ai-tools-2025-06-06.trace.json.gz`, format: "langfuse", turns: 1, calls: 0, most: 0 },
  { file: `${langfuse}/pydantic-ai-tools-2025-12-04.trace.json.gz`, format: "langfuse", turns: 4, calls: 4, most: 3 },
];

const context: ReadContext = {
  file: "corpus",
  lenient: false,
  fail(message) {
    throw new Error(message);
  },
};

describe.skipIf(!sharedExists)(onShared("real telemetry"), () => {
  it.each(files)("$file: $turns responses, $calls calls", async ({ file, format, turns, calls, most }) => {
    const traces = await loadTraceFile(join(sharedFolder, "corpora", file));
    expect(traces).toHaveLength(1);
    const [trace] = traces as [Trace];
    expect(trace.source.format).toBe(format);
    expect(trace.turns).toHaveLength(turns);
    expect(trace.toolCalls).toHaveLength(calls);
    expect(Math.max(...trace.turns.map((turn) => turn.toolCalls.length))).toBe(most);
    expect(trace.toolCalls.filter((call) => call.status === "error")).toEqual([]);
    expect(trace.source.unknown).toBeUndefined();
    for (const turn of trace.turns) {
      expect(turn.durationMs).toBeGreaterThan(0);
      expect(turn.response["usage"]).toHaveProperty("input_tokens");
      expect(turn.response["content"]).not.toEqual([]);
    }
  });

  it.each(files)("$file keeps everything through .agentlog", async ({ file }) => {
    const [trace] = (await loadTraceFile(join(sharedFolder, "corpora", file))) as [Trace];
    const again = buildTrace(readLines(writeAgentlog(trace.records)));
    expect(again.turns.map(withoutIds)).toEqual(trace.turns.map(withoutIds));
    expect(again.toolCalls).toEqual(trace.toolCalls);
    expect(again.steps).toEqual(trace.steps);
    expect([again.id, again.agent]).toEqual([trace.id, trace.agent]);
  });

  it.each(files)("$file keeps turns, calls and durations through OTLP JSON and AgentV", async ({ file }) => {
    const [trace] = (await loadTraceFile(join(sharedFolder, "corpora", file))) as [Trace];
    const otlp = otlpJson.readDocument!(parseJson(writeOtlp([trace])), context);
    expect(otlp).toHaveLength(1);
    expect(summary(buildTrace(otlp[0]!.records))).toEqual(summary(trace));
    const lines = agentv.openLines!(context);
    lines.line(parseJson(writeAgentv([trace])), 1);
    expect(summary(buildTrace(lines.finish()[0]!.records))).toEqual(summary(trace));
  });

  it.each(otherCorpora())("%s: real traces of other formats survive the writers too", async (path) => {
    // Every chat span repeats the conversation so far: sessions of hundreds of turns only cost time here.
    const traces = (await loadTraceFile(join(sharedFolder, "corpora", path))).filter(
      (trace) => trace.turns.length < 150,
    );
    for (const trace of traces.slice(0, 3)) {
      const [otlp] = otlpJson.readDocument!(parseJson(writeOtlp([trace])), context);
      const [results] = agentv.readDocument!(parseJson(writeAgentv([trace])), context);
      for (const imported of [otlp!, results!]) {
        expect(imported.unknown).toBeUndefined();
        expect(outline(buildTrace(imported.records))).toBe(outline(trace));
      }
    }
  });

  it.each(mixedFiles())("%s is read with its turns, or refused with a reason", async (file) => {
    const path = join(sharedFolder, "corpora", mixed, file);
    const outcome = await loadTraceFile(path).catch((error: unknown) => error);
    if (outcome instanceof SpoorError) expect(outcome.code).toMatch(/^(trace|input)\./);
    else expect((outcome as Trace[]).some((trace) => trace.turns.length > 0 || trace.toolCalls.length > 0)).toBe(true);
  });

  it("gives the right answer for the OTLP sample that other tools get wrong: 2 model calls, 1 tool run", async () => {
    const [trace] = (await loadTraceFile(join(sharedFolder, "corpora", otel, "otlp-helm.json.gz"))) as [Trace];
    expect(trace.steps.map((step) => step.kind)).toEqual(["llm", "tool", "llm"]);
    expect(trace.turns.map((turn) => turn.response["stop_reason"])).toEqual(["tool_use", "end_turn"]);
    const [call] = trace.toolCalls;
    expect(call).toMatchObject({ name: "helm_list_releases", input: {}, status: "ok", durationMs: 75.584 });
    expect(call!.id).toBe("call_w0eKlvnaE7S9GQJeSSs0gn05");
    expect(JSON.stringify(call!.output)).toContain("NAMESPACE");
    expect(trace.agent).toBe("helm_agent");
  });

  it("reads the same trace from Tempo's export and from OTLP", async () => {
    const [tempo] = (await loadTraceFile(join(sharedFolder, "corpora", otel, "tempo-helm.json.gz"))) as [Trace];
    const [otlp] = (await loadTraceFile(join(sharedFolder, "corpora", otel, "otlp-helm.json.gz"))) as [Trace];
    expect(otlp.records).toEqual(tempo.records);
  });

  it("reads the same records from protobuf as from JSON", async () => {
    const path = join(sharedFolder, "corpora", otel, "otlp-helm.json.gz");
    const document = parseJson(gunzipSync(readFileSync(path)).toString("utf8"));
    const expected = otlpJson.readDocument!(document, context);
    const read = await otlpProtobuf.readBytes!(encodeOtlp(document as JsonObject), context);
    expect(read).toEqual(expected);
  });
});

/** Files of many tools, some of which no reader knows yet. */
function mixedFiles(): string[] {
  const folder = join(sharedFolder, "corpora", mixed);
  return sharedExists && existsSync(folder) ? readdirSync(folder).filter((file) => file !== "SOURCE.md") : [];
}

function otherCorpora(): string[] {
  if (!sharedExists) return [];
  const folder = join(sharedFolder, "corpora");
  const corpora = readdirSync(folder).filter((name) => name !== otel && name !== langfuse && name !== mixed);
  return corpora.flatMap((name) =>
    readdirSync(join(folder, name))
      .filter((file) => file.endsWith(".gz"))
      .map((file) => `${name}/${file}`),
  );
}

/** Everything but words: what was done, by whom, in which order, how long it took and how it ended. */
function outline(trace: Trace): string {
  const seen = {
    steps: trace.steps.map(({ kind, target, status, durationMs, agent }) => [kind, target, status, durationMs, agent]),
    calls: trace.toolCalls.map(({ id, name, input, output, turnIndex, startedAt }) => [
      id,
      name,
      input,
      output,
      turnIndex,
      startedAt,
    ]),
    parents: trace.turns.map((turn) => turn.parentCallId),
  };
  return stringifyJson(seen as unknown as Json);
}

function readLines(text: string): readonly TraceRecord[] {
  const reader = agentlog.openLines!(context);
  for (const [index, line] of text.trimEnd().split("\n").entries()) reader.line(parseJson(line), index + 1);
  return reader.finish()[0]!.records;
}

/** Record ids exist only once a trace has been written. */
function withoutIds({ requestId: _request, responseId: _response, ...turn }: Trace["turns"][number]): unknown {
  return turn;
}

function summary(trace: Trace): unknown {
  return {
    turns: trace.turns.map(({ durationMs, agent, parentCallId, response }) => {
      return { durationMs, agent, parentCallId, text: response["content"], model: response["model"] };
    }),
    calls: trace.toolCalls.map(({ name, input, output, status, durationMs, turnIndex, startedAt }) => {
      return { name, input, output, status, durationMs, turnIndex, startedAt };
    }),
  };
}

/** OTLP JSON as bytes, by protobufjs and the published field numbers. */
function encodeOtlp(document: JsonObject): Uint8Array {
  const type = protobuf.parse(OTLP_PROTO).root.lookupType("TracesData");
  const text = JSON.stringify(document, (key, value: unknown) => {
    if (typeof value === "bigint") return value.toString();
    if (key === "kind" && typeof value === "string")
      return ["INTERNAL", "SERVER", "CLIENT"].indexOf(value.slice(10)) + 1;
    const isId = key === "traceId" || key === "spanId" || key === "parentSpanId";
    return isId ? Buffer.from(value as string, "hex").toString("base64") : value;
  });
  return type.encode(type.fromObject(JSON.parse(text) as Record<string, unknown>)).finish();
}
