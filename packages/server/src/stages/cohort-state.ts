/** One look at two releases: what is kept of it, and shown. */
import type { CohortReport } from "@spoor/core/internal/cohort/cohort-report";
import type { Needed } from "@spoor/core/internal/cohort/planning";
import type { SequentialReport, SequentialState } from "@spoor/core/internal/cohort/sequential-cohort";
import { coverageOf } from "@spoor/core/internal/report/coverage";
import { present } from "@spoor/core/internal/trace/present";
import { cohortDetail, cohortHeadline } from "spoor/internal/describe/cohort/headline";
import { checksOfSequential } from "spoor/internal/describe/cohort/sequential";
import { plainText } from "spoor/internal/document/text";
import { toolInfo } from "spoor/internal/tool-info";
import type { Release, Store } from "../store/store.ts";
import {
  type CohortSides,
  cohortSides,
  compareReleases,
  type EvidencePoint,
  isAsked,
  watchReleases,
} from "./release-cohort.ts";

interface Counts {
  readonly baseline: number;
  readonly candidate: number;
}

export interface CohortState {
  readonly verdict: CohortReport["verdict"];
  /** The sequential test is certain, or a scheduled look at the fixed test found a change. Stays until a scheduled look says otherwise. */
  readonly alarm: boolean;
  /** Runs that were compared, and runs there were at this look: the first thousand of a release are compared. */
  readonly runs: Counts;
  readonly seen: Counts;
  /** The report of the fixed test; absent while there are too few runs to ask it. */
  readonly report?: number;
  readonly headline?: string;
  readonly detail?: string;
  /** What changed, by aspect. */
  readonly changed?: readonly string[];
  /** How many runs a side would settle it, and how many more than now that is; absent when it is settled. */
  readonly needed?: Needed & { readonly more?: Counts };
  readonly test?: {
    readonly verdict: CohortReport["verdict"];
    /** How often the fixed test was asked. */
    readonly asked: number;
    /** Runs of the candidate at the last time. */
    readonly runs: number;
    readonly at: number;
    readonly scheduledAt: number;
    readonly alarm: boolean;
  };
  readonly sequential?: SequentialState & { readonly alpha: number; readonly sentence: string };
  readonly evidence?: readonly EvidencePoint[];
  readonly problem?: { readonly code: string; readonly message: string };
}

export interface LookQuestion {
  readonly agent: string;
  readonly release: Release;
  readonly against: Release;
  readonly now: Date;
  readonly isScheduled: boolean;
  readonly last: CohortState | undefined;
}

export async function lookAtReleases(store: Store, projectId: number, question: LookQuestion): Promise<CohortState> {
  const { release, against } = question;
  const sides = await cohortSides(store, projectId, { baseline: against, candidate: release });
  const { alpha, state, evidence } = watchReleases(sides);
  const isCertain = state.verdict === "changed";
  const fixed = await askFixed(store, projectId, sides, question);
  return present({
    ...fixed,
    verdict: isCertain ? ("changed" as const) : (fixed.test?.verdict ?? "not_enough_evidence"),
    alarm: isCertain || (fixed.test?.alarm ?? false),
    runs: { baseline: sides.baseline.length, candidate: sides.candidate.length },
    seen: { baseline: against.runs, candidate: release.runs },
    sequential: { ...state, alpha, sentence: sentenceOf(state, alpha) },
    evidence,
  });
}

type Fixed = Pick<CohortState, "report" | "headline" | "detail" | "changed" | "needed" | "test">;

/** Asked at scheduled looks, and when runs have become twice as many; between them what it said last is shown. */
async function askFixed(
  store: Store,
  projectId: number,
  sides: CohortSides,
  { agent, release, against, now, isScheduled, last }: LookQuestion,
): Promise<Fixed> {
  const runs = sides.candidate.length;
  const isDoubled = runs >= 2 * (last?.test?.runs ?? 0);
  if (!isScheduled && !isDoubled && last?.test !== undefined) return fixedOf(last);
  if (!(await isAsked(store, projectId, sides))) return last === undefined ? {} : fixedOf(last);
  const names = { agent, release: release.name, against: against.name, now };
  const { reportId, report } = await compareReleases(store, projectId, sides, names);
  const { verdict, needed, aspects } = report;
  const isAlarm = isScheduled ? verdict === "changed" : (last?.test?.alarm ?? false);
  return present({
    report: reportId,
    headline: headlineOf(report),
    detail: plainText(cohortDetail(report)) || undefined,
    changed: aspects.filter(({ changed }) => changed).map(({ aspect }) => aspect),
    needed: needed === null ? undefined : present({ ...needed, more: moreRuns(needed, sides) }),
    test: {
      verdict,
      asked: (last?.test?.asked ?? 0) + 1,
      runs,
      at: now.getTime(),
      scheduledAt: isScheduled ? now.getTime() : (last?.test?.scheduledAt ?? now.getTime()),
      alarm: isAlarm,
    },
  });
}

function fixedOf({ report, headline, detail, changed, needed, test }: CohortState): Fixed {
  return present({ report, headline, detail, changed, needed, test });
}

/** The verdict in words, as the command line says it. */
export function headlineOf(report: CohortReport): string {
  return `${plainText(cohortHeadline(report))}.`;
}

function moreRuns({ runsPerSide }: Needed, { baseline, candidate }: CohortSides): Counts | undefined {
  if (runsPerSide === null) return undefined;
  return {
    baseline: Math.max(0, runsPerSide - baseline.length),
    candidate: Math.max(0, runsPerSide - candidate.length),
  };
}

/** In the words of `spoor cohort --sequential`. */
function sentenceOf(state: SequentialState, alpha: number): string {
  const report: SequentialReport = {
    schema: "spoor.cohort-sequential/1",
    tool: toolInfo,
    inputs: [],
    alpha,
    ...state,
    coverage: coverageOf([]),
    gate: { failOn: "changed", tripped: state.verdict === "changed", reasons: [] },
  };
  const [check] = checksOfSequential(report);
  return plainText(check!.message);
}
