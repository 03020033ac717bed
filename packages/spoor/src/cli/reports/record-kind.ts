import type { RecordReport } from "@spoor/core/internal/capture/record-report";
import { checksOfRecord, describeRecord } from "../../describe/record/describe-record.ts";
import { childExitCode, exitCode } from "../exit-code.ts";
import { defineReport } from "./report-kind.ts";

export const recordKind = defineReport<RecordReport>({
  schema: "spoor.record/1",
  exitCode({ command, gate }) {
    if (gate.tripped) return exitCode.couldNotRun;
    return command === undefined ? exitCode.ok : childExitCode(command.shellCode);
  },
  describe: describeRecord,
  checks: checksOfRecord,
});
