/** The sequential test on a terminal and as Markdown. */
import type { SequentialReport } from "@spoor/core/cohort/sequential-cohort";
import { shellWord } from "../../document/shell-word.ts";
import { count, list } from "../../document/words.ts";
import type { TerminalStyle } from "../../write/terminal/terminal-style.ts";
import { hang } from "./flow.ts";

const GROUP_WORDS: Readonly<Record<string, string>> = { style: "form of the text", text: "words" };

function headlineOf({ verdict, stoppedAfter, pairs, alpha }: SequentialReport): string {
  if (verdict === "changed") {
    return `Changed: the evidence suffices after ${count(stoppedAfter!, "pair")} of runs. Looking after every pair is paid for: chance alone gets here in at most ${100 * alpha} of 100 recordings.`;
  }
  if (pairs === 0) return "Not enough evidence: no scenario has a run on both sides yet.";
  return `Not enough evidence after ${count(pairs, "pair")} of runs. This is not a pass: the sequential test can find a change, never its absence.`;
}

function support(report: SequentialReport): string[] {
  const { wealth, threshold, groups, waiting, withoutResponse } = report;
  const strongest = [...groups].sort((left, right) => right.wealth - left.wealth).filter((group) => group.wealth > 1);
  const lines = [
    `A stake of 1 that bets on "the next pair differs like the ones before" has grown to ${wealth.toFixed(1)}; ${threshold.toFixed(0)} decides.`,
  ];
  if (strongest.length > 0) {
    lines.push(
      `Most evidence in ${list(strongest.slice(0, 3).map(({ group, wealth: own }) => `${GROUP_WORDS[group] ?? group} (${own.toFixed(1)})`))}.`,
    );
  }
  if (waiting.baseline + waiting.candidate > 0) {
    lines.push(
      `Without a partner: ${count(waiting.baseline, "baseline run")}, ${count(waiting.candidate, "candidate run")}.`,
    );
  }
  if (withoutResponse > 0) lines.push(`${count(withoutResponse, "run")} without any model response left out.`);
  return lines;
}

function nextOf({ inputs }: SequentialReport): string | undefined {
  const [baseline, candidate] = inputs.map(({ path }) => path);
  if (baseline === undefined || candidate === undefined || candidate === "-") return undefined;
  return `spoor cohort ${shellWord(baseline)} ${shellWord(candidate)}`;
}

export function renderSequentialTerminal(report: SequentialReport, style: TerminalStyle): string {
  const symbol = report.verdict === "changed" ? style.symbols.failed : style.symbols.unknown;
  const lines = [hang(`${symbol} `, headlineOf(report), style.columns), ""];
  for (const line of support(report)) lines.push(hang("  ", line, style.columns));
  const exit = `exit code ${report.gate.tripped ? 1 : 0}`;
  lines.push(exit.padStart(style.columns));
  const next = nextOf(report);
  if (next !== undefined) lines.push(`  Next: ${next}`);
  return `${lines.join("\n")}\n`;
}

export function renderSequentialMarkdown(report: SequentialReport): string {
  const mark = report.verdict === "changed" ? "✗" : "?";
  return `${[`### ${mark} ${headlineOf(report)}`, "", ...support(report).map((line) => `- ${line}`)].join("\n")}\n`;
}
