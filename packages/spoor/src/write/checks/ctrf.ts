/** CTRF, the common test report format: checks as tests, with what was not evaluated as `other`, never as a pass. */
import type { Check, CheckMark } from "../../document/check.ts";
import { plainText } from "../../document/text.ts";
import { writeJson } from "../json.ts";
import { placeText } from "./place-text.ts";

const STATUS: Readonly<Record<CheckMark, string>> = {
  skipped: "skipped",
  passed: "passed",
  warning: "passed",
  failed: "failed",
  unknown: "other",
};

export function writeCtrf(toolVersion: string, checks: readonly Check[]): string {
  const tests = checks.map((check) => ({
    name: check.name,
    suite: check.suite,
    status: STATUS[check.mark],
    duration: 0,
    message: plainText(check.message),
    ...(check.places.length === 0 ? {} : { trace: check.places.map(placeText).join("\n") }),
    ...(check.at === undefined
      ? {}
      : { filePath: check.at.file, ...(check.at.line === undefined ? {} : { line: check.at.line }) }),
    ...(check.mark === "warning" ? { tags: ["warning"] } : {}),
  }));
  const amount = (status: string) => tests.filter((test) => test.status === status).length;
  return writeJson({
    reportFormat: "CTRF",
    specVersion: "0.0.0",
    results: {
      tool: { name: "spoor", version: toolVersion },
      summary: {
        tests: tests.length,
        passed: amount("passed"),
        failed: amount("failed"),
        pending: 0,
        skipped: amount("skipped"),
        other: amount("other"),
        start: 0,
        stop: 0,
      },
      tests,
    },
  });
}
