/**
 * Rules that already hold in every recorded run: a start for a policy that needs no imagination. Three shapes: A comes before B
 * whenever B is called; B is called at most once; a tool is offered and never called. What is proposed was checked with the
 * engine that will check it later, so a proposal never fails on the runs it was learnt from.
 *
 * Cost: tools² × runs for the most used 100 tools.
 */
import type { Trace } from "@spoor/core";
import { compareCodePoints } from "@spoor/core/internal/canonical/canonical-json";
import { checkTraces } from "@spoor/core/internal/policy/check-report";
import { parsePolicy } from "@spoor/core/internal/policy/parse-policy";
import { toolInfo } from "../tool-info.ts";
import type { MinedRule } from "./mined-rule.ts";
import { renderPolicy } from "./render-policy.ts";

const MOST_TOOLS = 100;
const MOST_OF_A_SHAPE = 4;
/** A pattern seen in one run is an anecdote. */
const FEWEST_RUNS = 2;
/** Share of runs with either tool that have both: below it the order is more likely a coincidence. */
const TOGETHER = 0.5;
const SURELY_TOGETHER = 0.8;

export function mineRules(traces: readonly Trace[]): MinedRule[] {
  const runs = traces.map(firstCalls);
  const orders = mineOrders(runs);
  const guarded = new Set(orders.filter((rule) => rule.suggested).map(({ shape }) => shape.second));
  const found = [...orders, ...mineOnce(traces, guarded), ...mineNever(traces)];
  const held = found.filter((rule) => holds(rule, traces));
  // Something to start with even where nothing stands out, if the recorded runs keep to it.
  if (!held.some((rule) => rule.suggested) && traces.length > 0 && holds(starterRule, traces)) {
    held.unshift({
      ...starterRule,
      evidence: traces.length === 1 ? "held in the only run" : `held in all ${traces.length} runs`,
    });
  }
  return withUniqueIds(held);
}

/** The rule for an agent without recorded runs. */
export const starterRule: MinedRule = {
  id: "no-endless-loop",
  shape: { kind: "no_loop" },
  evidence: "a sane start for any agent",
  suggested: true,
};

/** Tool → position of its first call. */
type FirstCalls = ReadonlyMap<string, number>;

function firstCalls(trace: Trace): FirstCalls {
  const first = new Map<string, number>();
  for (const call of trace.toolCalls) if (!first.has(call.name)) first.set(call.name, call.position);
  return first;
}

type OrderRule = MinedRule & {
  readonly shape: { readonly kind: "must_call_before"; readonly first: string; readonly second: string };
};

function mineOrders(runs: readonly FirstCalls[]): OrderRule[] {
  const tools = mostUsed(runs);
  return tools
    .flatMap((second) => bestGuard(second, tools, runs) ?? [])
    .sort((one, other) => other.together - one.together || other.runs - one.runs)
    .slice(0, MOST_OF_A_SHAPE)
    .map(({ first, second, together, runs: count }) => ({
      id: `${slug(first)}-before-${slug(second)}`,
      shape: { kind: "must_call_before", first, second },
      evidence: held(count),
      suggested: together >= SURELY_TOGETHER,
    }));
}

interface Order {
  readonly first: string;
  readonly second: string;
  /** Runs that call `second`; `first` came before it in all of them. */
  readonly runs: number;
  readonly together: number;
}

/** Of all tools that always come before `second`, the one that keeps it company most, then the one closest to it. */
function bestGuard(second: string, tools: readonly string[], runs: readonly FirstCalls[]): Order | undefined {
  const own = runs.filter((run) => run.has(second));
  if (own.length < FEWEST_RUNS) return undefined;
  const guards = tools
    .filter(
      (first) =>
        first !== second && own.every((run) => (run.get(first) ?? Number.POSITIVE_INFINITY) < run.get(second)!),
    )
    .map((first) => ({
      first,
      together: own.length / runs.filter((run) => run.has(first) || run.has(second)).length,
      distance: own.reduce((sum, run) => sum + run.get(second)! - run.get(first)!, 0),
    }))
    .sort((one, other) => other.together - one.together || one.distance - other.distance);
  const [best] = guards;
  if (best === undefined || best.together < TOGETHER) return undefined;
  return { first: best.first, second, runs: own.length, together: best.together };
}

/** At most once per run; suggested for what another tool guards, because that is what people do not want twice. */
function mineOnce(traces: readonly Trace[], guarded: ReadonlySet<string>): MinedRule[] {
  const runs = new Map<string, number>();
  const repeated = new Set<string>();
  for (const trace of traces) {
    const seen = new Set<string>();
    for (const { name } of trace.toolCalls) {
      if (seen.has(name)) repeated.add(name);
      seen.add(name);
    }
    for (const name of seen) runs.set(name, (runs.get(name) ?? 0) + 1);
  }
  return [...runs]
    .filter(([name, count]) => count >= FEWEST_RUNS && !repeated.has(name))
    .sort(
      ([one, few], [other, many]) =>
        Number(guarded.has(other)) - Number(guarded.has(one)) || many - few || compareCodePoints(one, other),
    )
    .filter(([name], index) => guarded.has(name) || index < 1)
    .slice(0, MOST_OF_A_SHAPE)
    .map(([tool, count]) => ({
      id: `${slug(tool)}-at-most-once`,
      shape: { kind: "max_calls", tool },
      evidence: held(count),
      suggested: guarded.has(tool),
    }));
}

/** Offered to the model in some run and called in none. Never suggested: nobody knows whether it is meant. */
function mineNever(traces: readonly Trace[]): MinedRule[] {
  const offered = new Set<string>();
  for (const trace of traces)
    for (const turn of trace.turns) for (const { name } of turn.offeredTools ?? []) offered.add(name);
  for (const trace of traces) for (const { name } of trace.toolCalls) offered.delete(name);
  return [...offered]
    .sort(compareCodePoints)
    .slice(0, MOST_OF_A_SHAPE)
    .map((tool) => ({
      id: `never-${slug(tool)}`,
      shape: { kind: "no_call", tool },
      evidence: "offered, never called",
      suggested: false,
    }));
}

function mostUsed(runs: readonly FirstCalls[]): string[] {
  const counts = new Map<string, number>();
  for (const run of runs) for (const name of run.keys()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .sort(([one, few], [other, many]) => many - few || compareCodePoints(one, other))
    .slice(0, MOST_TOOLS)
    .map(([name]) => name);
}

/** Asks the engine itself: sessions, parallel calls and missing results are its business. */
function holds(rule: MinedRule, traces: readonly Trace[]): boolean {
  const policy = parsePolicy(renderPolicy([rule], { agent: "agent", file: "policy.yaml" }));
  const report = checkTraces(traces, policy, { tool: toolInfo, inputs: [], failOn: "severe" });
  return report.rules.every(({ status, reason }) => status === "passed" || reason === "not_applicable");
}

function held(count: number): string {
  return `held ${count} of ${count} times`;
}

/** A tool's name as part of a rule id. */
function slug(name: string): string {
  return (
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 40) || "tool"
  );
}

function withUniqueIds(rules: readonly MinedRule[]): MinedRule[] {
  const used = new Map<string, number>();
  return rules.map((rule) => {
    const times = (used.get(rule.id) ?? 0) + 1;
    used.set(rule.id, times);
    return times === 1 ? rule : { ...rule, id: `${rule.id}-${times}` };
  });
}
