/**
 * An in-toto statement with the test-result predicate: what was judged (digests of traces, policy, baseline), by which
 * configuration, with which result. It is a statement, not a signature: sign it with the tool of your choice.
 */
import type { ReportInput } from "@spoor/core/internal/report/report";
import type { Check, CheckMark } from "../../document/check.ts";
import { writeJson } from "../json.ts";

export function writeIntoto(
  result: "PASSED" | "WARNED" | "FAILED",
  inputs: readonly ReportInput[],
  checks: readonly Check[],
): string {
  const judged = inputs.filter((input) => input.contentId !== undefined);
  const resource = (input: ReportInput) => ({
    name: input.path,
    digest: { sha256: input.contentId!.replace(/^sha256:/, "") },
    annotations: { role: input.role },
  });
  const names = (mark: CheckMark) =>
    checks.filter((check) => check.mark === mark).map(({ suite, name }) => `${suite}/${name}`);
  return writeJson({
    _type: "https://in-toto.io/Statement/v1",
    subject: judged.filter((input) => input.role !== "config").map(resource),
    predicateType: "https://in-toto.io/attestation/test-result/v0.1",
    predicate: {
      result,
      configuration: judged.filter((input) => input.role === "config").map(resource),
      passedTests: names("passed"),
      warnedTests: names("warning"),
      failedTests: [...names("failed"), ...names("unknown")],
    },
  });
}
