/** The diff lens inside the gate: the candidate's traces against the baseline's, with thresholds per trace where the configuration has them. */
import { hasNoData } from "@spoor/core/diff/axis-row";
import type { DiffReport, DiffResult } from "@spoor/core/diff/diff-report";
import { diffTraceSets } from "@spoor/core/diff/diff-traces";
import { type GateSource, gateDiff } from "@spoor/core/diff/gate-diff";
import { pairTraces, type TracePair } from "@spoor/core/diff/pair-traces";
import { createPolicyHook } from "@spoor/core/diff/policy-hook";
import type { CheckPlace, CheckStatus, GateCheck } from "@spoor/core/gate/gate-report";
import type { Severity } from "@spoor/core/judgement/severity";
import type { Policy } from "@spoor/core/policy/policy";
import { coverageOf } from "@spoor/core/report/coverage";
import type { Gate, GateReason, NotEvaluated } from "@spoor/core/report/report";
import { resolveConfigPath } from "../config/load-config.ts";
import { axisWords, noDataReason } from "../describe/diff/axis-words.ts";
import { percent } from "../document/words.ts";
import { loadPricing } from "../load/load-pricing.ts";
import { toolInfo } from "../tool-info.ts";
import type { GateInput } from "./gate-input.ts";
import type { LensOutcome } from "./lens-outcome.ts";
import { failOnFor } from "./threshold.ts";

const LISTED_TRACES = 60;
const LISTED_ROWS = 5_000;

export function runDiffLens(input: GateInput, policy: Policy | undefined): LensOutcome {
  const { config } = input;
  const settings = config.diff!;
  const paired = pairTraces(input.baseline, input.candidate);
  const compare = (pairs: readonly TracePair[]): DiffResult =>
    diffTraceSets(
      { pairs, matching: paired.matching },
      {
        pairing: settings.pairing,
        seed: config.seed,
        noun: config.noun,
        // The report is read in a browser: long runs whole, and unchanged ones too while they are few.
        timelines: LISTED_TRACES,
        timelineRows: LISTED_ROWS,
        unchangedTimelines: pairs.length <= LISTED_TRACES,
        ...(settings.pricing === undefined
          ? {}
          : { prices: loadPricing(resolveConfigPath(input.loaded, settings.pricing, input.cwd), input.cwd) }),
        ...(policy === undefined ? {} : { policy: createPolicyHook(policy, { today: input.today }) }),
      },
    );
  const result = compare(paired.pairs);
  const gate = gateByThreshold(input, paired.pairs, result, compare);
  const notEvaluated = missingRows(result);
  const report: DiffReport = {
    schema: "spoor.diff/1",
    tool: toolInfo,
    inputs: [],
    ...result,
    coverage: coverageOf([...input.baseline, ...input.candidate], notEvaluated),
    gate,
  };
  return {
    result: { lens: "diff", status: statusOf(report), summary: summaryOf(report), ...beginsAt(report) },
    checks: checksOf(report),
    reasons: gate.reasons,
    notEvaluated,
    inputs: [],
    report: { diff: report },
  };
}

/**
 * Pooled rows have one threshold; traces with another are judged as a group of their own. New violations are left to the
 * policy lens, so that nothing is counted twice.
 */
function gateByThreshold(
  input: GateInput,
  pairs: readonly TracePair[],
  whole: DiffResult,
  compare: (pairs: readonly TracePair[]) => DiffResult,
): Gate {
  const { config } = input;
  const sources = config.diff!.gateOn.filter(
    (source): source is GateSource => source !== "policy" || config.policy === undefined,
  );
  const groups = new Map<Severity, TracePair[]>();
  for (const pair of pairs) {
    const failOn = failOnFor(config, "diff", pair.candidate);
    groups.set(failOn, [...(groups.get(failOn) ?? []), pair]);
  }
  if (groups.size <= 1) return gateDiff(whole, [...groups.keys()][0] ?? config.diff!.failOn, sources);
  const gates = [...groups].map(([failOn, group]) => gateDiff(compare(group), failOn, sources));
  const reasons = new Map<string, GateReason>(
    gates.flatMap((gate) => gate.reasons).map((reason) => [`${reason.code}:${reason.subject}`, reason]),
  );
  return { failOn: config.diff!.failOn, tripped: reasons.size > 0, reasons: [...reasons.values()] };
}

function missingRows(result: DiffResult): NotEvaluated[] {
  return result.rows.filter(hasNoData).map((row) => ({ what: row.axis, why: noDataReason(row) }));
}

function statusOf(report: DiffReport): CheckStatus {
  if (report.verdict.code === "not_enough") return "not_evaluated";
  if (report.gate.tripped) return "failed";
  return report.verdict.code === "unchanged" ? "passed" : "warned";
}

function summaryOf({ structure, verdict }: DiffReport): string {
  if (verdict.code === "not_enough") return "nothing to compare";
  if (structure.changed === 0) return `${structure.turns} of ${structure.turns} turns do the same`;
  const { low, high } = structure.interval;
  return `${structure.changed} of ${structure.turns} turns differ (${percent(low).replace(" %", "")} to ${percent(high)} is plausible)`;
}

function beginsAt(report: DiffReport): { begins?: CheckPlace } {
  const first = report.firstDivergence;
  if (first === null) return {};
  const trace = report.traces[first.traceIndex]!;
  const { path, entry } = trace.candidate;
  return {
    begins: {
      trace: trace.name,
      key: trace.candidate.key,
      turnIndex: first.candidateTurn,
      ...(path === undefined ? {} : { path }),
      ...(entry === undefined ? {} : { entry }),
    },
  };
}

/** One check per signal: structure first, then the axes. */
function checksOf(report: DiffReport): GateCheck[] {
  const tripped = new Set(report.gate.reasons.map((reason) => reason.subject));
  const { structure } = report;
  const places = report.traces.flatMap((trace) =>
    trace.changes.map((change): CheckPlace => {
      const turnIndex = change.candidateTurn ?? change.baselineTurn;
      return {
        trace: trace.name,
        key: trace.candidate.key,
        ...(trace.candidate.path === undefined ? {} : { path: trace.candidate.path }),
        ...(turnIndex === undefined ? {} : { turnIndex }),
        ...(change.candidateTurn === undefined ? { detail: "only in the baseline" } : {}),
      };
    }),
  );
  const structureCheck: GateCheck = {
    lens: "diff",
    name: "structure",
    status: tripped.has("structure") ? "failed" : structure.changed > 0 ? "warned" : "passed",
    message: `${structure.changed} of ${structure.turns} turns do something else.`,
    places: places.slice(0, 50),
  };
  const axisChecks = report.rows.map((row): GateCheck => {
    const words = axisWords[row.axis];
    if (hasNoData(row)) {
      // An axis without data is told apart from a failure to evaluate: the gate never asked for it.
      return {
        lens: "diff",
        name: row.axis,
        status: "passed",
        message: `${words.is}: ${noDataReason(row)}.`,
        places: [],
      };
    }
    const status: CheckStatus = tripped.has(row.axis)
      ? "failed"
      : row.severity === "none" || row.direction === "better"
        ? "passed"
        : "warned";
    return {
      lens: "diff",
      name: row.axis,
      status,
      message: `${words.is}: ${row.severity}${row.direction === "same" ? "" : `, ${row.direction}`}.`,
      places: [],
    };
  });
  return [structureCheck, ...axisChecks];
}
