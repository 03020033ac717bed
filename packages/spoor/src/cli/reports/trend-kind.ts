import { isUnanswered } from "@spoor/core/internal/fingerprint/judge-trend";
import type { TrendReport } from "@spoor/core/internal/fingerprint/trend";
import { checksOfTrend, describeTrend } from "../../describe/trend/describe-trend.ts";
import { trendPlots } from "../../describe/trend/plot.ts";
import { exitCode } from "../exit-code.ts";
import { defineReport } from "./report-kind.ts";

export const trendKind = defineReport<TrendReport>({
  schema: "spoor.trend/1",
  exitCode({ gate, trend }) {
    if (gate.tripped) return exitCode.gateTripped;
    return isUnanswered(trend.judgement, gate.failOn) ? exitCode.couldNotRun : exitCode.ok;
  },
  describe: describeTrend,
  checks: checksOfTrend,
  plots: trendPlots,
});
