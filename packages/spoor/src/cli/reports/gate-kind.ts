import { withMode } from "@spoor/core/internal/gate/build-gate-report";
import type { GateReport } from "@spoor/core/internal/gate/gate-report";
import { checksOfGate } from "../../describe/gate/checks.ts";
import { describeGate } from "../../describe/gate/describe-gate.ts";
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
  further: () => ({
    intoto: async (report) => {
      const { writeIntoto } = await import("../../write/checks/intoto.ts");
      return writeIntoto(RESULT[report.status], report.inputs, checksOfGate(report));
    },
  }),
  regate: {
    option: "mode",
    choices: ["warn", "block"],
    apply: (report, mode) => withMode(report, mode as GateReport["mode"]),
  },
});
