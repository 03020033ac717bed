/** Runs as one page that carries everything it shows. */
import type { Trace } from "@spoor/core";
import type { TraceFindings } from "@spoor/core/internal/policy/findings-by-trace";
import { buildRunRow } from "@spoor/core/internal/report/run-row";
import { formats } from "../formats/formats.ts";
import { toolInfo } from "../tool-info.ts";

/** A page leaves the machine, as every report does: what looks like a key or a password is taken out. */
export async function writeRunsPage(
  traces: readonly Trace[],
  findings: ReadonlyMap<string, TraceFindings> | undefined,
): Promise<string> {
  const { describeRuns } = await import("../describe/show/describe-runs.ts");
  const { pageView } = await import("../describe/show/page-view.ts");
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

/** The trace's format in words: "Claude Code session". */
export function titleOf(trace: Trace): string {
  return formats.find((format) => format.name === trace.source.format)?.title ?? trace.source.format;
}
