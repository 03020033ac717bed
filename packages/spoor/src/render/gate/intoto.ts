/**
 * An in-toto statement with the test-result predicate: what was judged (digests of traces, policy, baseline), by which
 * configuration, with which result. It is a statement, not a signature: sign it with the tool of your choice.
 */
import type { GateReport } from "@spoor/core/gate/gate-report";
import { writeJson } from "../../write/json.ts";

export function renderIntoto(report: GateReport): string {
  const judged = report.inputs.filter((input) => input.contentId !== undefined);
  const resource = (input: (typeof judged)[number]) => ({
    name: input.path,
    digest: { sha256: input.contentId!.replace(/^sha256:/, "") },
    annotations: { role: input.role },
  });
  const names = (status: string) =>
    report.checks.filter((check) => check.status === status).map((check) => `${check.lens}/${check.name}`);
  return writeJson({
    _type: "https://in-toto.io/Statement/v1",
    subject: judged.filter((input) => input.role !== "config").map(resource),
    predicateType: "https://in-toto.io/attestation/test-result/v0.1",
    predicate: {
      result: { passed: "PASSED", warned: "WARNED", blocked: "FAILED", not_evaluated: "FAILED" }[report.status],
      configuration: judged.filter((input) => input.role === "config").map(resource),
      passedTests: names("passed"),
      warnedTests: names("warned"),
      failedTests: [...names("failed"), ...names("not_evaluated")],
    },
  });
}
