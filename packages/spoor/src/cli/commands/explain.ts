import { SpoorError } from "@spoor/core/internal/errors";
import { nearest } from "@spoor/core/internal/text/nearest";
import { present } from "@spoor/core/internal/trace/present";
import { describeExplain, type ExplainedFinding, type ExplainReport } from "../../describe/explain.ts";
import type { Check } from "../../document/check.ts";
import { plainText } from "../../document/text.ts";
import { explanationsOf, loadExplanations } from "../../load/load-explanations.ts";
import { toolInfo } from "../../tool-info.ts";
import { writeJson } from "../../write/json.ts";
import { writeTerminal } from "../../write/terminal/write-terminal.ts";
import { defineCommand } from "../command.ts";
import { emitReport } from "../emit-report.ts";
import { exitCode } from "../exit-code.ts";
import { option } from "../option.ts";
import { readReport, type SavedReport } from "../read-report.ts";

export const explainCommand = defineCommand({
  description:
    "Codes of errors and exit codes, kinds of rules and evaluators, axes of a diff and drift signals. With a saved report also " +
    "what stands in it under this word: the name of a rule, an axis, an evaluator, a trace or a case, with the places it was found.",
  positionals: ["word"],
  options: { report: option.path("a report saved with --format json or -o report.json, to look the word up in") },
  examples: [
    { run: "spoor explain trace.unknown-format", does: "The code at the end of an error." },
    { run: "spoor explain must_call_before", does: "A kind of rule, with what it takes." },
    { run: "spoor explain verify-first --report report.json", does: "A finding: what it says, and where." },
  ],
  async run(args, io) {
    const saved = args.report === undefined ? undefined : await readReport(args.report, io);
    const findings = saved === undefined ? [] : await findingsOf(args.word, saved);
    // The name of a rule says nothing about what it is; the lens that found it does.
    const meanings = explanationsOf(args.word);
    if (meanings.length + findings.length === 0) throw unknown(args.word, saved);
    const report: ExplainReport = { schema: "spoor.explain/1", tool: toolInfo, word: args.word, meanings, findings };
    await emitReport(
      report,
      { terminal: (one, style) => writeTerminal(describeExplain(one), style), json: writeJson },
      args,
      io,
    );
    return exitCode.ok;
  },
});

async function findingsOf(word: string, { report, kind }: SavedReport): Promise<ExplainedFinding[]> {
  const { redactReport } = await import("../reports/redact-report.ts");
  const checks: readonly Check[] = kind.checks(redactReport(report));
  const speaks = ({ name, suite, places }: Check) =>
    name === word || suite === word || places.some(({ trace, key }) => trace === word || key === word);
  return checks.filter(speaks).map(findingOf);
}

function findingOf({ suite, name, mark, message, places, at }: Check): ExplainedFinding {
  return {
    lens: suite,
    name,
    mark,
    message: plainText(message),
    places: places.map(({ trace, path, turnIndex, detail }) =>
      present({ trace, path, turnIndex, detail: detail === undefined ? undefined : plainText(detail) }),
    ),
    ...(at === undefined ? {} : { rule: present({ file: at.file, line: at.line }) }),
  };
}

function unknown(word: string, saved: SavedReport | undefined): SpoorError {
  const words = [
    ...loadExplanations().map((one) => one.word),
    ...(saved === undefined ? [] : (saved.kind.checks(saved.report) as readonly Check[]).map(({ name }) => name)),
  ];
  const close = nearest(word, words);
  const where = saved === undefined ? "" : ", and the report does not speak of it";
  return new SpoorError("explain.unknown", `Nothing that Spoor prints is called "${word}"${where}.`, {
    hint:
      close === undefined
        ? "Codes stand at the end of errors; names of rules need the report: spoor explain NAME --report report.json"
        : `Did you mean ${close}?`,
  });
}
