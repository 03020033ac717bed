/**
 * What can be done with a finished report of one schema: render it, say its exit code, judge it again. The command that made
 * it and `spoor report`, which reads it back, share this, so that a saved report prints the same words.
 */
import type { ReportHeader } from "@spoor/core/report/report";
import type { Renderers } from "../emit-report.ts";
import type { ExitCode } from "../exit-code.ts";

/** What renderers need to know that the report does not say. */
export interface ReportView {
  readonly exitCode: ExitCode;
  readonly verbose: boolean;
  /** What one trace is called, for reports that do not carry it. */
  readonly noun?: string | undefined;
  /** The paths the user typed, for the next command. */
  readonly paths?: readonly string[];
  /** Address of the full report, for the comment. */
  readonly link?: string | undefined;
  /** Where the HTML report was written. */
  readonly htmlPath?: string | undefined;
}

export interface ReportKind<R extends ReportHeader<string>> {
  /** `spoor.diff/1` */
  readonly schema: R["schema"];
  exitCode(report: R): ExitCode;
  renderers(report: R, view: ReportView): Renderers<R> | Promise<Renderers<R>>;
  /** Judges the same findings by another threshold; absent when a report has none. */
  readonly regate?: {
    /** The option that takes the threshold, as in the command that makes the report. */
    readonly option: "failOn" | "mode" | "require";
    readonly choices: readonly string[];
    apply(report: R, threshold: string): R;
  };
}

export function defineReportKind<R extends ReportHeader<string>>(kind: ReportKind<R>): ReportKind<R> {
  return kind;
}
