import type { ReportHeader } from "@spoor/core/internal/report/report";
import { defineCommand } from "../command.ts";
import { emitReport } from "../emit-report.ts";
import { option, usageError } from "../option.ts";
import { readReport } from "../read-report.ts";
import type { AnyReportKind } from "../reports/report-kinds.ts";

export const reportCommand = defineCommand({
  description:
    "Reads what --format json or -o report.json wrote and renders it as the command that made it would, without the traces. " +
    "The exit code is that of the saved verdict, unless --fail-on, --mode or --require judges its findings again.",
  positionals: ["report"],
  options: {
    failOn: option.text(
      "judge again: none, minor, moderate, severe (diff, check); none, tools, new, variant (baseline)",
      "LEVEL",
    ),
    mode: option.choice(["warn", "block"], undefined, "judge a gate report again: do its findings block?"),
    require: option.choice(["unchanged"], undefined, "judge a cohort report again: too little evidence blocks too"),
    noun: option.text("what one trace is called (check reports)", "WORD"),
    link: option.text("address of the full report, for the comment (gate reports)", "URL"),
  },
  examples: [
    { run: "spoor report report.json", does: "What the command printed." },
    { run: "spoor report report.json --format markdown", does: "The pull request comment of a saved gate." },
    { run: "spoor report report.json -o report.html -o results.sarif", does: "Two more formats of the same verdict." },
    { run: "spoor report diff.json --fail-on moderate", does: "The same findings by a stricter threshold." },
  ],
  async run(args, io) {
    const { report: saved, kind } = await readReport(args.report, io);
    const report = regated(saved, kind, args);
    const exitCode = kind.exitCode(report);
    const { verbose, noun, link } = args;
    const htmlPath = args.output.find((file) => /\.html?$/.test(file));
    const renderers = kind.renderers(report, { exitCode, verbose, noun, link, htmlPath });
    await emitReport(report, renderers, args, io);
    return exitCode;
  },
});

function regated(report: ReportHeader<string>, kind: AnyReportKind, args: Thresholds): ReportHeader<string> {
  let result = report;
  for (const name of ["failOn", "mode", "require"] as const) {
    const threshold = args[name];
    if (threshold === undefined) continue;
    const { regate } = kind;
    const flag = name === "failOn" ? "--fail-on" : `--${name}`;
    if (regate?.option !== name) throw usageError(`${flag} does not apply to a ${kind.schema} report.`, hintFor(kind));
    if (!regate.choices.includes(threshold))
      throw usageError(
        `${flag} must be one of ${regate.choices.join(", ")} for a ${kind.schema} report; found "${threshold}".`,
      );
    result = regate.apply(result, threshold);
  }
  return result;
}

interface Thresholds {
  readonly failOn: string | undefined;
  readonly mode: string | undefined;
  readonly require: string | undefined;
}

function hintFor({ regate }: AnyReportKind): string {
  if (regate === undefined) return "Its verdict was decided when it was made; run the command again.";
  const flag = regate.option === "failOn" ? "--fail-on" : `--${regate.option}`;
  return `It takes ${flag} ${regate.choices.join("|")}.`;
}
