/** What formats say they can tell is what their fixtures tell: nothing beyond it, and all of it in some fixture. */
import { readFileSync } from "node:fs";
import { buildTrace, type Trace } from "@spoor/core";
import { describe, expect, it } from "vitest";
import { importBytes, importSample, listFixtures, readSample } from "../../test/fixtures.ts";
import { type Format, type FormatField, formatFields } from "./format.ts";
import { formats } from "./formats.ts";

/** Their fixtures are one small run; the tests of their readers show the rest. */
const WIDER_THAN_FIXTURES: ReadonlySet<string> = new Set([
  ...["agentlog", "otlp", "otlp-protobuf", "tempo", "jaeger", "langfuse", "langsmith", "openai-agents"],
  ...["bedrock", "openai-chat", "tool-calls"],
]);

describe("what a format can tell", () => {
  it.each(formats.map((format) => ({ name: format.name, format })))("$name", async ({ format }) => {
    const told = new Set((await tracesOf(format)).flatMap(fieldsOf));
    expect([...told].filter((field) => !format.tells.includes(field))).toEqual([]);
    if (!WIDER_THAN_FIXTURES.has(format.name)) expect(format.tells.filter((field) => !told.has(field))).toEqual([]);
  });

  it.each(formats.map((format) => ({ name: format.name, format })))(
    "$name says where a file is found",
    ({ format }) => {
      expect(format.origin.length).toBeGreaterThan(10);
    },
  );
});

async function tracesOf(format: Format): Promise<Trace[]> {
  const fixtures = listFixtures().filter((fixture) => fixture.format === format.name);
  const traces: Trace[] = [];
  for (const { path } of fixtures) {
    const bytes = readFileSync(path);
    const sample = readSample(bytes);
    const imported = sample.bytes === undefined ? importSample(format, sample) : await importBytes(format, bytes);
    traces.push(...imported.map(({ records }) => buildTrace(records)));
  }
  return traces;
}

function fieldsOf(trace: Trace): FormatField[] {
  const { turns, toolCalls } = trace;
  const has: Record<FormatField, boolean> = {
    results: toolCalls.some((call) => call.output !== undefined),
    errors: toolCalls.some((call) => call.status === "error"),
    times:
      trace.records.some((record) => record.ts !== undefined) ||
      toolCalls.some((call) => call.durationMs !== undefined),
    tokens: turns.some((turn) => turn.usage !== undefined),
    "sub-agents": [...turns, ...toolCalls].some((done) => done.agent !== undefined),
    requests: turns.some(
      ({ system, offeredTools, settings }) =>
        system !== undefined || offeredTools !== undefined || settings !== undefined,
    ),
  };
  return formatFields.filter((field) => has[field]);
}
