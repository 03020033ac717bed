/** A trend as Markdown. */
import type { TrendReport } from "@spoor/core/fingerprint/trend";
import { percent } from "../../document/words.ts";
import { sparkline } from "../../write/terminal/sparkline.ts";
import { codeSpan } from "../text/markdown.ts";
import { assumptionWords, detectorWords, measureValue, responsesWords, trendSentence } from "./words.ts";

export function renderTrendMarkdown(report: TrendReport): string {
  const { points, measures } = report.trend;
  const measureRows = measures.map((measure) => {
    const [first, last] = [measure.values[0] ?? null, measure.values.at(-1) ?? null];
    return `| ${measure.label} | ${measureValue(measure, first)} | ${measureValue(measure, last)} | ${sparkline(measure.values, false)} | ${detectorWords(measure, codeSpan)} |`;
  });
  const pointRows = points.map(
    (point) =>
      `| ${codeSpan(point.name)} | ${point.runs} | ${point.intents} | ${point.families} | ${point.knownPaths === null ? "-" : percent(point.knownPaths)} | ${point.models.map(codeSpan).join(", ")} |`,
  );
  return `${[
    `### ${trendSentence(report, codeSpan)}`,
    ["| measure | first | last | trend | reading |", "|---|---|---|---|---|", ...measureRows].join("\n"),
    ["| point | runs | behaviours | families | known paths | models |", "|---|---|---|---|---|---|", ...pointRows].join(
      "\n",
    ),
    responsesWords(report),
    assumptionWords(report),
  ].join("\n\n")}\n`;
}
