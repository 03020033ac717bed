/** Two record lists → a whole report, with the reference's pairing. Our own engine runs; only its field names are translated. */
import { buildTrace, type Json, type JsonObject, type Trace, type TraceRecord } from "@spoor/core";
import { turnCost } from "@spoor/core/internal/diff/align/turn-cost";
import type { AxisRow } from "@spoor/core/internal/diff/axis-row";
import type { DiffResult } from "@spoor/core/internal/diff/diff-report";
import { diffTraces } from "@spoor/core/internal/diff/diff-traces";
import { type Divergence, NOISE_FLOOR } from "@spoor/core/internal/diff/divergence";
import { FactsTable } from "@spoor/core/internal/diff/turn-facts";
import { parsePricing } from "@spoor/core/internal/pricing/parse-pricing";
import type { PriceList } from "@spoor/core/internal/pricing/price";
import { isObject, member } from "@spoor/core/internal/trace/json";
import type { Adapter } from "../adapter.ts";
import { compare } from "../compare.ts";

export const diffAdapter: Adapter = {
  name: "diff",
  matches: (testCase) =>
    Array.isArray(member(testCase, "baseline")) &&
    Array.isArray(member(testCase, "candidate")) &&
    Array.isArray(member(member(testCase, "expected"), "rows")),
  run(testCase) {
    const baseline = buildTrace(records(testCase, "baseline"));
    const candidate = buildTrace(records(testCase, "candidate"));
    const result = diffTraces(baseline, candidate, {
      pairing: "index",
      // What only we see is left out before the cut, so nothing may be cut earlier.
      topDivergences: Number.POSITIVE_INFINITY,
      prices: pricing(testCase),
      seed: BigInt(String(member(testCase, "seed") ?? 42)),
    });
    const expected = member(testCase, "expected") as JsonObject;
    const only = member(testCase, "compare_only");
    const parts = Array.isArray(only) ? (only as readonly string[]) : NORMATIVE;
    const pick = (report: JsonObject) => Object.fromEntries(parts.map((part) => [part, report[part] ?? null]));
    return compare(pick(normative(expected)), pick(translate(result, expected, seenByBoth(baseline, candidate))));
  },
};

export function records(testCase: JsonObject, side: "baseline" | "candidate"): TraceRecord[] {
  return member(testCase, side) as unknown as TraceRecord[];
}

/** A vector without prices means: no model has one. */
export function pricing(testCase: JsonObject): PriceList {
  const prices = member(testCase, "pricing");
  return isObject(prices) ? parsePricing(prices) : new Map();
}

/** What must agree: rows, divergences (without their prose), and the root causes that must be among ours. */
const NORMATIVE = ["pair_count", "rows", "first_divergence", "divergences", "patterns"];

function normative(expected: JsonObject): JsonObject {
  const recommendations = (member(expected, "recommendations") ?? []) as readonly JsonObject[];
  return {
    ...expected,
    first_divergence: withoutProse(member(expected, "first_divergence") ?? null),
    divergences: ((member(expected, "divergences") ?? []) as readonly Json[]).map(withoutProse),
    patterns: recommendations.flatMap((entry) => member(entry, "pattern") ?? []),
  };
}

function withoutProse(divergence: Json): Json {
  if (!isObject(divergence)) return divergence;
  const { explanation: _prose, ...facts } = divergence;
  return facts;
}

/** Which divergences the other engine sees: none when a side is empty, and of matched turns those whose cost is above the noise. */
function seenByBoth(baseline: Trace, candidate: Trace): (one: Divergence) => boolean {
  const table = new FactsTable();
  const left = table.addTurns(baseline.turns);
  const right = table.addTurns(candidate.turns);
  if (left.length === 0 || right.length === 0) return () => false;
  return ({ baselineTurn, candidateTurn, calls }) =>
    calls === undefined || turnCost(table, left[baselineTurn]!, right[candidateTurn]!) > NOISE_FLOOR;
}

function translate(result: DiffResult, expected: JsonObject, isSeen: (one: Divergence) => boolean): JsonObject {
  const seen = (result.traces[0]?.divergences ?? []).filter(isSeen);
  const wanted = normative(expected)["patterns"] as readonly Json[];
  const ours = result.recommendations.flatMap((entry) => entry.pattern ?? []);
  return {
    pair_count: result.pairCount,
    rows: result.rows.map(row),
    first_divergence: divergence(inOrder(seen)[0] ?? null),
    divergences: seen.slice(0, 5).map(divergence),
    patterns: wanted.filter((pattern) => (ours as readonly Json[]).includes(pattern)),
  };
}

/** Along the run; the report ranks them. */
function inOrder(divergences: readonly Divergence[]): Divergence[] {
  return [...divergences].sort(
    (one, other) => one.baselineTurn - other.baselineTurn || one.candidateTurn - other.candidateTurn,
  );
}

export function row(own: AxisRow): JsonObject {
  return {
    axis: own.axis,
    baseline_median: own.baseline,
    candidate_median: own.candidate,
    delta: own.delta,
    ci95_low: own.ci95Low,
    ci95_high: own.ci95High,
    severity: own.severity,
    n: own.n,
    flags: own.flags,
  };
}

function divergence(own: Divergence | null): Json {
  if (own === null) return null;
  return {
    baseline_turn: own.baselineTurn,
    candidate_turn: own.candidateTurn,
    kind: `${own.kind}_drift`,
    primary_axis: own.axis,
    confidence: own.confidence,
  };
}
