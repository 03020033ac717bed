/** The sentences of a trend report. */
import type { TrendMeasure, TrendReport } from "@spoor/core/fingerprint/trend";
import { count, duration, integer, list } from "../../document/words.ts";

type Quote = (name: string) => string;

/** The consequence: what the agent does first, then what only moved in number. */
export function trendSentence(report: TrendReport, quote: Quote): string {
  const { trend } = report;
  const [first, last] = [trend.points[0]!, trend.points.at(-1)!];
  if (trend.points.length === 1) return `Only one point, ${quote(first.name)}: nothing to compare it with.`;
  const added = last.tools.filter((tool) => !first.tools.includes(tool));
  const gone = first.tools.filter((tool) => !last.tools.includes(tool));
  if (added.length > 0)
    return `${quote(last.name)} uses ${list(added.map(quote))}, which ${quote(first.name)} never did.`;
  if (gone.length > 0)
    return `${quote(last.name)} no longer uses ${list(gone.map(quote))}, which ${quote(first.name)} did.`;
  const drifted = trend.measures.filter((measure) => measure.detector.state === "drift");
  if (drifted.length > 0)
    return `The same tools throughout; ${list(drifted.map((measure) => measure.label))} moved beyond the noise of ${quote(first.name)}.`;
  const watched = trend.measures.some((measure) => measure.detector.state === "steady");
  return watched
    ? `Steady over ${count(trend.points.length, "point")}: the same tools, and no number moved beyond its noise.`
    : `The same tools over ${count(trend.points.length, "point")}; too few runs to say more about the numbers.`;
}

export function measureValue(measure: Pick<TrendMeasure, "unit">, value: number | null): string {
  if (value === null) return "no data";
  if (measure.unit === "ms") return duration(value);
  if (measure.unit === "share") return `${(value * 100).toFixed(1)} %`;
  return value >= 100 ? integer(value) : String(Math.round(value * 10) / 10);
}

export function detectorWords(measure: TrendMeasure, quote: Quote): string {
  const { detector } = measure;
  if (detector.state === "drift") return `drift, certain at ${quote(detector.at)}`;
  return detector.state === "steady" ? "steady" : `not evaluated: ${detector.why}`;
}

export function responsesWords(report: TrendReport): string {
  const { responses, points } = report.trend;
  if ("why" in responses) return `Responses, first against last: not evaluated, ${responses.why}.`;
  const { result } = responses;
  const sizes = `${count(result.n1, "response")} against ${integer(result.n2)}`;
  const p = result.pValue < 0.0001 ? "p below 0.0001" : `p = ${result.pValue.toFixed(4)}`;
  const where = points.length === 2 ? "" : ", first against last point";
  if (result.decision === "reject") {
    return `Responses${where}: they behave differently (${sizes}, 12 measures at once, ${p}).`;
  }
  if (result.decision === "fail_to_reject") return `Responses${where}: no difference found (${sizes}, ${p}).`;
  const power = result.power === null ? "" : `, power ${result.power.toFixed(2)}`;
  return `Responses${where}: too few to tell (${sizes}, ${p}${power}).`;
}

/** What the readings take for granted, for the last lines of a report. */
export function assumptionWords(report: TrendReport): string {
  const { measures, responses } = report.trend.assumptions;
  return `Assumed: ${measures}. For the responses: ${responses}.`;
}
