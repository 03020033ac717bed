/** What a cohort report says besides its verdict: how it decided, what to do about missing evidence, what may mislead. */
import type { CohortResult } from "@spoor/core/internal/cohort/cohort-report";
import type { Text } from "../../document/document.ts";
import { joined, listed, name, say } from "../../document/text.ts";
import { chanceShare, count, exactPercent, integer, pWords } from "../../document/words.ts";
import { intervalSubject, movedAlone, rangeText, reachText } from "./intervals.ts";

/** `8 scenarios with 1 run a side of each` */
export function designWords({ cohort }: CohortResult): string {
  const { min, max } = cohort.repeats;
  const repeats = min === max ? `${count(min, "run")} a side of each` : `${min} to ${max} runs a side of each`;
  return `${count(cohort.scenarios, "scenario")} with ${repeats}`;
}

/** How the answer was reached, in one sentence. */
export function methodSentence({ relabellings, p, alpha }: CohortResult): string {
  const how = relabellings.exact
    ? `all ${integer(relabellings.count)} ways to relabel the runs`
    : `${integer(relabellings.count)} random ways to relabel the runs (seed ${relabellings.seed})`;
  return `Compared with ${how}: ${exactPercent(p)} look at least as much like a change. "Changed" needs ${exactPercent(alpha)} or fewer.`;
}

/** What one can do about missing evidence, most useful first. */
export function advice(report: CohortResult): Text[] {
  const { cohort, reasons, needed, alpha, reachable } = report;
  const codes = reasons.map(({ code }) => code);
  if (codes.includes("no_common_scenario") && report.endings !== null)
    return [["Look at one of these runs with spoor show, mend what ended them, and record them again."]];
  if (codes.includes("no_common_scenario"))
    return [
      [
        "Scenarios are matched by the metadata scenario, task_id or case, else by file name. If the two sides name them differently, say how with --scenario KEY or --scenario REGEX.",
      ],
    ];
  const lines: string[] = [];
  if (codes.includes("too_few_relabellings") && !cohort.identical) {
    lines.push(
      `Even a complete change could not be told from chance here: the best that ${designWords(report)} can give is ${pWords(reachable)}, above ${alpha}. Use at least 6 scenarios, or ${count(smallestRepeats(cohort.scenarios, alpha), "run")} a side of each.`,
    );
  }
  if (codes.includes("single_scenario")) {
    lines.push(
      "All runs belong to one scenario. A change can be found there, its absence cannot be shown: add other tasks. If the runs are different tasks, tell them apart with --scenario.",
    );
  }
  if (needed !== null && needed.runsPerSide !== null && cohort.scenarios > 1) {
    const perScenario = Math.ceil(needed.runsPerSide / cohort.scenarios);
    const now = cohort.repeats.median;
    if (perScenario > now) {
      lines.push(
        `For example ${count(perScenario, "run")} a side of each scenario instead of ${integer(now)}, or ${count(Math.ceil(needed.runsPerSide / Math.max(1, now)), "scenario")} instead of ${cohort.scenarios}.`,
      );
    }
  }
  const fewest = fewestRuns(report);
  if (fewest !== undefined && Math.min(cohort.runsBaseline, cohort.runsCandidate) < fewest) {
    lines.push(
      `Even if every run agreed, "unchanged" would need at least ${integer(fewest)} runs a side: what never happened in fewer may still be common.`,
    );
  } else if (needed !== null && needed.runsPerSide === null) {
    lines.push(
      "Cheaper than more runs: accept a wider tolerance (--tolerance-rate, --tolerance-size), or ask about fewer aspects (--aspects tools,effects), which finds smaller changes.",
    );
  }
  return lines.map((line) => [line]);
}

/** Runs below which the interval of a rate cannot fit into its tolerance: 1 − α^(1/n) ≤ tolerance. */
function fewestRuns({ intervals, alpha }: CohortResult): number | undefined {
  const tolerance = intervals?.items.find(({ kind }) => kind === "rate")?.tolerance;
  if (tolerance === undefined || tolerance <= 0 || tolerance >= 1) return undefined;
  return Math.ceil(Math.log(alpha) / Math.log1p(-tolerance));
}

/** Runs a side of each scenario so that a complete change would reach p ≤ alpha: 2 / C(2r, r)^S. */
function smallestRepeats(scenarios: number, alpha: number): number {
  let ways = 1;
  for (let repeats = 1; ; repeats++) {
    ways = (ways * (2 * repeats - 1) * 2) / repeats;
    if (2 / ways ** Math.max(1, scenarios) <= alpha) return repeats;
  }
}

/** Facts that stand whatever the verdict. */
export function firstSeenTexts({ firstSeen }: CohortResult): Text[] {
  return firstSeen.map(({ tool, candidateRuns, ofRuns, ofBaselineRuns, chance }) => {
    const chanceWords =
      chance === null
        ? "no baseline run of the same scenario to compare with"
        : `chance alone would do this in ${chanceShare(chance)} comparisons`;
    return say`${name(tool)} is called in ${candidateRuns} of ${count(ofRuns, "candidate run")} and in none of ${count(ofBaselineRuns, "baseline run")}; ${chanceWords}.`;
  });
}

/** How many runs ended without an answer, whatever the verdict. */
export function endingText({ endings }: CohortResult): Text {
  if (endings === null) return [];
  const { baseline, candidate, how, p } = endings;
  const ways = (["no_response", "error", "cut_off"] as const).flatMap((ending) =>
    how[ending] === undefined ? [] : [`${integer(how[ending])} ${ENDING_WORDS[ending]}`],
  );
  const detail = ways.length === 0 ? "" : ` (${ways.join(", ")})`;
  return [
    `${integer(candidate.runs)} of ${count(candidate.of, "candidate run")} ended without an answer${detail} and ${integer(baseline.runs)} of ${count(baseline.of, "baseline run")}; chance alone would do this in ${chanceShare(p)} comparisons.`,
  ];
}

const ENDING_WORDS = {
  no_response: "without any model response",
  error: "with an error",
  cut_off: "cut off",
} as const;

/** A rate or size that moved by itself, beside a verdict that nothing was found, needs a word. */
export function movedAloneText({ verdict, intervals, p }: CohortResult): Text {
  const items = intervals?.items ?? [];
  const moved = movedAlone(items);
  if (verdict === "changed" || moved.length === 0) return [];
  const some = moved.slice(0, 3).map((item) => say`${intervalSubject(item)} (${rangeText(item)})`);
  const more = moved.length > 3 ? ` and ${moved.length - 3} more` : "";
  return say`Taken alone, ${listed(some)}${more} moved: 0 is not among the values the runs allow. It is ${moved.length === 1 ? "one" : integer(moved.length)} of ${count(items.length, "rate and size", "rates and sizes")}, and the verdict counts everything that was looked at; as much as this turns up somewhere in ${chanceShare(p)} comparisons of an agent that did not change. To ask about it alone: --aspects.`;
}

/** Beside a change: what else could have moved without being seen, so that nobody takes the rest for unchanged. */
export function unseenText({ verdict, intervals, unseen }: CohortResult): Text {
  if (verdict !== "changed" || intervals === null) return [];
  const { items } = intervals;
  const named = unseen.slice(0, MOST_UNSEEN).map((item) => items.find((interval) => interval.item === item)!);
  if (named.length === 0)
    return movedAlone(items).length === items.length
      ? []
      : ["Nothing else that is counted could have moved by more than its tolerance unseen."];
  const more = unseen.length - named.length;
  const texts = [
    ...named.map((item) => say`${intervalSubject(item)} (by ${reachText(item)})`),
    ...(more > 0 ? [[`${integer(more)} more of ${count(items.length, "rate and size", "rates and sizes")}`]] : []),
  ];
  return say`Could have moved unseen: ${listed(texts)}.`;
}

const MOST_UNSEEN = 2;

/** What was left out or may mislead: silence is reported. */
export function cautions({ cohort }: CohortResult): Text[] {
  const texts: Text[] = [];
  for (const side of ["baseline", "candidate"] as const) {
    const empty = cohort.leftOut.filter((entry) => entry.reason === "no_response" && entry.side === side);
    const runs = empty.reduce((sum, entry) => sum + entry.runs, 0);
    if (runs > 0)
      texts.push([
        `${count(runs, `${side} run`)} without any model response: counted as ended without an answer, and in nothing else.`,
      ]);
    const lonely = cohort.leftOut.filter((entry) => entry.reason === "one_side_only" && entry.side === side);
    if (lonely.length === 0) continue;
    const some = lonely.slice(0, 3).map(({ scenario }) => [name(scenario)]);
    const more = lonely.length > 3 ? ` and ${lonely.length - 3} more` : "";
    texts.push(
      say`${count(lonely.length, "scenario")} with runs in the ${side} only left out (${joined(some, ", ")}${more}).`,
    );
  }
  for (const { scenario, formats } of cohort.collisions.slice(0, 3)) {
    texts.push(
      say`scenario ${name(scenario)} names runs of several formats (${names(formats)}); each format is compared with itself only.`,
    );
  }
  if (cohort.collisions.length > 3)
    texts.push([`${cohort.collisions.length - 3} more scenario ids used by several formats.`]);
  const { baseline, candidate } = cohort.formats;
  if (baseline.length > 0 && candidate.length > 0 && !baseline.some((format) => candidate.includes(format))) {
    texts.push(
      say`the sides were read from different formats (${names(baseline)}; ${names(candidate)}): what a format records may differ, not only what the agent does.`,
    );
  }
  if (cohort.times !== null && !cohort.times.overlap) {
    const range = ({ from, to }: { readonly from: string; readonly to: string }) => `${day(from)} to ${day(to)}`;
    texts.push([
      `the sides were not recorded at the same time (baseline ${range(cohort.times.baseline)}, candidate ${range(cohort.times.candidate)}): the provider or the world may have changed instead of the agent.`,
    ]);
  }
  if (cohort.onBothSides > 0) {
    texts.push([
      `${count(cohort.onBothSides, "run stands", "runs stand")} on both sides, as the same recording or a copy of it: a run compared with itself says nothing about the next one.`,
    ]);
  }
  if (!cohort.comparedPairs)
    texts.push([
      "too many runs per scenario to compare them pair by pair: changes that differ between scenarios were not looked for.",
    ]);
  return texts;
}

function names(formats: readonly string[]): Text {
  return listed(formats.map((format) => [name(format)]));
}

function day(time: string): string {
  return time.slice(0, 16).replace("T", " ");
}
