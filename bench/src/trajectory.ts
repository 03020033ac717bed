/**
 * Trajectory scoring at 10,000 calls against 10,000 expected steps, eight tools, distinct arguments and a limit on every
 * step. The reversed rows are the hard ones: an index by tool name alone would compare every step with every eighth call.
 */
import type { ToolCall } from "@spoor/core";
import { scoreTrajectory } from "@spoor/core/internal/trajectory/score-trajectory";
import type { ExpectedStep, TrajectoryMode, TrajectorySpec } from "@spoor/core/internal/trajectory/trajectory";
import { type Benchmark, type BenchmarkRow, cpuSeconds } from "./benchmark.ts";

const SIZE = 10_000;
const TOOLS = ["search", "read", "write", "edit", "list", "fetch", "plan", "test"];
const LIMITS_MS: Readonly<Record<TrajectoryMode, number>> = {
  any_order: 25,
  in_order: 25,
  exact: 25,
  superset: 60,
  subset: 60,
  unordered: 60,
};

export const trajectoryBenchmark: Benchmark = {
  name: "trajectory",
  promise: "10,000 calls against 10,000 expected: any_order, in_order, exact 25 ms; superset, subset, unordered 60 ms",
  async run() {
    const calls = Array.from({ length: SIZE }, (_, index) => callAt(index));
    const steps = Array.from({ length: SIZE }, (_, index) => stepAt(index));
    const reversed = steps.toReversed();
    const sharedKey = steps.map((step) => ({ ...step, args: { kind: "document", ...(step.args as object) } }));
    const withKind = calls.map((call) => ({ ...call, input: { kind: "document", ...(call.input as object) } }));
    const floor = await cpuSeconds(() => JSON.parse(JSON.stringify(calls)), 3);
    const rows: BenchmarkRow[] = [];
    const measure = async (what: string, spec: TrajectorySpec, toolCalls: readonly ToolCall[]) => {
      const subject = { toolCalls, hasTrace: true };
      for (let warm = 0; warm < 3; warm++) scoreTrajectory(spec, subject);
      const ms = (await cpuSeconds(() => scoreTrajectory(spec, subject), 9)) * 1000;
      rows.push({
        what,
        measured: `${ms.toFixed(1)} ms`,
        against: `${(ms / 1000 / floor).toFixed(2)} times a JSON round trip of the calls`,
        kept: ms <= LIMITS_MS[spec.mode],
      });
    };
    await measure("any_order", { mode: "any_order", minimums: TOOLS.map((tool) => ({ tool, count: 100 })) }, calls);
    for (const mode of ["in_order", "exact", "superset", "subset", "unordered"] as const) {
      await measure(mode, { mode, expected: steps }, calls);
      await measure(`${mode}, reversed`, { mode, expected: reversed }, calls);
      await measure(`${mode}, first argument always the same`, { mode, expected: sharedKey.toReversed() }, withKind);
    }
    return rows;
  },
};

function callAt(index: number): ToolCall {
  return {
    name: TOOLS[index % TOOLS.length]!,
    input: { id: `item-${index}`, page: index % 7, options: { deep: true } },
    status: "ok",
    durationMs: index % 90,
    turnIndex: index >> 2,
    position: index,
  };
}

function stepAt(index: number): ExpectedStep {
  return { tool: TOOLS[index % TOOLS.length]!, args: { id: `item-${index}`, page: index % 7 }, maxDurationMs: 100 };
}
