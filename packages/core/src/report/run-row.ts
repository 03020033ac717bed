/** One run as a line of a list: enough to find it, and to see what it did. */
import { present } from "../trace/present.ts";
import type { Trace } from "../trace/trace.ts";
import { firstUserText } from "../trace/user-text.ts";
import { elapsedMs, usedTokens } from "./trace-totals.ts";

export interface RunRow {
  readonly key: string;
  readonly name: string;
  readonly path?: string;
  readonly agent?: string;
  readonly scenario?: string;
  /** The beginning of what the user asked. */
  readonly ask?: string;
  readonly turns: number;
  readonly calls: number;
  readonly failed: number;
  readonly elapsedMs?: number;
  readonly tokens?: number;
  /** The tools it called, each once, in the order in which it first did. */
  readonly tools: readonly string[];
}

const ASK = 160;

export function buildRunRow(trace: Trace): RunRow {
  const ask = firstUserText(trace.turns[0]).trim().slice(0, ASK);
  return present({
    key: trace.key,
    name: trace.name,
    path: trace.source.path,
    agent: trace.agent,
    scenario: trace.scenario,
    ask: ask === "" ? undefined : ask,
    turns: trace.turns.length,
    calls: trace.toolCalls.length,
    failed: trace.toolCalls.filter((call) => call.status === "error").length,
    elapsedMs: elapsedMs(trace),
    tokens: usedTokens(trace)?.total,
    tools: [...new Set(trace.toolCalls.map(({ name }) => name))],
  });
}
