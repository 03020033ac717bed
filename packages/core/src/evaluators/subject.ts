/** A run as evaluators see it: one trace, whether it was just made or recorded long ago. */
import { vocabularyOf } from "../text/builtin-tools.ts";
import { buildTrace } from "../trace/build-trace.ts";
import { contentText } from "../trace/content.ts";
import { extended } from "../trace/extended.ts";
import { isObject, type Json, member } from "../trace/json.ts";
import { readUsage } from "../trace/read-exchange.ts";
import type { Trace, Turn, Usage } from "../trace/trace.ts";
import type { EvaluationSubject, EvaluationTask, MissingFigures, TokenUsage } from "./evaluation.ts";

/** `trace` is undefined when whoever ran the agent gave none. */
export function subjectOfTrace(trace: Trace | undefined, task: EvaluationTask = {}): EvaluationSubject {
  if (trace === undefined) {
    return { toolCalls: [], hasTrace: false, answer: "", trace: () => buildTrace([]), task };
  }
  const durationMs = durationOf(trace);
  const costUsd = costOf(trace);
  const tokenUsage = tokensOf(trace);
  const vocabulary = vocabularyOf([trace.source?.format, trace.agent]);
  return {
    toolCalls: trace.toolCalls,
    ...(vocabulary === undefined ? {} : { vocabulary }),
    hasTrace: trace.turns.length > 0 || trace.toolCalls.length > 0 || trace.steps.length > 0,
    answer: task.conversation ? everyText(trace) : lastText(trace),
    ...(trace.turns.length === 0 ? {} : { llmCalls: trace.turns.length }),
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(tokenUsage === undefined ? {} : { tokenUsage }),
    // Words that hardly anybody asks for.
    missing: () => missingFigures(trace),
    trace: () => trace,
    task: task.question === undefined ? extended(questionOf(trace), task) : task,
  };
}

/** What the agent finally said: the last text of the main agent; of a sub-agent only when nobody else said anything. */
export function lastText({ turns }: Trace): string {
  const isMain = (turn: Turn) => turn.agent === undefined && turn.parentCallId === undefined;
  const speaks = (turn: Turn) => turn.text !== "";
  return (turns.filter(isMain).findLast(speaks) ?? turns.findLast(speaks))?.text ?? "";
}

/** Everything the main agent said, a paragraph for each turn of the model that says something. */
function everyText({ turns }: Trace): string {
  const main = turns.filter((turn) => turn.agent === undefined && turn.parentCallId === undefined && turn.text !== "");
  return main.map((turn) => turn.text).join("\n\n");
}

/** What the source says about the whole run, under either of the places where formats keep it. */
function stated(trace: Trace, key: string): Json | undefined {
  return member(trace.metadata, key) ?? member(member(trace.metadata, "labels"), key);
}

/** From the first to the last reading of the clock; without one the recorded times of all steps together, if all have one. */
function durationOf(trace: Trace): number | undefined {
  const written = stated(trace, "duration_ms");
  if (typeof written === "number") return written;
  const elapsed = elapsedByClock(trace);
  if (elapsed !== undefined) return elapsed;
  const times = [...trace.turns, ...trace.toolCalls].map((step) => step.durationMs);
  return sumOfAll(times);
}

function elapsedByClock({ records, turns }: Trace): number | undefined {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  const see = (ts: string | undefined, durationMs = 0) => {
    const time = Date.parse(ts ?? "");
    if (Number.isNaN(time)) return;
    first = Math.min(first, time);
    last = Math.max(last, time + durationMs);
  };
  for (const record of records) see(record.ts);
  for (const turn of turns) see(turn.ts, turn.durationMs);
  return last > first ? last - first : undefined;
}

function costOf(trace: Trace): number | undefined {
  const total = stated(trace, "cost_usd") ?? stated(trace, "total_cost_usd");
  if (typeof total === "number") return total;
  return sumOfAll(trace.turns.map((turn) => turn.costUsd));
}

/** The run's own total, else the sum over turns when every turn has its counts: with holes it would look cheaper. */
function tokensOf(trace: Trace): TokenUsage | undefined {
  const total = readUsage(stated(trace, "usage"));
  const usages = total === undefined ? trace.turns.map((turn) => turn.usage) : [total];
  const input = sumOfAll(usages.map((usage) => usage?.inputTokens));
  const output = sumOfAll(usages.map((usage) => usage?.outputTokens));
  if (input === undefined || output === undefined) return undefined;
  const sum = (key: keyof Usage) => usages.reduce((count, usage) => count + (usage?.[key] ?? 0), 0);
  // Tokens written to a cache are input that was paid for; thinking is output.
  const written = sum("cachedWrite5mTokens") + sum("cachedWrite1hTokens");
  const cached = sum("cachedInputTokens");
  const spoken = output + sum("thinkingTokens");
  return { input: input + written, output: spoken, ...(cached === 0 ? {} : { cached }) };
}

function missingFigures(trace: Trace): MissingFigures {
  const count = (lacks: (turn: Turn) => boolean) =>
    `${trace.turns.filter(lacks).length} of ${trace.turns.length} turns`;
  return {
    tokens: `${count((turn) => turn.usage?.outputTokens === undefined)} have no token counts`,
    cost: `${count((turn) => turn.costUsd === undefined)} have no cost`,
    duration: `${count((turn) => turn.ts === undefined && turn.durationMs === undefined)} have neither a clock nor a duration`,
  };
}

function sumOfAll(values: readonly (number | undefined)[]): number | undefined {
  if (values.length === 0 || values.includes(undefined)) return undefined;
  return values.reduce<number>((sum, value) => sum + value!, 0);
}

function questionOf(trace: Trace): { question?: string } {
  const first = trace.turns[0]?.messages?.slice().find((message) => member(message, "role") === "user");
  if (!isObject(first)) return {};
  const text = contentText(first);
  return text === "" ? {} : { question: text };
}
