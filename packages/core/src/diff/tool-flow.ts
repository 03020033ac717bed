/**
 * Which tool follows which, baseline against candidate, over all compared pairs of runs. A step counts once for a run, however often it
 * comes back. Linear in the calls.
 */
import type { Trace } from "../trace/trace.ts";

export interface ToolFlow {
  /** Pairs of runs that were compared; each counts once for either side. */
  readonly pairs: number;
  /** In the order in which runs come to them. */
  readonly tools: readonly FlowTool[];
  /** The commonest first. */
  readonly steps: readonly FlowStep[];
  /** What is left out, the rarest: tools, and steps between those that are listed. */
  readonly omitted: { readonly tools: number; readonly steps: number };
}

export interface FlowTool {
  readonly tool: string;
  readonly baseline: number;
  readonly candidate: number;
}

export interface FlowStep {
  /** Null where a run begins. */
  readonly from: string | null;
  /** Null where it ends. */
  readonly to: string | null;
  readonly baseline: FlowRuns;
  readonly candidate: FlowRuns;
}

export interface FlowRuns {
  readonly runs: number;
  /** Positions of their pairs in the report's `traces`; absent when it is none or all of them. */
  readonly pairs?: readonly number[];
}

interface PairOfRuns {
  readonly baseline: Pick<Trace, "toolCalls">;
  readonly candidate: Pick<Trace, "toolCalls">;
}

const MOST_TOOLS = 30;
const MOST_STEPS = 200;

export function buildToolFlow(pairs: readonly PairOfRuns[]): ToolFlow {
  const sides = ["baseline", "candidate"] as const;
  const tools = new Map<string, { baseline: number; candidate: number; place: number; runs: number }>();
  for (const pair of pairs) {
    for (const side of sides) {
      const names = pair[side].toolCalls.map(({ name }) => name);
      for (const [place, name] of [...new Set(names)].entries()) {
        const tool = tools.get(name) ?? { baseline: 0, candidate: 0, place: 0, runs: 0 };
        tools.set(name, { ...tool, [side]: tool[side] + 1, place: tool.place + place, runs: tool.runs + 1 });
      }
    }
  }
  const kept = new Set(
    [...tools]
      .sort(([, one], [, other]) => other.runs - one.runs)
      .slice(0, MOST_TOOLS)
      .map(([name]) => name),
  );
  const steps = new Map<string, { from: string | null; to: string | null; baseline: number[]; candidate: number[] }>();
  for (const [at, pair] of pairs.entries()) {
    for (const side of sides) {
      const names = pair[side].toolCalls.map(({ name }) => name).filter((name) => kept.has(name));
      for (const [from, to] of stepsOf(names)) {
        const key = JSON.stringify([from, to]);
        const step = steps.get(key) ?? { from, to, baseline: [], candidate: [] };
        steps.set(key, step);
        if (step[side].at(-1) !== at) step[side].push(at);
      }
    }
  }
  const sorted = [...steps.values()].sort((one, other) => weight(other) - weight(one));
  return {
    pairs: pairs.length,
    tools: [...tools]
      .filter(([name]) => kept.has(name))
      .sort(([, one], [, other]) => one.place / one.runs - other.place / other.runs)
      .map(([tool, { baseline, candidate }]) => ({ tool, baseline, candidate })),
    steps: sorted.slice(0, MOST_STEPS).map(({ from, to, baseline, candidate }) => ({
      from,
      to,
      baseline: runsOf(baseline, pairs.length),
      candidate: runsOf(candidate, pairs.length),
    })),
    omitted: { tools: tools.size - kept.size, steps: Math.max(0, sorted.length - MOST_STEPS) },
  };
}

function* stepsOf(names: readonly string[]): Generator<[string | null, string | null]> {
  for (let at = 0; at <= names.length; at++) yield [names[at - 1] ?? null, names[at] ?? null];
}

function weight({ baseline, candidate }: { baseline: readonly number[]; candidate: readonly number[] }): number {
  return Math.max(baseline.length, candidate.length);
}

function runsOf(pairs: readonly number[], all: number): FlowRuns {
  return pairs.length === 0 || pairs.length === all ? { runs: pairs.length } : { runs: pairs.length, pairs };
}
