/** The diff's row: one check per signal, `structure` and new tools first, then the axes. */
import { hasNoData, whyNoData } from "../diff/axis-row.ts";
import { missingRows } from "../diff/build-diff-report.ts";
import type { DiffReport, TracePairResult, TraceSide } from "../diff/diff-report.ts";
import { mayTrip } from "../diff/direction.ts";
import { firstPlace } from "../diff/first-place.ts";
import type { NewTool } from "../diff/new-tools.ts";
import { present } from "../trace/present.ts";
import type { CheckPlace, CheckStatus, GateCheck } from "./gate-report.ts";
import type { LensJudgement } from "./lens-judgement.ts";

const LISTED_PLACES = 50;

export function judgeDiff(report: DiffReport): LensJudgement {
  const begins = beginsAt(report);
  return {
    result: {
      lens: "diff",
      status: statusOf(report),
      facts:
        report.verdict.code === "not_enough"
          ? { code: "nothing_to_compare" }
          : { code: "diff", structure: report.structure },
      ...(begins === undefined ? {} : { begins }),
    },
    checks: checksOf(report),
    reasons: report.gate.reasons,
    notEvaluated: missingRows(report),
  };
}

function statusOf({ verdict, gate, rows }: DiffReport): CheckStatus {
  // A judge that was asked for and did not answer leaves no verdict.
  if (verdict.code === "not_enough" || rows.some((row) => row.unanswered !== undefined)) return "not_evaluated";
  if (gate.tripped) return "failed";
  return verdict.code === "unchanged" && verdict.unmatched === undefined ? "passed" : "warned";
}

function beginsAt(report: DiffReport): CheckPlace | undefined {
  const first = firstPlace(report);
  if (first === undefined) return undefined;
  const { name, trace, turnIndex, onlyBaseline } = first;
  // The page addresses a pair of traces by the candidate's key, whichever side has the turn.
  const { key } = report.traces[report.firstDivergence!.traceIndex]!.candidate;
  return { ...placeOf(trace), trace: name, key, turnIndex, ...(onlyBaseline ? { side: "baseline" } : {}) };
}

function checksOf(report: DiffReport): GateCheck[] {
  const tripped = new Set(report.gate.reasons.map((reason) => reason.subject));
  const { changed, turns } = report.structure;
  const structure: GateCheck = {
    lens: "diff",
    name: "structure",
    status: tripped.has("structure") ? "failed" : changed > 0 ? "warned" : "passed",
    fact: { code: "structure", changed, turns },
    places: report.traces.flatMap(changesOf).slice(0, LISTED_PLACES),
  };
  const { newTools } = report;
  const tools: GateCheck = {
    lens: "diff",
    name: "tools",
    status: newTools.some(({ tool }) => tripped.has(tool)) ? "failed" : newTools.length > 0 ? "warned" : "passed",
    fact: { code: "new_tools", tools: newTools.map(({ tool, effect }) => ({ tool, effect })) },
    places: newTools.flatMap(toolPlaces).slice(0, LISTED_PLACES),
  };
  const axes = report.rows.map((row): GateCheck => {
    const { axis, severity, direction } = row;
    const fact = { code: "axis", axis, severity, direction } as const;
    const check = { lens: "diff", name: axis, places: [] } as const;
    // An axis without data is told apart from a failure to evaluate: the gate never asked for it.
    const missing = { what: axis, ...whyNoData(row) };
    if (row.unanswered !== undefined) return { ...check, status: "not_evaluated", fact: { ...fact, missing } };
    if (hasNoData(row)) return { ...check, status: "passed", fact: { ...fact, missing } };
    const still = severity === "none" || !mayTrip(direction) || row.flags.includes("told_only");
    return { ...check, status: tripped.has(axis) ? "failed" : still ? "passed" : "warned", fact };
  });
  return [structure, tools, ...axes];
}

function toolPlaces({ tool, places }: NewTool): CheckPlace[] {
  return places.map(({ name, ...place }) => ({ trace: name, ...place, detail: `${tool}: never seen in the baseline` }));
}

/** A turn that only the baseline has is a place in the baseline's trace. */
function changesOf({ changes, baseline, candidate }: TracePairResult): CheckPlace[] {
  return changes.map(({ candidateTurn, baselineTurn }) =>
    candidateTurn === undefined
      ? { ...placeOf(baseline), ...present({ turnIndex: baselineTurn }), side: "baseline" }
      : { ...placeOf(candidate), turnIndex: candidateTurn },
  );
}

function placeOf({ name, key, path, entry }: TraceSide): CheckPlace {
  return present({ trace: name, key, path, entry });
}
