/** The sentences of a trend report. All of them follow the judgement of core; none decides anything. */
import type { TrendFinding } from "@spoor/core/internal/fingerprint/judge-trend";
import type { NotTested, SeriesAnswer } from "@spoor/core/internal/fingerprint/series/answer";
import type { TrendChange, TrendMeasure, TrendReport } from "@spoor/core/internal/fingerprint/trend";
import type { Text } from "../../document/document.ts";
import { capitalised, joined, listed, name, say } from "../../document/text.ts";
import { count, duration, exactPercent, integer, percent, pWords } from "../../document/words.ts";

/** The consequence, without its full stop: what weighs most first. */
export function trendHeadline(report: TrendReport): Text {
  const { points, judgement } = report.trend;
  const [first] = points;
  if (points.length === 1) return say`Only one point, ${name(first!.name)}: nothing to compare it with`;
  const lead = leadText(report);
  const over = count(points.length, "point");
  switch (judgement.verdict) {
    case "drift":
      return capitalised(lead);
    case "not_enough_evidence":
      return judgement.findings.length === 0
        ? [`Not enough evidence: too few runs over ${over} to tell drift from chance`]
        : say`Not enough evidence: ${lead}; so few runs cannot tell drift from chance`;
    case "within_chance":
      return say`No drift found over ${over}; ${lead}, as chance alone would have it`;
    case "steady":
      return [`Steady over ${over}: the same tools and paths, and no number moved beyond its noise`];
  }
}

/** What else was found, one sentence each; the lead stands in the headline. */
export function furtherFindings({ trend: { judgement, measures } }: TrendReport): Text[] {
  return judgement.findings
    .slice(leading(judgement.findings).length)
    .map((finding) => capitalised(say`${findingText([finding], measures)}${chanceText(finding)}.`));
}

function leadText({ trend: { judgement, measures } }: TrendReport): Text {
  const lead = leading(judgement.findings);
  const text = findingText(lead, measures);
  const [first] = lead;
  return judgement.verdict === "drift" && first !== undefined && first.p !== null
    ? say`${text} (${pWords(first.p)})`
    : text;
}

/** The first finding, and those that say the same of other tools. */
function leading(findings: readonly TrendFinding[]): readonly TrendFinding[] {
  const [first] = findings;
  if (first === undefined || (first.code !== "new_tool" && first.code !== "lost_tool")) return findings.slice(0, 1);
  const end = findings.findIndex(
    ({ code, point, weight }) => code !== first.code || point !== first.point || weight !== first.weight,
  );
  return end === -1 ? findings : findings.slice(0, end);
}

function findingText(findings: readonly TrendFinding[], measures: readonly TrendMeasure[]): Text {
  const [first] = findings;
  if (first === undefined) return [];
  const subjects = names(findings.map(({ subject }) => subject ?? ""));
  const where = first.form === "spike" ? say`at ${name(first.point)}` : say`from ${name(first.point)} on`;
  const rest = first.form === "spike" ? "elsewhere" : "before";
  switch (first.code) {
    case "new_tool":
      return say`${name(first.point)} uses ${subjects}, which no earlier point did`;
    case "lost_tool":
      return say`${subjects} ${findings.length === 1 ? "is" : "are"} no longer used ${where}`;
    case "tool_use":
      return say`${subjects} in ${percent(first.now ?? 0)} of runs ${where}, in ${percent(first.before ?? 0)} ${rest}`;
    case "new_paths": {
      const earlier = first.form === "spike" ? "no earlier point took" : "no run before took";
      return say`${integer(first.runs ?? 0)} of ${count(first.of ?? 0, "run")} ${where} ${(first.runs ?? 0) === 1 ? "takes" : "take"} a path that ${earlier}`;
    }
    case "responses":
      return say`the responses of ${name(first.point)} behave otherwise than those of the first point`;
    case "measure": {
      const measure = measures.find((one) => one.name === first.subject)!;
      return say`${measure.label} ${measureValue(measure, first.now)} ${where}, ${measureValue(measure, first.before)} ${rest}`;
    }
  }
}

function chanceText({ weight, p }: TrendFinding): string {
  if (p === null) return "";
  if (weight === "undecided") return ", which so few runs cannot tell from chance";
  return weight === "drift" ? ` (${pWords(p)})` : `, as chance alone would have it (${pWords(p)})`;
}

export function measureValue({ unit }: Pick<TrendMeasure, "unit">, value: number | null | undefined): string {
  if (value === null || value === undefined) return "no data";
  if (unit === "ms") return duration(value);
  if (unit === "share") return exactPercent(value);
  return value >= 100 ? integer(value) : String(Math.round(value * 10) / 10);
}

/** `drift from wed on (p = 0.002)`, `within noise (p = 0.31)`, `too few runs to tell`. */
export function readingText(answer: SeriesAnswer, points: readonly { readonly name: string }[]): Text {
  const p = answer.adjusted === null ? "" : ` (${pWords(answer.adjusted)})`;
  const place = answer.point === undefined ? undefined : points[answer.point];
  switch (answer.state) {
    case "drift":
      if (place === undefined) return [`drift${p}`];
      return answer.form === "spike"
        ? say`drift at ${name(place.name)}${p}`
        : say`drift from ${name(place.name)} on${p}`;
    case "steady":
      return [answer.adjusted === null ? "no movement" : `within noise${p}`];
    case "undecided":
      return ["moved, and too few runs to tell from chance"];
    case "not_evaluated":
      return [`not evaluated: ${UNTESTED[answer.why ?? "no_data"]}`];
  }
}

const UNTESTED: Readonly<Record<NotTested, string>> = {
  one_point: "there is only one point",
  no_data: "recorded at fewer than two points",
  too_few_runs: "too few runs to tell",
  too_few_responses: "fewer than 2 responses",
};

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

/** How drift is told from noise, and what that takes for granted. */
export function assumptionSentence({ trend: { relabellings, responses, points, judgement } }: TrendReport): string {
  if (points.length < 2) return "Nothing was tested.";
  const { scenarios } = relabellings;
  const within = scenarios === 0 ? "" : `, each within its scenario (${integer(scenarios)} are at every point)`;
  const sameWork = scenarios === 0 ? ", and the points had the same kind of work to do" : "";
  const ways =
    relabellings.count === 0
      ? "There are too few runs to place them otherwise"
      : `The runs were handed to the points in ${relabellings.exact ? `all ${integer(relabellings.count)}` : integer(relabellings.count)} ways${within}`;
  const alone =
    responses.unit === "responses"
      ? " Responses were compared one by one, because the points have too few runs; turns of one conversation are not independent."
      : "";
  return `${ways}; drift is what fewer than ${percent(judgement.alpha)} of them show, corrected for all questions together (Westfall and Young). Assumed: runs are independent${sameWork}.${alone}`;
}

function names(words: readonly string[]): Text {
  return listed(words.map((word) => [name(word)]));
}
