import type { ReplayReport } from "@spoor/core/internal/cassette/replay-report";
import { checksOfReplay, describeReplay } from "../../describe/replay/describe-replay.ts";
import { childExitCode, exitCode } from "../exit-code.ts";
import { defineReport } from "./report-kind.ts";

/** What keeps a replay from being one; anything else that trips is a difference. */
const NO_ANSWER: ReadonlySet<string> = new Set(["replay.tools-open", "replay.redacted"]);

export const replayKind = defineReport<ReplayReport>({
  schema: "spoor.replay/1",
  exitCode({ command, gate, stopped }) {
    if (stopped || gate.reasons.some(({ code }) => NO_ANSWER.has(code))) return exitCode.couldNotRun;
    if (gate.tripped) return exitCode.gateTripped;
    return command === undefined ? exitCode.ok : childExitCode(command.shellCode);
  },
  describe: describeReplay,
  checks: checksOfReplay,
});
