/**
 * What the side-by-side view of two runs shows, made from a gate's report: aligned rows per trace, with the findings of the
 * policy at their turns. Small enough to be carried in a page: an unchanged turn stands in it once, not twice.
 */
import type { TracePairResult, TraceSide } from "../diff/diff-report.ts";
import type { FirstInput } from "../diff/input-difference.ts";
import type { CallView, TimelineKind, TimelineRow, TurnView } from "../diff/timeline.ts";
import { findingsByTrace } from "../policy/findings-by-trace.ts";
import type { RunFinding } from "../report/run-view.ts";
import { type Json, jsonEqual } from "../trace/json.ts";
import { present } from "../trace/present.ts";
import type { GateReport } from "./gate-report.ts";

export interface ComparisonView {
  readonly noun: string;
  readonly baseline: string;
  readonly candidate: string;
  readonly traces: readonly TraceView[];
  /** Position in `traces` of the one where the runs part first. */
  readonly first: number;
}

export interface TraceView {
  /** Of the candidate's trace. */
  readonly key: string;
  readonly name: string;
  readonly ask?: string;
  readonly changes: number;
  /** The first difference going in before this trace parts from its partner, in words. */
  readonly goingIn?: string;
  readonly rows: readonly RowView[];
  /** Rows that the report leaves out. */
  readonly omitted: number;
  /** The report has none of its rows. */
  readonly elsewhere?: true;
  /** The commands that print each side whole; none for what came from standard input. */
  readonly show?: { readonly baseline?: string; readonly candidate?: string };
}

export interface RowView {
  readonly kind: TimelineKind;
  /** People count turns from 1. */
  readonly baseline?: SideView;
  readonly candidate?: SideView;
  readonly skipped?: number;
  /** Paths of arguments that changed, per call of the candidate: `0:refund.amount`. */
  readonly changed?: readonly string[];
}

export interface SideView {
  readonly turn: number;
  readonly calls?: readonly CallView[];
  readonly text?: string;
  readonly textCut?: number;
  readonly stop?: string;
  readonly ms?: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly findings?: readonly RunFinding[];
  /** It came after a replay had left what was recorded. */
  readonly offPath?: true;
}

/** What only the edge has words for; the view is silent about what it is not given. */
export interface ComparisonWords {
  /** What first differed going in. */
  goingIn?(goingIn: FirstInput): string;
  /** The command that prints a trace. */
  show?(side: TraceSide): string | undefined;
}

export function buildComparisonView(
  report: Pick<GateReport, "noun" | "reports" | "sides">,
  words: ComparisonWords = {},
): ComparisonView | undefined {
  const diff = report.reports.diff;
  if (diff === undefined) return undefined;
  const findings = findingsByTrace(report.reports.policy);
  // Every one of them, also where there is no room for its turns: a list that is cut hides what it cuts.
  const listed = diff.traces;
  const firstTrace = diff.firstDivergence === null ? undefined : diff.traces[diff.firstDivergence.traceIndex];
  return {
    noun: report.noun,
    baseline: report.sides?.baseline?.branch ?? "",
    candidate: report.sides?.candidate?.branch ?? "",
    first: Math.max(0, firstTrace === undefined ? 0 : listed.indexOf(firstTrace)),
    traces: listed.map((trace) => ({
      key: trace.candidate.key,
      name: trace.name,
      ...(trace.ask === undefined ? {} : { ask: trace.ask }),
      changes: trace.changes.length,
      ...(trace.firstDivergence === null ? {} : present({ goingIn: words.goingIn?.(trace.firstDivergence.goingIn) })),
      ...showOf(trace, words),
      omitted: trace.timeline?.omitted.rows ?? 0,
      ...(trace.timeline === undefined ? { elsewhere: true as const } : {}),
      rows: (trace.timeline?.rows ?? []).map((row) => rowView(row, trace, findings.get(trace.candidate.key)?.turns)),
    })),
  };
}

function showOf({ baseline, candidate }: TracePairResult, words: ComparisonWords): Pick<TraceView, "show"> {
  const show = present({ baseline: words.show?.(baseline), candidate: words.show?.(candidate) });
  return Object.keys(show).length === 0 ? {} : { show };
}

type TurnFindings = ReadonlyMap<number, readonly RunFinding[]>;

function rowView(
  row: TimelineRow,
  { baseline, candidate }: Pick<TracePairResult, "baseline" | "candidate">,
  findings: TurnFindings | undefined,
): RowView {
  const same = row.kind === "same";
  const changed = row.calls?.arguments.map((change) => `${change.candidateCall}:${change.path}`) ?? [];
  return {
    kind: row.kind,
    ...(row.skipped === undefined ? {} : { skipped: row.skipped }),
    ...(row.baseline === undefined
      ? {}
      : {
          baseline: same ? ownPart(row.baseline, row.candidate, baseline) : sideView(row.baseline, baseline, undefined),
        }),
    ...(row.candidate === undefined ? {} : { candidate: sideView(row.candidate, candidate, findings) }),
    ...(changed.length === 0 ? {} : { changed }),
  };
}

/** What the baseline's side of an unchanged turn does not share with the candidate's: its numbers, and calls that returned something else. */
function ownPart(view: TurnView, other: TurnView | undefined, trace: TraceSide): SideView {
  const isShared = jsonEqual(view.calls as unknown as Json, other?.calls as unknown as Json);
  return { ...numbersOf(view, trace), ...(isShared ? {} : { calls: view.calls }) };
}

function sideView(view: TurnView, trace: TraceSide, findings: TurnFindings | undefined): SideView {
  const found = findings?.get(view.turnIndex);
  return {
    ...numbersOf(view, trace),
    ...(view.calls.length === 0 ? {} : { calls: view.calls }),
    ...(view.text === "" ? {} : { text: view.text }),
    ...(view.textCut === undefined ? {} : { textCut: view.textCut }),
    ...(view.stopReason === undefined ? {} : { stop: view.stopReason }),
    ...(found === undefined ? {} : { findings: found }),
  };
}

function numbersOf(view: TurnView, { offPathFrom }: TraceSide): SideView {
  return {
    turn: view.turnIndex + 1,
    ...(offPathFrom === undefined || view.turnIndex < offPathFrom ? {} : { offPath: true as const }),
    ...(view.durationMs === undefined ? {} : { ms: view.durationMs }),
    ...(view.inputTokens === undefined ? {} : { inputTokens: view.inputTokens }),
    ...(view.outputTokens === undefined ? {} : { outputTokens: view.outputTokens }),
  };
}
