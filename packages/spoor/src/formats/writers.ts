/** Formats Spoor writes. A writer takes traces and gives text; ids and links are made where the format has them. */
import type { Trace } from "@spoor/core";
import { blindTrace } from "@spoor/core/internal/fingerprint/content-blind";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import { agentlogLines } from "./agentlog.ts";
import { writeAgentv } from "./write-agentv.ts";
import { writeOtlp } from "./write-otlp.ts";

export interface Writer {
  readonly name: string;
  readonly title: string;
  /** Recognised by the end of the output's name. */
  readonly extensions: readonly string[];
  /** Whether one file can hold several traces. */
  readonly several: boolean;
  /** The file piece by piece, so that no trace is too long to be written. */
  write(traces: readonly Trace[]): Iterable<string>;
}

export const writers: readonly Writer[] = [
  {
    name: "agentlog",
    title: "Agent log",
    extensions: [".agentlog"],
    several: false,
    *write(traces) {
      for (const trace of traces) yield* agentlogLines(trace.records);
    },
  },
  {
    name: "otlp",
    title: "OpenTelemetry spans (OTLP JSON)",
    extensions: [".otlp.json"],
    several: true,
    write: (traces) => [writeOtlp(traces)],
  },
  {
    name: "agentv",
    title: "AgentV JSONL",
    extensions: [".agentv.jsonl"],
    several: true,
    write: (traces) => [writeAgentv(traces)],
  },
  {
    name: "content-blind",
    title: "Content-blind trace: names, counts, times and hashes",
    extensions: [".blind.jsonl"],
    several: false,
    *write(traces) {
      for (const line of traces.flatMap(blindTrace)) yield `${stringifyJson(line)}\n`;
    },
  },
];
