/** The sentences of a trend report. */
import type { TrendChange, TrendMeasure, TrendReport } from "@spoor/core/internal/fingerprint/trend";
import type { Text } from "../../document/document.ts";
import { joined, listed, name, say } from "../../document/text.ts";
import { count, duration, exactPercent, integer, list, pWords } from "../../document/words.ts";

/** The consequence, without its full stop: what the agent does first, then what only moved in number. */
export function trendHeadline({ trend: { points, measures } }: TrendReport): Text {
  const [first, last] = [points[0]!, points.at(-1)!];
  if (points.length === 1) return say`Only one point, ${name(first.name)}: nothing to compare it with`;
  const added = last.tools.filter((tool) => !first.tools.includes(tool));
  const gone = first.tools.filter((tool) => !last.tools.includes(tool));
  if (added.length > 0) return say`${name(last.name)} uses ${names(added)}, which ${name(first.name)} never did`;
  if (gone.length > 0) return say`${name(last.name)} no longer uses ${names(gone)}, which ${name(first.name)} did`;
  const drifted = measures.filter(hasDrifted).map((measure) => measure.label);
  if (drifted.length > 0)
    return say`The same tools throughout; ${list(drifted)} moved beyond the noise of ${name(first.name)}`;
  return measures.some(({ detector }) => detector.state === "steady")
    ? [`Steady over ${count(points.length, "point")}: the same tools, and no number moved beyond its noise`]
    : [`The same tools over ${count(points.length, "point")}; too few runs to say more about the numbers`];
}

export function hasDrifted({ detector }: TrendMeasure): boolean {
  return detector.state === "drift";
}

export function measureValue({ unit }: Pick<TrendMeasure, "unit">, value: number | null | undefined): string {
  if (value === null || value === undefined) return "no data";
  if (unit === "ms") return duration(value);
  if (unit === "share") return exactPercent(value);
  return value >= 100 ? integer(value) : String(Math.round(value * 10) / 10);
}

export function readingText({ detector }: TrendMeasure): Text {
  if (detector.state === "drift") return say`drift, certain at ${name(detector.at)}`;
  return [detector.state === "steady" ? "steady" : `not evaluated: ${detector.why}`];
}

export function hasOtherTools({ newTools, lostTools }: TrendChange): boolean {
  return newTools.length > 0 || lostTools.length > 0;
}

/** `candidate: now uses calculate; model gpt-4o → gpt-5-mini`; empty when only numbers moved. */
export function changeText(change: TrendChange): Text {
  const parts: Text[] = [];
  if (change.newTools.length > 0) parts.push(say`now uses ${names(change.newTools)}`);
  if (change.lostTools.length > 0) parts.push(say`no longer uses ${names(change.lostTools)}`);
  const [before, now] = [change.modelsBefore, change.modelsNow];
  if (before.length > 0 && now.length > 0 && before.join() !== now.join())
    parts.push(say`model ${names(before)} → ${names(now)}`);
  return parts.length === 0 ? [] : say`${name(change.to)}: ${joined(parts, "; ")}`;
}

export function responsesSentence({ trend: { responses, points } }: TrendReport): string {
  if ("why" in responses) return `Responses, first against last: not evaluated, ${responses.why}.`;
  const { result } = responses;
  const sizes = `${count(result.n1, "response")} against ${integer(result.n2)}`;
  const p = pWords(result.pValue);
  const where = points.length === 2 ? "" : ", first against last point";
  if (result.decision === "reject")
    return `Responses${where}: they behave differently (${sizes}, 12 measures at once, ${p}).`;
  if (result.decision === "fail_to_reject") return `Responses${where}: no difference found (${sizes}, ${p}).`;
  const power = result.power === null ? "" : `, power ${result.power.toFixed(2)}`;
  return `Responses${where}: too few to tell (${sizes}, ${p}${power}).`;
}

/** What the readings take for granted. */
export function assumptionSentence({ trend: { assumptions } }: TrendReport): string {
  return `Assumed: ${assumptions.measures}. For the responses: ${assumptions.responses}.`;
}

function names(words: readonly string[]): Text {
  return listed(words.map((word) => [name(word)]));
}
