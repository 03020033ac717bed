/** Runs as one page that carries everything it shows. */
import type { Trace } from "@spoor/core";
import type { TraceFindings } from "@spoor/core/internal/policy/findings-by-trace";
import { costOf } from "@spoor/core/internal/pricing/cost-of";
import { listPrices } from "@spoor/core/internal/pricing/prices";
import { buildRunRow } from "@spoor/core/internal/report/run-row";
import { buildRunView, type RunView } from "@spoor/core/internal/report/run-view";
import { formats } from "../formats/formats.ts";
import { toolInfo } from "../tool-info.ts";

/** Longer texts are cut in pages, and counted there. */
const MAX_TEXT = 50_000;

/** A page leaves the machine, as every report does: what looks like a key or a password is taken out. */
export async function writeRunsPage(
  traces: readonly Trace[],
  findings: ReadonlyMap<string, TraceFindings> | undefined,
): Promise<string> {
  const { describeRuns } = await import("../describe/show/describe-runs.ts");
  const { writeHtml } = await import("../write/html/write-html.ts");
  const { loadHtmlAssets } = await import("../load/load-html-assets.ts");
  const { redactReport } = await import("./reports/redact-report.ts");
  const runs = traces.map((trace) =>
    redactReport({
      row: buildRunRow(trace),
      view: pageView(trace, findings?.get(trace.key)),
      title: titleOf(trace),
    }),
  );
  return writeHtml(describeRuns(runs, toolInfo), loadHtmlAssets());
}

/** A run with all that a page shows of it. */
export function pageView(trace: Trace, findings: TraceFindings | undefined): RunView {
  return buildRunView(trace, {
    findings,
    // A model without a price costs nothing that anyone knows.
    costOf: (turn) => costOf(turn, listPrices) || undefined,
    maxText: MAX_TEXT,
    raw: true,
  });
}

/** The trace's format in words: "Claude Code session". */
export function titleOf(trace: Trace): string {
  return formats.find((format) => format.name === trace.source.format)?.title ?? trace.source.format;
}
