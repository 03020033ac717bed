/** NaN and Infinity, which Python writes into JSON, in recordings of any kind. */
import { gzipSync } from "node:zlib";
import { coverageOf } from "@spoor/core/internal/report/coverage";
import { describe, expect, it } from "vitest";
import { loadTraceFile } from "./load-traces.ts";
import { readTrace, readTraceValue } from "./read-trace.ts";

const message = '{"role": "assistant", "tool_calls": [{"tool": "a", "input": {"deep": [{"x": NaN, "y": 1}]}}]}';
const document = `{"score": -Infinity, "output_messages": [${message}, {"role": "assistant", "content": "NaN and \\"Infinity\\""}]}`;

const files: readonly {
  readonly name: string;
  readonly text: string;
  readonly traces: number;
  readonly notNumbers: number;
}[] = [
  { name: "a document", text: document, traces: 1, notNumbers: 2 },
  { name: "a document over several lines", text: document.replaceAll(", ", ",\n  "), traces: 1, notNumbers: 2 },
  { name: "a line", text: `${document}\n`, traces: 1, notNumbers: 2 },
  { name: "several lines", text: `${document}\n${document}\n`, traces: 2, notNumbers: 4 },
  {
    name: "a first line without any",
    text: `${document.replace(/NaN, "y"|-Infinity/g, (found) => (found.startsWith("N") ? '1, "y"' : "1"))}\n${document}\n`,
    traces: 2,
    notNumbers: 2,
  },
];

it.each(files)("$name, plain and gzipped", async ({ text, traces, notNumbers }) => {
  for (const bytes of [Buffer.from(text), gzipSync(text)]) {
    const read = await loadTraceFile("run.json", { bytes });
    expect(read).toHaveLength(traces);
    expect(coverageOf(read).notNumbers).toBe(notNumbers);
    expect(read.at(-1)!.toolCalls[0]!.input).toEqual({ deep: [{ y: 1 }] });
    expect(read.at(-1)!.turns.at(-1)!.text).toMatch(/^NaN and "Infinity"$/);
  }
});

it("the same value in memory is the same trace", async () => {
  const call = { tool: "a", input: { x: Number.NaN, list: [1, Number.POSITIVE_INFINITY] } };
  const text = '{"tool_calls": [{"tool": "a", "input": {"x": NaN, "list": [1, Infinity]}}]}';
  expect(readTraceValue({ tool_calls: [call] }).toolCalls).toEqual((await readTrace(text)).toolCalls);
});

it("a recording that is no JSON for another reason is still refused with its place", async () => {
  await expect(loadTraceFile("run.json", { bytes: Buffer.from('{"a": NaN, "b": }') })).rejects.toMatchObject({
    code: "trace.bad-json",
    at: { line: 1, column: 17 },
  });
});

describe("files that Python wrote", () => {
  it.each([
    {
      name: "an Inspect log whose score is NaN",
      text: '{"eval": {"task": "t"}, "results": {"scores": [{"value": NaN}]}, "samples": [{"id": 1, "epoch": 1, "scores": {"s": {"value": NaN}}, "messages": [{"role": "assistant", "content": "hi"}]}]}',
      count: 2,
    },
    {
      name: "tau-bench results with an infinite cost",
      text: '[{"task_id": 1, "reward": Infinity, "info": {"cost": -Infinity}, "traj": [{"role": "user", "content": "?"}, {"role": "assistant", "content": "hi"}], "trial": 0}]',
      count: 2,
    },
    {
      name: "a line of chat messages with a NaN beside it",
      text: '{"messages": [{"role": "user", "content": "?"}, {"role": "assistant", "content": "hi"}], "logprob": NaN}\n',
      count: 1,
    },
  ])("$name is read, and the count is told", async ({ text, count }) => {
    const [trace] = await loadTraceFile("x.json", { bytes: Buffer.from(text) });
    expect(trace!.turns.map((turn) => turn.text)).toEqual(["hi"]);
    expect(trace!.source.notNumbers).toBe(count);
  });
});
