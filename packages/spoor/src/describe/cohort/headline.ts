/** The first line of a cohort report, one that a manager understands: consequence first, behaviour and wording told apart. */
import type { AspectResult, CohortResult } from "@spoor/core/internal/cohort/cohort-report";
import { widestInterval } from "@spoor/core/internal/cohort/verdict";
import type { Mark, Text, Verdict } from "../../document/document.ts";
import { say, sentences } from "../../document/text.ts";
import { count, integer, list, pWords } from "../../document/words.ts";
import { aspectTitle, bySize, loudest, signalSize, significantItems } from "./aspects.ts";
import { intervalSubject, reachOf, reachText } from "./intervals.ts";
import { itemText } from "./item-text.ts";

type FirstLine = Pick<Verdict, "headline"> & { readonly word: string; readonly detail: Text };

/** The verdict, without its full stop: `Changed (p = 0.0078): confirm in 0 % of runs instead of 100 %, 8.0 times noise`. */
export function cohortHeadline(report: CohortResult): Text {
  const { word, headline } = firstLine(report);
  return say`${word}: ${headline}`;
}

/** What follows it, in whole sentences: `Also changed: effects and effort.` */
export function cohortDetail(report: CohortResult): Text {
  return firstLine(report).detail;
}

export function cohortVerdict(report: CohortResult): Verdict & FirstLine {
  return { kind: "verdict", mark: markOfVerdict[report.verdict], ...firstLine(report) };
}

export const markOfVerdict: Readonly<Record<CohortResult["verdict"], Mark>> = {
  changed: "failed",
  unchanged: "passed",
  not_enough_evidence: "unknown",
};

function firstLine(report: CohortResult): FirstLine {
  const line = lineOfVerdict(report);
  const { recordedWorld } = report;
  return recordedWorld === undefined
    ? line
    : { ...line, detail: sentences(line.detail, offPathSentence(recordedWorld)) };
}

/** `In the recorded world; off its path: 4 % of the baseline's turns, 12 % of the candidate's.` */
function offPathSentence({ baseline, candidate }: NonNullable<CohortResult["recordedWorld"]>): Text {
  const share = ({ turns, offPath }: typeof baseline) => `${integer(turns === 0 ? 0 : (100 * offPath) / turns)} %`;
  return [`Off the recorded path: ${share(baseline)} of the baseline's turns, ${share(candidate)} of the candidate's.`];
}

function lineOfVerdict(report: CohortResult): FirstLine {
  switch (report.verdict) {
    case "changed":
      return changedLine(report);
    case "unchanged":
      return {
        word:
          (report.scope === "per_scenario" ? "Unchanged" : "Unchanged on average") +
          (report.recordedWorld === undefined ? "" : " in the recorded world"),
        headline: say`${boundsSentence(report)} (${pWords(report.p)})`,
        detail: [],
      };
    default:
      return undecidedLine(report);
  }
}

function changedLine(report: CohortResult): FirstLine {
  const chance = `(${pWords(report.p)})`;
  const changed = bySize(
    report.aspects.filter((entry) => entry.changed),
    report.alpha,
  );
  const behaviour = changed.filter(({ aspect }) => aspect !== "text");
  if (changed.length === 0)
    return {
      word: `Changed ${chance}`,
      headline: [`spread over several aspects, no single one stands out${togetherWords(report)}`],
      detail: [],
    };
  if (behaviour.length === 0)
    return {
      word: `Wording changed ${chance}`,
      headline: leadText(changed[0]!, report.alpha),
      detail: ["No change was found in what the agent does."],
    };
  const others = [
    ...behaviour.slice(1).map(({ aspect }) => aspectTitle[aspect]),
    ...(changed.length > behaviour.length ? [aspectTitle.text] : []),
  ];
  return {
    word: `Changed ${chance}`,
    headline: leadText(behaviour[0]!, report.alpha),
    detail: others.length === 0 ? [] : [`Also changed: ${list(others)}.`],
  };
}

/** `; taken together 2.1 times noise`, where it is the sum that speaks. */
function togetherWords({ joint, alpha }: CohortResult): string {
  return joint === null || joint.adjusted === null || joint.adjusted > alpha
    ? ""
    : `; taken together ${signalSize(joint)}`;
}

/** `confirm in 41 % of runs instead of 96 %, 4.3 times noise`. */
function leadText(aspect: AspectResult, alpha: number): Text {
  const signal = loudest(aspect, alpha);
  const size = signal === undefined ? "" : `, ${signalSize(signal)}`;
  const [item] = significantItems(aspect, alpha);
  return item === undefined
    ? [`${aspectTitle[aspect.aspect]}, spread over many items${size}`]
    : say`${itemText(item)}${size}`;
}

/** `every tool within ±18 points, sizes within ±16 %`: what the two one-sided tests of each leave over. */
function boundsSentence(report: CohortResult): string {
  const items = report.intervals?.items ?? [];
  const furthest = (kind: string) =>
    items.filter((item) => item.kind === kind).reduce((most, item) => Math.max(most, reachOf(item.alone)), 0);
  return `every tool within ±${integer(100 * furthest("rate"))} points, sizes within ±${integer(100 * (2 ** furthest("size") - 1))} %`;
}

function undecidedLine(report: CohortResult): FirstLine {
  const word = "Not enough evidence";
  if (report.reasons.some(({ code }) => code === "no_common_scenario"))
    return { word, headline: nothingCompared(report), detail: [] };
  const found = report.cohort.identical ? "all runs are alike" : `nothing found (${pWords(report.p)})`;
  const widest = widestInterval(report.intervals?.items ?? []);
  if (widest === undefined)
    return { word, headline: [`${found}, and one scenario alone cannot show that nothing changed`], detail: [] };
  return {
    word,
    headline: say`${found}, but ${intervalSubject(widest)} could have moved by ${reachText(widest)} unseen`,
    detail: neededText(report),
  };
}

function nothingCompared({ endings }: CohortResult): Text {
  if (endings === null) return ["no scenario has runs on both sides, so nothing was compared"];
  const { candidate, baseline } = endings;
  const dead =
    candidate.runs === candidate.of ? (["candidate", candidate] as const) : (["baseline", baseline] as const);
  return [
    `${integer(dead[1].runs)} of ${count(dead[1].of, `${dead[0]} run`)} ended without an answer, so nothing was compared`,
  ];
}

/** `About 60 runs a side would settle it (now 40).` */
function neededText({ needed, cohort, reasons }: CohortResult): Text {
  if (needed === null) return [];
  const now = Math.max(cohort.runsBaseline, cohort.runsCandidate);
  if (needed.runsPerSide === null)
    return [`More than ten times as many runs (${integer(10 * now)} a side) would be needed to settle it.`];
  const tooFew = reasons.some(({ code }) => code === "too_few_relabellings");
  const runs = Math.max(needed.runsPerSide, tooFew ? 6 : 0, now + 1);
  return [`About ${count(runs, "run")} a side would settle it (now ${integer(now)}).`];
}
