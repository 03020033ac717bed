/** CTRF, the common test report format: checks as tests, with what was not evaluated as `other`, never as a pass. */
import type { CheckStatus, GateReport } from "@spoor/core/gate/gate-report";
import { writeJson } from "../../write/json.ts";
import { placeText } from "./junit.ts";

const STATUS: Readonly<Record<CheckStatus, string>> = {
  passed: "passed",
  warned: "passed",
  failed: "failed",
  not_evaluated: "other",
};

export function renderCtrf(report: GateReport): string {
  const tests = report.checks.map((check) => ({
    name: check.name,
    suite: check.lens,
    status: STATUS[check.status],
    duration: 0,
    message: check.message,
    ...(check.places.length === 0 ? {} : { trace: check.places.map(placeText).join("\n") }),
    ...(check.rule === undefined
      ? {}
      : { filePath: check.rule.file, ...(check.rule.line === undefined ? {} : { line: check.rule.line }) }),
    ...(check.status === "warned" ? { tags: ["warning"] } : {}),
  }));
  const amount = (status: string) => tests.filter((test) => test.status === status).length;
  return writeJson({
    reportFormat: "CTRF",
    specVersion: "0.0.0",
    results: {
      tool: { name: "spoor", version: report.tool.version },
      summary: {
        tests: tests.length,
        passed: amount("passed"),
        failed: amount("failed"),
        pending: 0,
        skipped: 0,
        other: amount("other"),
        start: 0,
        stop: 0,
      },
      tests,
    },
  });
}
