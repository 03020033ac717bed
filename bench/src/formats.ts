/** Transcripts → traces, against bare JSON.parse of the same lines. */
import { buildTrace } from "@spoor/core/internal/trace/build-trace";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import type { Format } from "spoor/internal/formats/format";
import { formats } from "spoor/internal/formats/formats";
import { type Benchmark, type BenchmarkRow, cpuSeconds } from "./benchmark.ts";
import { formatDocuments } from "./format-documents.ts";

const TURNS = 20_000;
const DOCUMENT_TURNS = 5000;
const CONTEXT = {
  file: "bench",
  lenient: false,
  fail: (message: string): never => {
    throw new Error(message);
  },
};

export const formatsBenchmark: Benchmark = {
  name: "formats",
  promise: "a transcript becomes a trace for at most 4 times bare JSON.parse of its lines",
  async run() {
    const rows: BenchmarkRow[] = [];
    for (const [name, lines] of transcripts()) {
      const format = formats.find((candidate) => candidate.name === name)!;
      const floor = await cpuSeconds(() => lines.map((line) => JSON.parse(line)));
      const ours = await cpuSeconds(() => readTrace(format, lines));
      const megabytes = (lines.reduce((sum, line) => sum + line.length, 0) / 1e6).toFixed(0);
      rows.push({
        what: `${name}, ${TURNS} turns in ${megabytes} MB`,
        measured: `${(ours / floor).toFixed(2)} times`,
        against: `JSON.parse of the same lines, ${floor.toFixed(2)} s`,
        kept: ours <= 4 * floor,
      });
    }
    for (const [name, text] of formatDocuments(DOCUMENT_TURNS)) {
      const format = formats.find((candidate) => candidate.name === name)!;
      const floor = await cpuSeconds(() => JSON.parse(text));
      const ours = await cpuSeconds(() => readDocument(format, text));
      rows.push({
        what: `${name}, ${DOCUMENT_TURNS} turns in ${(text.length / 1e6).toFixed(0)} MB`,
        measured: `${(ours / floor).toFixed(2)} times`,
        against: `JSON.parse of the same text, ${floor.toFixed(2)} s`,
        kept: ours <= 4 * floor,
      });
    }
    return rows;
  },
};

function readTrace(format: Format, lines: readonly string[]): number {
  const reader = format.openLines!(CONTEXT);
  for (const [index, line] of lines.entries()) reader.line(parseJson(line), index + 1);
  return reader.finish().reduce((sum, { records }) => sum + buildTrace(records).turns.length, 0);
}

function readDocument(format: Format, text: string): number {
  const traces = format.readDocument!(parseJson(text), CONTEXT);
  return traces.reduce((sum, { records }) => sum + buildTrace(records).turns.length, 0);
}

/** One long session each: a call with its arguments and a result of about 2 KB, again and again. */
function transcripts(): [string, string[]][] {
  const result = "The quick brown fox jumps over the lazy dog. ".repeat(45);
  const stamp = (index: number) => new Date(Date.UTC(2026, 0, 5) + index * 1000).toISOString();
  const claude: string[] = [];
  const codex: string[] = [];
  const push = (into: string[], value: unknown) => into.push(JSON.stringify(value));
  for (let index = 0; index < TURNS; index++) {
    const input = { command: `npm run step-${index}`, description: "A step" };
    const common = { sessionId: "s", isSidechain: false, cwd: "/home/dev", version: "2.0.0", timestamp: stamp(index) };
    const usage = { input_tokens: 3, output_tokens: 90, cache_read_input_tokens: 1000 };
    const call = { type: "tool_use", id: `t${index}`, name: "Bash", input };
    const message = {
      id: `m${index}`,
      role: "assistant",
      model: "claude",
      content: [call],
      stop_reason: "tool_use",
      usage,
    };
    push(claude, { ...common, type: "assistant", uuid: `a${index}`, parentUuid: `u${index - 1}`, message });
    const content = [{ type: "tool_result", tool_use_id: `t${index}`, content: result }];
    push(claude, {
      ...common,
      type: "user",
      uuid: `u${index}`,
      parentUuid: `a${index}`,
      message: { role: "user", content },
    });
    const item = (payload: unknown) => ({ timestamp: stamp(index), type: "response_item", payload });
    push(codex, item({ type: "function_call", name: "shell", arguments: JSON.stringify(input), call_id: `t${index}` }));
    push(codex, item({ type: "function_call_output", call_id: `t${index}`, output: result }));
  }
  return [
    ["claude-code", claude],
    ["codex-rollout", codex],
  ];
}
