/** JUnit XML: one test suite per eval file, one test case per case; errors and failures carry their reasons. */
import type { CaseReport, EvalReport } from "@spoor/core/evals/eval-report";
import { printable } from "../../document/printable.ts";
import { caseName, reading, share } from "./sentences.ts";

export function renderEvalJunit(report: EvalReport): string {
  const suites = report.suites.map((suite) => {
    const cases = report.cases.filter((entry) => entry.suite === suite.name);
    const failures = cases.filter((entry) => entry.reading.fails).length;
    const skipped = cases.filter((entry) => entry.reading.kind === "not_run").length;
    return [
      `  <testsuite name="${xml(suite.name)}" file="${xml(suite.file)}" tests="${cases.length}" failures="${failures}" errors="0" skipped="${skipped}">`,
      ...cases.map((entry) => renderCase(report, entry)),
      "  </testsuite>",
    ].join("\n");
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="spoor eval">\n${suites.join("\n")}\n</testsuites>\n`;
}

function renderCase(report: EvalReport, entry: CaseReport): string {
  const open = `    <testcase name="${xml(caseName(report, entry))}" classname="${xml(entry.suite)}"`;
  if (entry.reading.kind === "not_run") return `${open}><skipped message="not run"/></testcase>`;
  if (!entry.reading.fails) return `${open}/>`;
  const message = `${share(entry)} runs pass: ${reading(entry).text}`;
  const reasons = entry.reasons
    .map((reason) => `${reason.runs} of ${entry.runs.length} runs: ${reason.text}`)
    .join("\n");
  return `${open}><failure message="${xml(message)}">${xml(reasons)}</failure></testcase>`;
}

function xml(text: string): string {
  return text
    .split("\n")
    .map(printable)
    .join("\n")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
