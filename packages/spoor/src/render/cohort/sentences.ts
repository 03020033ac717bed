/**
 * What a cohort report says, in sentences that every renderer shares. Consequence first; behaviour and wording told apart;
 * every number with its "of what". Text from traces passes through `name`, which each renderer makes safe in its own way.
 */
import type { Aspect } from "@spoor/core/cohort/aspects";
import type { AspectResult, CohortResult, SignalResult } from "@spoor/core/cohort/cohort-report";
import type { Interval } from "@spoor/core/cohort/intervals";
import type { Item } from "@spoor/core/cohort/items";
import { widestInterval } from "@spoor/core/cohort/verdict";
import { count, integer, list } from "../../document/words.ts";
import { chanceWords, itemSentence, percentOf, type Quote } from "./item-sentences.ts";

/** What people call an aspect. */
export const aspectTitle: Readonly<Record<Aspect, string>> = {
  tools: "tools",
  order: "order",
  args: "arguments",
  effects: "effects",
  effort: "effort",
  outcome: "outcome",
  text: "wording",
};

/** Where to look for the headline first: what the agent does stands above how hard it works and what it says. */
const HEADLINE_ORDER: readonly Aspect[] = ["tools", "effects", "outcome", "args", "order", "effort", "text"];

/** The first line: one that a manager understands. */
export function headline(report: CohortResult, name: Quote): string {
  switch (report.verdict) {
    case "changed":
      return changedHeadline(report, name);
    case "unchanged":
      return unchangedHeadline(report);
    default:
      return undecidedHeadline(report, name);
  }
}

function changedHeadline(report: CohortResult, name: Quote): string {
  const chance = `p = ${pText(report.p)}`;
  const changed = HEADLINE_ORDER.flatMap((aspect) =>
    report.aspects.filter((entry) => entry.aspect === aspect && entry.changed),
  );
  const behaviour = changed.filter(({ aspect }) => aspect !== "text");
  if (changed.length === 0) return `Changed, spread over several aspects: no single one stands out (${chance}).`;
  if (behaviour.length === 0) {
    return `Wording changed (${chance}): ${leadOf(changed[0]!, report.alpha, name)}. No change was found in what the agent does.`;
  }
  const others = behaviour.slice(1).map(({ aspect }) => aspectTitle[aspect]);
  const wording = changed.length > behaviour.length ? "wording" : undefined;
  const also = [...others, ...(wording === undefined ? [] : [wording])];
  const tail = also.length === 0 ? "" : ` Also changed: ${list(also)}.`;
  return `Changed (${chance}): ${leadOf(behaviour[0]!, report.alpha, name)}.${tail}`;
}

/** `confirm in 41 % of runs instead of 96 %, 4.3 times noise`. */
function leadOf(aspect: AspectResult, alpha: number, name: Quote): string {
  const signal = loudest(aspect);
  const size = signal === undefined ? "" : `, ${signalSize(signal)}`;
  const [item] = significantItems(aspect, alpha);
  return item === undefined
    ? `${aspectTitle[aspect.aspect]}, spread over many items${size}`
    : `${itemSentence(item, name)}${size}`;
}

function unchangedHeadline(report: CohortResult): string {
  const where = report.scope === "per_scenario" ? "Unchanged" : "Unchanged on average";
  return `${where}: ${boundsSentence(report)} (p = ${pText(report.p)}).`;
}

/** `every rate within ±18 points, sizes within ±16 %`. */
export function boundsSentence(report: CohortResult): string {
  const items = report.intervals?.items ?? [];
  const furthest = (kind: string) =>
    items.filter((item) => item.kind === kind).reduce((most, item) => Math.max(most, reach(item)), 0);
  return `every tool within ±${integer(100 * furthest("rate"))} points, sizes within ±${integer(100 * (2 ** furthest("size") - 1))} %`;
}

function reach({ low, high }: Interval): number {
  return Math.max(-low, high);
}

function undecidedHeadline(report: CohortResult, name: Quote): string {
  const codes = report.reasons.map(({ code }) => code);
  if (codes.includes("no_common_scenario"))
    return "Not enough evidence: no scenario has runs on both sides, so nothing was compared.";
  const found = report.cohort.identical ? "all runs are alike" : `nothing found (p = ${pText(report.p)})`;
  const widest = widestInterval(report.intervals?.items ?? []);
  if (widest !== undefined) {
    return `Not enough evidence: ${found}, but ${unseenSentence(widest, name)} unseen. ${neededSentence(report)}`;
  }
  return `Not enough evidence: ${found}, and one scenario alone cannot show that nothing changed.`;
}

/** `confirm could have moved by 24 points`. */
export function unseenSentence(item: Interval, name: Quote): string {
  const by =
    item.kind === "rate"
      ? `${integer(100 * Math.min(1, reach(item)))} points`
      : `${integer(100 * (2 ** reach(item) - 1))} %`;
  return `${intervalSubject(item, name)} could have moved by ${by}`;
}

export function intervalSubject({ item }: Interval, name: Quote): string {
  if (item.startsWith("has:")) return `calls of ${name(item.slice(4))}`;
  if (item.startsWith("stop:")) return `runs that end with ${name(item.slice(5))}`;
  switch (item) {
    case "failed":
      return "runs with a failed call";
    case "calls":
      return "the number of tool calls";
    case "turns":
      return "the number of responses";
    case "effects":
      return "the number of effects";
    default:
      return "the length of the texts";
  }
}

/** `About 60 runs a side would settle it.` */
export function neededSentence({ needed, cohort, reasons }: CohortResult): string {
  if (needed === null) return "";
  const now = Math.max(cohort.runsBaseline, cohort.runsCandidate);
  if (needed.runsPerSide === null) {
    return `More than ten times as many runs (${integer(10 * now)} a side) would be needed to settle it.`;
  }
  const tooFew = reasons.some(({ code }) => code === "too_few_relabellings");
  const runs = Math.max(needed.runsPerSide, tooFew ? 6 : 0, now + 1);
  return `About ${count(runs, "run")} a side would settle it (now ${integer(now)}).`;
}

/** What one can do about missing evidence, most useful first. */
export function advice(report: CohortResult): string[] {
  const { cohort, reasons, needed, alpha, reachable } = report;
  const codes = reasons.map(({ code }) => code);
  const lines: string[] = [];
  if (codes.includes("no_common_scenario")) {
    lines.push(
      "Scenarios are matched by the metadata scenario, task_id or case, else by file name. If the two sides name them differently, say how with --scenario KEY or --scenario REGEX.",
    );
    return lines;
  }
  if (codes.includes("too_few_relabellings") && !cohort.identical) {
    lines.push(
      `Even a complete change could not be told from chance here: the smallest p that ${designWords(report)} can give is ${pText(reachable)}, above ${alpha}. Use at least 6 scenarios, or ${count(smallestRepeats(cohort.scenarios, alpha), "run")} a side of each.`,
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
  return lines;
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

export function designWords({ cohort }: CohortResult): string {
  const { min, max } = cohort.repeats;
  const repeats = min === max ? `${count(min, "run")} a side of each` : `${min} to ${max} runs a side of each`;
  return `${count(cohort.scenarios, "scenario")} with ${repeats}`;
}

/** `12.5 times noise`, or for new tools `8 runs call a tool that no baseline run calls`. */
export function signalSize({ kind, ratio }: SignalResult): string {
  if (kind === "novel") return `${count(ratio, "run calls", "runs call")} a tool that no baseline run calls`;
  return `${ratio < 10 ? ratio.toFixed(1) : integer(ratio)} times noise`;
}

/** The signal that speaks loudest: smallest adjusted p, then the largest ratio; new tools only when nothing else does. */
export function loudest(aspect: AspectResult): SignalResult | undefined {
  const moved = aspect.signals.filter(({ adjusted }) => adjusted !== null);
  const byRank = (left: SignalResult, right: SignalResult) =>
    left.adjusted! - right.adjusted! ||
    Number(left.kind === "novel") - Number(right.kind === "novel") ||
    right.ratio - left.ratio;
  return [...moved].sort(byRank)[0];
}

/** Items that reach α after paying for the look, one per tool and statement. */
export function significantItems({ items }: AspectResult, alpha: number): Item[] {
  const kept: Item[] = [];
  const said = new Set<string>();
  for (const item of items) {
    if (item.adjusted > alpha) break;
    const subject = item.measure === "called" || item.measure === "calls_of" ? `tool ${item.tool}` : item.item;
    if (said.has(subject)) continue;
    said.add(subject);
    kept.push(preferShare(item, items, alpha));
  }
  return kept;
}

/** "In 41 % of runs instead of 96 %" says more than a number of calls, unless nearly every run calls the tool anyway. */
function preferShare(item: Item, items: readonly Item[], alpha: number): Item {
  if (item.measure !== "calls_of") return item;
  const share = items.find((other) => other.measure === "called" && other.tool === item.tool);
  if (share === undefined || share.adjusted > alpha) return item;
  const moved = Math.abs((share.candidateMean ?? 0) - (share.baselineMean ?? 0));
  const rare = Math.max(item.candidateMean ?? 0, item.baselineMean ?? 0) < 1;
  return moved >= 0.1 || rare ? share : item;
}

/** What to say of a changed aspect in which no single item stands out. */
export function spreadSentence({ signals, aspect }: AspectResult, alpha: number): string {
  if (aspect === "text") return "other words";
  const inside = signals.some(({ kind, adjusted }) => kind === "scenario" && adjusted !== null && adjusted <= alpha);
  return inside
    ? "the sides differ inside scenarios, each in its own way"
    : "spread over many items, none stands out alone";
}

/** Facts that stand whatever the verdict. */
export function firstSeenSentences({ firstSeen }: CohortResult, name: Quote): string[] {
  return firstSeen.map(({ tool, candidateRuns, ofRuns, ofBaselineRuns, chance }) => {
    const seen = `${name(tool)} is called in ${candidateRuns} of ${count(ofRuns, "candidate run")} and in none of ${count(ofBaselineRuns, "baseline run")}`;
    return `${seen}; ${chance === null ? "no baseline run of the same scenario to compare with" : chanceWords(chance)}`;
  });
}

/** What was left out or may mislead: silence is reported. */
export function cautions(report: CohortResult, name: Quote): string[] {
  const { cohort } = report;
  const lines: string[] = [];
  for (const side of ["baseline", "candidate"] as const) {
    const empty = cohort.leftOut.filter((entry) => entry.reason === "no_response" && entry.side === side);
    const runs = empty.reduce((sum, entry) => sum + entry.runs, 0);
    if (runs > 0) lines.push(`${count(runs, `${side} run`)} without any model response left out`);
    const lonely = cohort.leftOut.filter((entry) => entry.reason === "one_side_only" && entry.side === side);
    if (lonely.length === 0) continue;
    const some = lonely.slice(0, 3).map(({ scenario }) => name(scenario));
    const more = lonely.length > 3 ? ` and ${lonely.length - 3} more` : "";
    lines.push(
      `${count(lonely.length, "scenario")} with runs in the ${side} only left out (${some.join(", ")}${more})`,
    );
  }
  for (const { scenario, formats } of cohort.collisions.slice(0, 3)) {
    lines.push(
      `scenario ${name(scenario)} names runs of several formats (${list(formats)}); each format is compared with itself only`,
    );
  }
  if (cohort.collisions.length > 3)
    lines.push(`${cohort.collisions.length - 3} more scenario ids used by several formats`);
  const { baseline, candidate } = cohort.formats;
  if (baseline.length > 0 && candidate.length > 0 && !baseline.some((format) => candidate.includes(format))) {
    lines.push(
      `the sides were read from different formats (${list(baseline)}; ${list(candidate)}): what a format records may differ, not only what the agent does`,
    );
  }
  if (cohort.times !== null && !cohort.times.overlap) {
    lines.push(
      `the sides were not recorded at the same time (baseline ${day(cohort.times.baseline.from)} to ${day(cohort.times.baseline.to)}, candidate ${day(cohort.times.candidate.from)} to ${day(cohort.times.candidate.to)}): the provider or the world may have changed instead of the agent`,
    );
  }
  if (cohort.onBothSides > 0) {
    lines.push(
      `${count(cohort.onBothSides, "run stands", "runs stand")} on both sides: a run compared with itself says nothing about the next one`,
    );
  }
  if (!cohort.comparedPairs)
    lines.push(
      "too many runs per scenario to compare them pair by pair: changes that differ between scenarios were not looked for",
    );
  return lines;
}

function day(time: string): string {
  return time.slice(0, 16).replace("T", " ");
}

/** How the answer was reached, in one sentence. */
export function methodSentence({ relabellings, p, alpha }: CohortResult): string {
  const how = relabellings.exact
    ? `all ${integer(relabellings.count)} ways to relabel the runs`
    : `${integer(relabellings.count)} random ways to relabel the runs (seed ${relabellings.seed})`;
  return `Compared with ${how}: ${percentOf(p)} look at least as much like a change. "Changed" needs ${percentOf(alpha)} or fewer.`;
}

/** p with as many digits as it deserves. */
export function pText(p: number): string {
  if (p >= 0.1) return p.toFixed(2);
  return p >= 0.01 ? p.toFixed(3) : p.toFixed(4);
}
