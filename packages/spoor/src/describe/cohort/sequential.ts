/** The sequential test in words: has the stake grown enough, and what it grew on. */
import type { EarlyStop, SequentialReport, SequentialState } from "@spoor/core/internal/cohort/sequential-cohort";
import type { Check } from "../../document/check.ts";
import type { Block, Document, Mark, Section, Text, Verdict } from "../../document/document.ts";
import { shellWord } from "../../document/shell-word.ts";
import { name, say, sentences } from "../../document/text.ts";
import { count, integer, list } from "../../document/words.ts";
import { footerOf } from "../footer.ts";
import { sidesOf } from "../sides.ts";
import type { DescribeView } from "../view.ts";
import { aspectTitle } from "./aspects.ts";

const GROUP_WORDS: Readonly<Record<string, string>> = { ...aspectTitle, style: "form of the text", text: "words" };

export function describeSequential(report: SequentialReport, view: DescribeView): Document {
  const next = nextCommand(report);
  const strongest = strongestFirst(report);
  return {
    id: "spoor:cohort-sequential",
    subject: sidesOf(report),
    blocks: [
      verdictOf(report),
      {
        kind: "group",
        blocks: [
          ...supportTexts(report).map((text): Block => ({ kind: "paragraph", text })),
          {
            kind: "group",
            only: ["markdown", "html"],
            blocks: [
              { kind: "section", id: "evidence", title: ["Evidence by aspect"], blocks: [groupTable(strongest)] },
            ],
          },
          { kind: "closing", exitCode: view.exitCode, next: next === undefined ? [] : [next] },
        ],
      },
    ],
    footer: footerOf(report),
  };
}

/** It never passes: it fails where a change is certain or proof is required, and warns otherwise. */
export function checksOfSequential(report: SequentialReport): Check[] {
  const { word, headline, detail } = verdictOf(report);
  const message = sentences(say`${word}: ${headline}.`, detail);
  return [
    { suite: "cohort", name: "sequential", mark: report.gate.tripped ? "failed" : "warning", message, places: [] },
  ];
}

function verdictOf(report: SequentialReport): Verdict & { readonly word: string } {
  const { verdict, stoppedAfter, pairs, alpha } = report;
  const mark = markOf(report);
  if (verdict === "changed")
    return {
      kind: "verdict",
      mark,
      word: "Changed",
      headline: [`the evidence suffices after ${count(stoppedAfter!, "pair")} of runs`],
      detail: paidFor(alpha, report.carried === undefined ? "recordings" : "such series of pull requests"),
    };
  if (pairs === (report.carried?.pairs ?? 0) && (report.carried?.countedBefore.candidate ?? 0) === 0)
    return {
      kind: "verdict",
      mark,
      word: "Not enough evidence",
      headline: ["no scenario has a run on both sides, so nothing was compared"],
    };
  return {
    kind: "verdict",
    mark,
    word: "Not enough evidence",
    headline: [`${count(pairs, "pair")} of runs ${pairs === 1 ? "does" : "do"} not settle it`],
    detail: ["This is not a pass: the sequential test can find a change, never its absence."],
  };
}

function paidFor(alpha: number, what = "recordings"): Text {
  return [`Looking after every pair is paid for: chance alone gets here in at most ${100 * alpha} of 100 ${what}.`];
}

/** For a gate whose runs were stopped: what was certain, and how many runs that took. */
export function earlyStopHeadline({ stoppedAfter, plannedPairs }: EarlyStop): Text {
  return [`the agent changed, which was certain after ${stoppedAfter} of ${count(plannedPairs, "pair")} of runs`];
}

export function earlyStopDetail(stop: EarlyStop): Text {
  return sentences(["The other runs were not made."], evidenceText(stop), paidFor(stop.alpha));
}

export function earlyStopSection(stop: EarlyStop): Section {
  return {
    kind: "section",
    id: "early-stop",
    title: ["Stopped early"],
    sub: earlyStopDetail(stop),
    blocks: [groupTable(strongestFirst(stop))],
  };
}

function markOf({ verdict }: SequentialReport): Mark {
  return verdict === "changed" ? "failed" : "unknown";
}

function supportTexts(report: SequentialReport): Text[] {
  const { wealth, threshold, waiting, withoutResponse } = report;
  const texts: Text[] = [
    [
      `A stake of 1 that bets on "the next pair differs like the ones before" has grown to ${stake(wealth)}; ${threshold.toFixed(0)} decides.`,
    ],
  ];
  const evidence = evidenceText(report);
  if (evidence.length > 0) texts.push(evidence);
  texts.push(...carriedTexts(report));
  if (waiting.baseline + waiting.candidate > 0)
    texts.push([
      `Without a partner: ${count(waiting.baseline, "baseline run")}, ${count(waiting.candidate, "candidate run")}.`,
    ]);
  if (withoutResponse > 0)
    texts.push([
      `${count(withoutResponse, "run")} without any model response: counted as ended without an answer, and in nothing else.`,
    ]);
  return texts;
}

/** What earlier pull requests brought, and what was not counted a second time. */
function carriedTexts({ carried, pairs, waiting }: SequentialReport): Text[] {
  if (carried === undefined) return [];
  const { file, recordings, wealth, countedBefore } = carried;
  const now = count(pairs - carried.pairs, "new pair");
  const texts: Text[] = [
    recordings === 0
      ? say`The first recording of ${name(file)}: ${now}. The next one goes on from here.`
      : say`Carried on in ${name(file)}: ${count(carried.pairs, "pair")} of ${count(recordings, "earlier recording")} (the stake was ${stake(wealth)}), ${now}.`,
  ];
  if (countedBefore.candidate > 0)
    texts.push([
      `${count(countedBefore.candidate, "candidate run was", "candidate runs were")} counted before, and not again.`,
    ]);
  if (waiting.baseline === 0 && countedBefore.baseline > 0)
    texts.push([
      "Every baseline run has met a candidate and is used up: record more runs of the same agent beside them.",
    ]);
  return texts;
}

/** Empty while no aspect speaks for a change. */
function evidenceText(state: SequentialState): Text {
  const grown = strongestFirst(state).filter((group) => group.wealth > 1);
  if (grown.length === 0) return [];
  const most = grown.slice(0, 3).map(({ group, wealth }) => `${groupWords(group)} (${stake(wealth)})`);
  return [`Most evidence in ${list(most)}.`];
}

type Groups = SequentialState["groups"];

function strongestFirst({ groups }: SequentialState): Groups {
  return [...groups].sort((left, right) => right.wealth - left.wealth);
}

function groupTable(groups: Groups): Block {
  return {
    kind: "table",
    caption: "What a stake on each aspect has grown to",
    columns: [{ title: "aspect" }, { title: "a stake of 1 is now", align: "right" }],
    rows: groups.map(({ group, wealth }) => ({ cells: [[groupWords(group)], [stake(wealth)]] })),
  };
}

function stake(wealth: number): string {
  return wealth < 100 ? wealth.toFixed(1) : integer(wealth);
}

function groupWords(group: string): string {
  return GROUP_WORDS[group] ?? group;
}

function nextCommand({ inputs }: SequentialReport): string | undefined {
  const [baseline, candidate] = inputs.map(({ path }) => path);
  if (baseline === undefined || candidate === undefined || candidate === "-") return undefined;
  return `spoor cohort ${shellWord(baseline)} ${shellWord(candidate)}`;
}
