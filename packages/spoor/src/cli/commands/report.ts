import { resolve } from "node:path";
import { text as readAll } from "node:stream/consumers";
import type { Json } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { compileSchema } from "@spoor/core/internal/json-schema/compile-schema";
import type { ReportHeader } from "@spoor/core/internal/report/report";
import { JsonSyntaxError, parseJson } from "@spoor/core/internal/trace/parse-json";
import { loadSchema } from "../../load/load-schemas.ts";
import { MOST_DOCUMENT_BYTES, readText } from "../../load/read-text.ts";
import { badJson } from "../../load/trace-errors.ts";
import { defineCommand } from "../command.ts";
import { emitReport } from "../emit-report.ts";
import type { Io } from "../io.ts";
import { option, usageError } from "../option.ts";
import { type AnyReportKind, kindOfReport } from "../reports/report-kinds.ts";

const SHOWN_PROBLEMS = 5;

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
    const { report: saved, kind } = parseReport(
      await textOf(args.report, io),
      args.report === "-" ? "standard input" : args.report,
    );
    const report = regated(saved, kind, args);
    const exitCode = kind.exitCode(report);
    const { verbose, noun, link } = args;
    const htmlPath = args.output.find((file) => /\.html?$/.test(file));
    const renderers = kind.renderers(report, { exitCode, verbose, noun, link, htmlPath });
    await emitReport(report, renderers, args, io);
    return exitCode;
  },
});

async function textOf(file: string, io: Io): Promise<string> {
  const fail = (why: string, cause: unknown) =>
    new SpoorError("report.unreadable", `${file} ${why}.`, {
      at: { file },
      hint: "Save a report with --format json, or -o report.json.",
      cause,
    });
  return file === "-" ? readAll(io.stdin) : readText(resolve(io.cwd, file), fail, MOST_DOCUMENT_BYTES);
}

function parseReport(text: string, file: string): { report: ReportHeader<string>; kind: AnyReportKind } {
  try {
    const value = parseJson(text);
    const kind = kindOfReport(value, file);
    requireShape(text, kind, file);
    return { report: value as unknown as ReportHeader<string>, kind };
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw badJson(file, text, error);
    throw error;
  }
}

/** Renderers trust their report; a file that people or programs may have changed is checked first. */
function requireShape(text: string, kind: AnyReportKind, file: string): void {
  const schema = compileSchema(JSON.parse(loadSchema(kind.schema).text) as Json);
  if (typeof schema === "string") throw new Error(schema);
  // Parsed once more without big integers, which a schema's "number" does not know.
  const problems = schema.check(JSON.parse(text) as Json);
  if (problems.length === 0) return;
  throw new SpoorError("report.invalid", `${file} says it is a ${kind.schema} report, but it is not shaped like one.`, {
    at: { file },
    consequence: "Nothing was printed: a report that was changed by hand or cut off proves nothing.",
    hint: `Its shape: spoor schema ${kind.schema}`,
    problems: problems.slice(0, SHOWN_PROBLEMS).map(({ path, message }) => ({
      at: { file, path: path || "/" },
      message: `${path === "" ? "the report" : ""} ${message}.`.trim(),
    })),
  });
}

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
