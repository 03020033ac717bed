import type { AcceptReport } from "@spoor/core/internal/gate/accept-report";
import { describeAccept } from "../../describe/accept.ts";
import { exitCode } from "../exit-code.ts";
import { defineReport } from "./report-kind.ts";

export const acceptKind = defineReport<AcceptReport>({
  schema: "spoor.accept/1",
  /** Whether the gate passes afterwards is the gate's to say. */
  exitCode: () => exitCode.ok,
  describe: describeAccept,
  checks: () => [],
});
