import type { GateReport } from "@spoor/core/gate/gate-report";
import { checksOfGate } from "../../describe/gate/checks.ts";
import { describeGate } from "../../describe/gate/describe-gate.ts";
import { writeIntoto } from "../../write/checks/intoto.ts";
import { exitCode } from "../exit-code.ts";
import { defineReport } from "./report-kind.ts";

const RESULT = { passed: "PASSED", warned: "WARNED", blocked: "FAILED", not_evaluated: "FAILED" } as const;

export const gateKind = defineReport<GateReport>({
  schema: "spoor.gate/1",
  /** Without an answer there is no verdict: 2 beats 1. */
  exitCode(report) {
    if (report.status === "not_evaluated") return exitCode.couldNotRun;
    return report.gate.tripped ? exitCode.gateTripped : exitCode.ok;
  },
  describe: describeGate,
  checks: checksOfGate,
  further: () => ({ intoto: (report) => writeIntoto(RESULT[report.status], report.inputs, checksOfGate(report)) }),
  /** The thresholds belong to the lenses and their traces; what can be decided again is whether findings block. */
  regate: {
    option: "mode",
    choices: ["warn", "block"],
    apply: (report, mode) => judge(report, mode as GateReport["mode"]),
  },
});

function judge(report: GateReport, mode: GateReport["mode"]): GateReport {
  if (report.status === "not_evaluated") return { ...report, mode };
  const findings = report.gate.reasons.length > 0;
  const warned = findings || report.lenses.some((lens) => lens.status === "warned");
  const status = findings && mode === "block" ? "blocked" : warned ? "warned" : "passed";
  const failOn = mode === "warn" ? "nothing (mode: warn)" : "per lens";
  return { ...report, mode, status, gate: { ...report.gate, failOn, tripped: status === "blocked" } };
}
