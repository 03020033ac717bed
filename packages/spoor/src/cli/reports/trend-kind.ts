import type { TrendReport } from "@spoor/core/fingerprint/trend";
import { renderTrendMarkdown } from "../../render/trend/markdown.ts";
import { renderTrendSvg } from "../../render/trend/svg.ts";
import { renderTrendTerminal } from "../../render/trend/terminal.ts";
import { writeJson } from "../../write/json.ts";
import { exitCode } from "../exit-code.ts";
import { defineReportKind } from "./report-kind.ts";

export const trendKind = defineReportKind<TrendReport>({
  schema: "spoor.trend/1",
  exitCode: (report) => (report.gate.tripped ? exitCode.gateTripped : exitCode.ok),
  renderers: () => ({
    terminal: renderTrendTerminal,
    json: writeJson,
    markdown: renderTrendMarkdown,
    svg: renderTrendSvg,
  }),
});
