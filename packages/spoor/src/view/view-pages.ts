/** What the page of `spoor view` shows: the list, a run, and two runs beside each other, made of the traces when somebody looks. */

import type { Trace } from "@spoor/core";
import { buildDiffReport } from "@spoor/core/internal/diff/build-diff-report";
import { withResults } from "@spoor/core/internal/diff/timeline-results";
import { buildComparisonView, type ComparisonView } from "@spoor/core/internal/gate/comparison-view";
import type { GateStatus } from "@spoor/core/internal/gate/gate-report";
import type { ReviewView } from "@spoor/core/internal/gate/review-view";
import { checkTraces } from "@spoor/core/internal/policy/check-report";
import { findingsByTrace, type TraceFindings } from "@spoor/core/internal/policy/findings-by-trace";
import type { Policy } from "@spoor/core/internal/policy/policy";
import { buildRunRow } from "@spoor/core/internal/report/run-row";
import { comparisonWords } from "../describe/diff/comparison-section.ts";
import { diffHeadline } from "../describe/diff/verdict.ts";
import { describeLiveRuns } from "../describe/show/describe-runs.ts";
import { pageView } from "../describe/show/page-view.ts";
import { listNames } from "../document/list-names.ts";
import { plainText } from "../document/text.ts";
import { toolInfo } from "../tool-info.ts";
import { type HtmlAssets, writePage } from "../write/html/write-html.ts";
import type { TraceShelf } from "./trace-shelf.ts";
import type { ViewPages } from "./view-server.ts";

export interface ViewSettings {
  readonly shelf: TraceShelf;
  readonly assets: HtmlAssets;
  /** The paths as they were typed, for the head of the page. */
  readonly paths: readonly string[];
  readonly policy?: Policy | undefined;
  /** The day, for exceptions of rules that end. */
  readonly today: string;
  /** Where there is a project whose gate can be asked. */
  readonly review?: ViewReview | undefined;
}

/** What a person decides about in a browser; the same cards and the same act as in `spoor review`. */
export interface ViewReview {
  look(): Promise<ReviewView>;
  /** Writes all of it or nothing. */
  decide(asked: unknown): Promise<WrittenDecisions>;
}

export interface WrittenDecisions {
  readonly files: readonly string[];
  /** What the gate says afterwards. */
  readonly status: GateStatus;
}

/** Two runs beside each other, and what changed in one sentence. */
export interface ComparedRuns {
  readonly headline: string;
  readonly view: ComparisonView;
}

const ROWS = 20_000;

export function createViewPages({ shelf, assets, paths, policy, today, review }: ViewSettings): ViewPages {
  return {
    ...(review === undefined ? {} : { decide: (asked: unknown) => review.decide(asked) }),
    page: () => writePage(describeLiveRuns(paths, toolInfo), assets),
    answer(question, asked) {
      if (question === "runs") return listRuns();
      if (question === "review") return review?.look();
      const trace = shelf.find(asked.get("key") ?? "");
      if (trace === undefined) return undefined;
      if (question === "run") return pageView(trace, findingsOf(trace));
      const baseline = shelf.find(asked.get("baseline") ?? "");
      return question === "compare" && baseline !== undefined ? compare(baseline, trace) : undefined;
    },
  };

  function listRuns() {
    const rows = shelf.traces.map(buildRunRow);
    const labels = listNames(rows);
    return {
      version: shelf.version,
      runs: rows.map((row, index) => ({ ...row, label: labels[index]! })),
      unread: shelf.unread,
      canReview: review !== undefined,
    };
  }

  function findingsOf(trace: Trace): TraceFindings | undefined {
    if (policy === undefined) return undefined;
    const report = checkTraces([trace], policy, { tool: toolInfo, inputs: [], failOn: "none", today });
    return findingsByTrace(report).get(trace.key);
  }

  function compare(baseline: Trace, candidate: Trace): ComparedRuns {
    const diff = buildDiffReport([baseline], [candidate], {
      tool: toolInfo,
      inputs: [],
      failOn: "none",
      timelines: 1,
      timelineRows: ROWS,
      unchangedTimelines: true,
    });
    const traces = diff.traces.map((pair) =>
      pair.timeline === undefined ? pair : { ...pair, timeline: withResults(pair.timeline, baseline, candidate) },
    );
    const sides = { baseline: { branch: baseline.name }, candidate: { branch: candidate.name } };
    const view = buildComparisonView(
      { noun: "trace", reports: { diff: { ...diff, traces } }, sides },
      comparisonWords,
    )!;
    return { headline: `${plainText(diffHeadline(diff.verdict, "trace"))}.`, view };
  }
}
