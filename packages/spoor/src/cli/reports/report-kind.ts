/**
 * What can be done with a finished report of one schema: describe it, list its checks, say its exit code, judge it again. The
 * command that made it and `spoor report`, which reads it back, share this, so that a saved report prints the same words.
 */
import type { ReportHeader } from "@spoor/core/internal/report/report";
import type { DescribeView } from "../../describe/view.ts";
import type { Check } from "../../document/check.ts";
import type { Block, Document, Plot } from "../../document/document.ts";
import { plainText } from "../../document/text.ts";
import type { Renderer, Renderers } from "../emit-report.ts";
import type { ExitCode } from "../exit-code.ts";

/** What renderers need to know that the report does not say. */
export interface ReportView extends DescribeView {
  readonly exitCode: ExitCode;
  /** Address of the full report, for the comment. */
  readonly link?: string | undefined;
}

/** The facts about one kind of report. Every format follows from them. */
export interface ReportDefinition<R extends ReportHeader<string>> {
  /** `spoor.diff/1` */
  readonly schema: R["schema"];
  exitCode(report: R): ExitCode;
  describe(report: R, view: DescribeView): Document;
  checks(report: R): readonly Check[];
  /** Pictures, for `-o report.svg`; they stand in the document too. */
  plots?(report: R): readonly Plot[];
  /** Formats that only this report has. */
  further?(report: R): Renderers<R>;
  /** Judges the same findings by another threshold; absent when a report has none. */
  readonly regate?: {
    /** The option that takes the threshold, as in the command that makes the report. */
    readonly option: "failOn" | "mode" | "require";
    readonly choices: readonly string[];
    apply(report: R, threshold: string): R;
  };
}

export interface ReportKind<R extends ReportHeader<string>>
  extends Pick<ReportDefinition<R>, "schema" | "exitCode" | "checks" | "regate"> {
  renderers(report: R, view: ReportView): Renderers<R>;
}

export function defineReport<R extends ReportHeader<string>>(definition: ReportDefinition<R>): ReportKind<R> {
  return {
    ...definition,
    renderers: (report, view) => redacting(report, (safe) => renderersOf(definition, safe, view)),
  };
}

/** Whatever is rendered, the report is looked through for secrets once, when the first format is written. */
function redacting<R extends ReportHeader<string>>(report: R, renderersOf: (report: R) => Renderers<R>): Renderers<R> {
  let safe: R | undefined;
  return Object.fromEntries(
    Object.keys(renderersOf(report)).map((format): [string, Renderer<R>] => [
      format,
      async (_, style) => {
        safe ??= (await import("./redact-report.ts")).redactReport(report);
        return renderersOf(safe)[format]!(safe, style);
      },
    ]),
  );
}

/** Every report in every format, from one document and one list of checks. A writer is loaded when its format is asked for. */
function renderersOf<R extends ReportHeader<string>>(
  definition: ReportDefinition<R>,
  made: R,
  view: ReportView,
): Renderers<R> {
  const document = (report: R) => definition.describe(report, view);
  const checks = (report: R) => definition.checks(report);
  const { plots } = definition;
  return {
    terminal: async (report, style) =>
      (await import("../../write/terminal/write-terminal.ts")).writeTerminal(document(report), style),
    json: async (report) => (await import("../../write/json.ts")).writeJson(report),
    markdown: async (report) =>
      (await import("../../write/write-markdown.ts")).writeMarkdown(document(report), {
        link: view.link,
        marker: made.schema === "spoor.gate/1",
      }),
    html: async (report) => {
      const { writeHtml } = await import("../../write/html/write-html.ts");
      const { loadHtmlAssets } = await import("../../load/load-html-assets.ts");
      return writeHtml(document(report), loadHtmlAssets());
    },
    plain: async (report) => (await import("../../write/write-plain.ts")).writePlain(document(report)),
    junit: async (report) =>
      (await import("../../write/checks/junit.ts")).writeJunit(
        `spoor ${plainText(document(report).subject)}`.trim(),
        checks(report),
      ),
    sarif: async (report) =>
      (await import("../../write/checks/sarif.ts")).writeSarif(report.tool.version, checks(report)),
    ctrf: async (report) => (await import("../../write/checks/ctrf.ts")).writeCtrf(report.tool.version, checks(report)),
    github: async (report) => (await import("../../write/checks/github.ts")).writeGithub(checks(report)),
    ...(plots === undefined
      ? {}
      : {
          svg: async (report) =>
            (await import("../../write/html/svg.ts")).writeSvg(headlineOf(document(report)), plots(report)),
        }),
    ...definition.further?.(made),
  };
}

function headlineOf({ blocks }: Document): string {
  const verdict = blocks.find((block): block is Extract<Block, { kind: "verdict" }> => block.kind === "verdict");
  if (verdict === undefined) return "Spoor";
  return `${verdict.word === undefined ? "" : `${verdict.word}: `}${plainText(verdict.headline)}`;
}
