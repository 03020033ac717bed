import type { TrendReport } from "@spoor/core/internal/fingerprint/trend";
import { checksOfTrend, describeTrend } from "../../describe/trend/describe-trend.ts";
import { trendPlots } from "../../describe/trend/plot.ts";
import { exitCode } from "../exit-code.ts";
import { defineReport } from "./report-kind.ts";

export const trendKind = defineReport<TrendReport>({
  schema: "spoor.trend/1",
  exitCode: (report) => (report.gate.tripped ? exitCode.gateTripped : exitCode.ok),
  describe: describeTrend,
  checks: checksOfTrend,
  plots: trendPlots,
});
