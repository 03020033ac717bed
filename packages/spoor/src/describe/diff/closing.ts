/** The last lines of a diff: what else changed, what went in, what was not seen, why it blocks, what to type next. */
import type { DiffReport } from "@spoor/core/internal/diff/diff-report";
import { divergenceKinds as divergenceKindNames } from "@spoor/core/internal/diff/divergence";
import type { Block, Closing, Fact, Text } from "../../document/document.ts";
import { joined, name, say } from "../../document/text.ts";
import { clip, count, integer, list, percent } from "../../document/words.ts";
import { coverageText } from "../coverage.ts";
import { newToolText } from "./new-tools.ts";
import { cohortCommand, nextCommand } from "./next-command.ts";
import { goingInTexts, patternWords, policySentence, traceClause, unmatchedText } from "./sentences.ts";

const TRACES_LISTED = 10;

/** What else changed and what went in. */
export function closingFacts(report: DiffReport, verbose: boolean): Fact[] {
  const facts: Fact[] = [];
  const add = (label: string, text: Text | string) =>
    facts.push({ label, text: typeof text === "string" ? [text] : text });
  const addAll = (label: string, texts: readonly Text[]) =>
    texts.forEach((text, index) => {
      add(index === 0 ? label : "", text);
    });
  addAll("New tools", report.newTools.map(newToolText));
  addAll("Also", alsoClauses(report));
  if (report.verdict.code !== "not_enough") {
    add("Kinds", kindsSentence(report));
    for (const { pattern } of report.recommendations) if (pattern !== undefined) add("Likely", patternWords[pattern]);
    if (verbose || report.verdict.code === "turns_differ") add("Runs", runsSentence(report));
    if (report.pairCount > 0) addAll("Going in", goingInTexts(report));
  }
  addAll("Judge", judgeTexts(report));
  if (report.policy !== undefined) addAll("Policy", [[policySentence(report.policy)], ...unjudgedTexts(report.policy)]);
  return facts;
}

/** Each rule without a verdict, with the reason; one reason of several traces once. */
function unjudgedTexts({ notEvaluated }: NonNullable<DiffReport["policy"]>): Text[] {
  const reasons = new Map(notEvaluated.map(({ ruleId, why }) => [`${ruleId} ${why}`, { ruleId, why }]));
  const listed = [...reasons.values()].slice(0, RULES_LISTED).map(({ ruleId, why }) => say`${name(ruleId)}: ${why}`);
  return reasons.size > RULES_LISTED ? [...listed, [`… ${reasons.size - RULES_LISTED} more`]] : listed;
}

const RULES_LISTED = 5;

/** What was and was not looked at. */
export function seenFacts(report: DiffReport, verbose: boolean): Fact[] {
  const facts: Fact[] = [];
  const add = (label: string, text: Text | string) =>
    facts.push({ label, text: typeof text === "string" ? [text] : text });
  add("Unmatched", unmatchedText(report));
  if (report.cohort === undefined && cohortCommand(report) !== undefined)
    add("Noise", "runs of an unchanged agent differ as well; the last line asks whether these differ more");
  add("Coverage", coverageText(report.coverage));
  if (verbose) for (const { what, why } of report.coverage.notEvaluated) add("Not seen", say`${name(what)}: ${why}`);
  add("Alignment", roughAlignment(report));
  return facts;
}

/** "2 structural (other calls or order), 2 decision (other arguments, end or answer), 3 style (other words)" */
function kindsSentence({ divergenceKinds }: DiffReport): string {
  const parts = divergenceKindNames.flatMap((kind) =>
    divergenceKinds[kind] === 0 ? [] : [`${integer(divergenceKinds[kind])} ${kind} (${DIVERGENCE_WORDS[kind]})`],
  );
  return parts.join(", ");
}

const DIVERGENCE_WORDS = {
  structural: "other calls or order",
  decision: "other arguments, end or answer",
  style: "other words",
} as const;

export function closing(report: DiffReport, exitCode: number): Closing {
  const next = [nextCommand(report), cohortCommand(report)].filter((command) => command !== undefined);
  const { gate, verdict } = report;
  if (verdict.code === "not_enough") return { kind: "closing", text: ["No verdict is possible."], exitCode, next };
  const open = openQuestions(report);
  if (open !== undefined) return { kind: "closing", text: [open], exitCode, next };
  if (!gate.tripped) return { kind: "closing", next };
  const reasons = joined(
    gate.reasons.map((reason) => [name(reason.subject)]),
    ", ",
  );
  return { kind: "closing", text: say`Blocked by --fail-on ${gate.failOn}: ${reasons}.`, exitCode, next };
}

/** What was asked and not answered: without it there is no verdict. */
function openQuestions({ rows, policy, pairCount }: DiffReport): string | undefined {
  const unanswered = rows.find((row) => row.unanswered !== undefined)?.unanswered;
  const rules = new Set((policy?.notEvaluated ?? []).map((entry) => entry.ruleId)).size;
  const parts = [
    ...(unanswered === undefined
      ? []
      : [`the judge gave no score for ${integer(unanswered.pairs)} of ${count(pairCount, "turn pair")}`]),
    ...(rules === 0 ? [] : [`${count(rules, "rule")} could not be evaluated`]),
  ];
  return parts.length === 0 ? undefined : `No verdict: ${list(parts)}.`;
}

/** What the judge said, the worst first. */
function judgeTexts({ judge, traces }: DiffReport): Text[] {
  if (judge === undefined) return [];
  const same = judge.same === 0 ? "" : `, ${integer(judge.same)} say and do the same`;
  const lowest = judge.lowest.slice(0, JUDGED_LISTED).map(({ traceIndex, candidateTurn, score, reasoning }) => {
    const where = say`${name(traces[traceIndex]!.name)}, turn ${candidateTurn + 1}`;
    return say`${score.toFixed(2)} at ${where}${reasoning === undefined ? [] : say`: ${name(clip(reasoning, 160))}`}`;
  });
  const open = judge.unanswered.map(({ why, pairs }) => say`${count(pairs, "turn pair")} without a score: ${why}`);
  return [say`${name(judge.by)}: ${count(judge.asked, "turn pair")} asked${same}`, ...lowest, ...open];
}

const JUDGED_LISTED = 3;

/** Every other trace that changed, for a comment. */
export function otherTraces(report: DiffReport): Block | undefined {
  const clauses = alsoClauses(report);
  if (clauses.length === 0) return undefined;
  return {
    kind: "fold",
    name: "the other traces",
    title: [`${count(otherChanged(report).length, `other ${report.noun}`)} changed`],
    blocks: [{ kind: "findings", titles: [], items: clauses.map((clause) => ({ cells: [clause] })) }],
  };
}

function otherChanged(report: DiffReport): DiffReport["traces"] {
  const shown = report.firstDivergence?.traceIndex;
  return report.traces.filter((trace, index) => index !== shown && trace.changes.length > 0);
}

/** Every other trace that changed; beyond ten the rest is counted by kind. */
function alsoClauses(report: DiffReport): Text[] {
  const shown = report.firstDivergence?.traceIndex;
  const first = shown === undefined ? undefined : report.traces[shown];
  const others = otherChanged(report);
  if (others.length <= TRACES_LISTED) return others.map((trace) => traceClause(trace, first));
  const worst = [...others].sort((one, other) => other.changes.length - one.changes.length).slice(0, TRACES_LISTED - 1);
  const rest = others.filter((trace) => !worst.includes(trace));
  const turns = rest.reduce((sum, trace) => sum + trace.changes.length, 0);
  const kinds = new Map<string, number>();
  for (const trace of rest) {
    for (const { change } of trace.changes) kinds.set(KIND_WORDS[change], (kinds.get(KIND_WORDS[change]) ?? 0) + 1);
  }
  const counted = [...kinds].map(([kind, amount]) => `${integer(amount)} ${kind}`);
  return [
    ...worst.map((trace) => traceClause(trace, first)),
    [`${count(rest.length, `more ${report.noun}`)} with ${count(turns, "changed turn")}: ${list(counted)}`],
  ];
}

const KIND_WORDS = {
  calls: "with other calls",
  stop_reason: "with another end",
  calls_and_stop_reason: "with other calls and another end",
  only_baseline: "gone",
  only_candidate: "new",
} as const;

function runsSentence(report: DiffReport): string {
  const moved = report.traces.filter((trace) => trace.sessionDistance.calledWith > 0);
  if (moved.length === 0) return "";
  const calls = report.traces.reduce((sum, trace) => sum + trace.sessionDistance.calls, 0);
  const share = (key: "names" | "calledWith") =>
    report.traces.reduce((sum, trace) => sum + trace.sessionDistance[key] * trace.sessionDistance.calls, 0) /
    Math.max(1, calls);
  return `over whole runs ${percent(share("calledWith"))} of the tool calls differ (${percent(share("names"))} by name alone), in ${integer(moved.length)} of ${count(report.traces.length, report.noun)}`;
}

/** Said only when not every possibility was weighed. */
function roughAlignment(report: DiffReport): string {
  const rough = report.traces.filter((trace) => trace.alignment === "banded" || trace.alignment === "by_index");
  if (rough.length === 0) return "";
  const byIndex = rough.filter((trace) => trace.alignment === "by_index").length;
  return byIndex > 0
    ? `${count(byIndex, report.noun)} had stretches too long to compare every turn with every other; they were paired in order`
    : `${count(rough.length, report.noun)} had long unlike stretches; there only turns near each other were compared`;
}
