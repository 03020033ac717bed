import type { WhyReport } from "@spoor/core/internal/why/why-report";
import { describeWhy } from "../../describe/why/describe-why.ts";
import { exitCode } from "../exit-code.ts";
import { defineReport } from "./report-kind.ts";

export const whyKind = defineReport<WhyReport>({
  schema: "spoor.why/1",
  /** It explains and judges nothing: 0 with an answer, 2 without one. */
  exitCode({ outcome }) {
    return outcome === "named" || outcome === "unchanged" || outcome === "not_run" ? exitCode.ok : exitCode.couldNotRun;
  },
  describe: describeWhy,
  checks: () => [],
});
