/** One aligned row of two runs, as a page carries it: an unchanged turn stands in it once, not twice. */
import type { TracePairResult, TraceSide } from "../diff/diff-report.ts";
import type { CallView, TimelineKind, TimelineRow, TurnView } from "../diff/timeline.ts";
import type { RunFinding } from "../report/run-view.ts";
import { type Json, jsonEqual } from "../trace/json.ts";

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

type TurnFindings = ReadonlyMap<number, readonly RunFinding[]>;

export function rowView(
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
