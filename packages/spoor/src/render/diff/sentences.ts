/** The lines around the table, as sentences. Terminal and Markdown print the same words. */
import type { AxisRow } from "@spoor/core/diff/axis-row";
import type { DiffReport, TracePairResult, TurnChange } from "@spoor/core/diff/diff-report";
import { type Divergence, isAction } from "@spoor/core/diff/divergence";
import type { GoingIn } from "@spoor/core/diff/going-in";
import type { Pattern } from "@spoor/core/diff/recommendations";
import type { Coverage } from "@spoor/core/report/report";
import { printable } from "../../document/printable.ts";
import { count, integer, list, percent } from "../../document/words.ts";
import { changeText, shownValue } from "./argument-lines.ts";
import { signedAmount } from "./axis-words.ts";
import type { MarkName } from "./verdict-sentence.ts";

/** "5 traces paired by file name, 15 turn pairs, 2 baseline turns left over." */
export function matchingSentence(report: DiffReport): string {
  const { matching, leftOver, pairCount, pairing } = report;
  const parts = matching.by === "pair" ? [] : [`${count(matching.pairs, "trace")} paired by ${matching.by}`];
  parts.push(count(pairCount, "turn pair") + (pairing === "index" ? " by position" : ""));
  if (leftOver.baseline > 0) parts.push(`${count(leftOver.baseline, "baseline turn")} left over`);
  if (leftOver.candidate > 0) parts.push(`${count(leftOver.candidate, "candidate turn")} left over`);
  return `${parts.join(", ")}.`;
}

/** Traces without a partner; undefined when every trace has one. */
export function unmatchedSentence({ matching }: DiffReport): string | undefined {
  const parts: string[] = [];
  if (matching.onlyBaseline.length > 0)
    parts.push(`only in the baseline: ${nameSome(matching.onlyBaseline.map(({ name }) => name))}`);
  if (matching.onlyCandidate.length > 0)
    parts.push(`only in the candidate: ${nameSome(matching.onlyCandidate.map(({ name }) => name))}`);
  return parts.length === 0 ? undefined : `${parts.join("; ")}. They are not compared.`;
}

function nameSome(names: readonly string[], most = 5): string {
  const shown = names.slice(0, most).map(printable);
  return names.length <= most ? list(shown) : `${shown.join(", ")} and ${integer(names.length - most)} more`;
}

const NUMBER_WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/** What a sample of this size can and cannot show. */
export function powerSentence(report: DiffReport): string {
  const { power, pairCount } = report;
  if (pairCount === 0) return "There is nothing to compare: no turn of one side has a partner on the other.";
  if (power.tier === "low") {
    const samples = Math.round(1 / power.smallestPValue);
    const all =
      pairCount === 1
        ? "it moved, chance alone would move it the same way every time"
        : `all ${pairCount} had moved the same way, chance alone would do that in 1 of ${samples} samples`;
    return (
      `Only ${count(pairCount, "turn pair")}. No grade below is supported by statistics: even if ${all}. ` +
      "What is listed as a divergence did happen; how often it happens needs more runs."
    );
  }
  const enough = power.tier === "moderate" ? "Enough to see large shifts" : "Enough to see moderate shifts";
  const odds = Math.round(1 / power.unseenTenth);
  if (power.unseenTenth < 0.05) return `${enough}; a habit shown in 1 turn of 10 would almost certainly appear.`;
  return `${enough}; a habit shown in 1 turn of 10 would stay unseen in one of ${NUMBER_WORDS[odds] ?? integer(odds)} samples of this size.`;
}

/** Size and reach of a comparison that found nothing: there are no grades to speak of. */
export function calmSentence(report: DiffReport): string {
  const matching = matchingSentence(report);
  return report.power.tier === "low"
    ? `${matching} Too few to see what happens only now and then.`
    : `${matching} ${powerSentence(report)}`;
}

/** What the two sides were given: the likely cause. What was not recorded is named, never called the same. */
export function goingInSentence(goingIn: GoingIn, mark: MarkName = printable): string {
  if (goingIn.compared === 0) return "the requests were not recorded, so what went in cannot be compared.";
  const { system, model, tools, settings } = goingIn;
  const changed: string[] = [];
  if (system.status === "changed" || system.status === "rewritten") changed.push(promptSentence(goingIn, mark));
  if (model.status === "changed")
    changed.push(`the model changed from ${names(model.baseline, mark)} to ${names(model.candidate, mark)}.`);
  if (tools.status === "changed") changed.push(toolsSentence(goingIn, mark));
  if (settings.status === "changed") changed.push(settingsSentence(goingIn, mark));
  const states = {
    "system prompt": system.status,
    model: model.status,
    tools: tools.status,
    settings: settings.status,
  };
  const inState = (status: string) =>
    Object.entries(states).flatMap(([name, state]) => (state === status ? [name] : []));
  const same = inState("same");
  const unknown = inState("none");
  const sentences = [...changed];
  if (changed.length === 0 && same.length > 0) sentences.push(`the same on both sides: ${list(same)}.`);
  else if (same.length > 0) sentences.push(`${capital(list(same))} ${isPlural(same) ? "are" : "is"} the same.`);
  if (unknown.length > 0) sentences.push(`${sentences.length === 0 ? "not" : "Not"} recorded: ${list(unknown)}.`);
  if (goingIn.compared < goingIn.pairs) {
    sentences.push(`Requests were recorded in ${integer(goingIn.compared)} of ${count(goingIn.pairs, "pair")}.`);
  }
  // The sentence continues "Going in"; only what follows a full stop begins with a capital letter.
  return sentences.map((sentence, index) => (index === 0 ? sentence : capital(sentence))).join("  ");
}

function isPlural(items: readonly string[]): boolean {
  return items.length > 1 || items[0] === "tools" || items[0] === "settings";
}

function promptSentence({ system }: GoingIn, mark: MarkName): string {
  const { added, removed } = system;
  if (system.status === "rewritten") return "the system prompt is another.";
  const one = added.length + removed.length === 1 ? `: "${clip(mark((added[0] ?? removed[0])!))}"` : ".";
  if (removed.length === 0) return `the system prompt has ${count(added.length, "line")} more${one}`;
  if (added.length === 0) return `the system prompt has ${count(removed.length, "line")} less${one}`;
  return `the system prompt differs: ${count(added.length, "line")} added, ${integer(removed.length)} removed.`;
}

function settingsSentence({ settings }: GoingIn, mark: MarkName): string {
  const shown = settings.changed
    .slice(0, 5)
    .map((one) => `${mark(one.name)} is ${shownValue(one.candidate)} instead of ${shownValue(one.baseline)}`);
  const more = settings.changed.length > 5 ? `, and ${settings.changed.length - 5} more` : "";
  return `settings changed: ${shown.join(", ")}${more}.`;
}

function clip(text: string, length = 160): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

function toolsSentence({ tools }: GoingIn, mark: MarkName): string {
  const parts: string[] = [];
  if (tools.added.length > 0) parts.push(`also offered: ${names(tools.added, mark)}`);
  if (tools.removed.length > 0) parts.push(`no longer offered: ${names(tools.removed, mark)}`);
  if (tools.changed.length > 0) parts.push(`described otherwise: ${names(tools.changed, mark)}`);
  return `the tools differ, ${parts.join("; ")}.`;
}

function names(items: readonly string[], mark: MarkName): string {
  if (items.length === 0) return "none";
  return items.length <= 5
    ? list(items.map(mark))
    : `${items.slice(0, 5).map(mark).join(", ")} and ${items.length - 5} more`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** "32 turns and 22 tool calls read; every call has its result" */
export function coverageSentence(coverage: Coverage): string {
  const parts = [`${count(coverage.turns, "turn")} and ${count(coverage.toolCalls, "tool call")} read`];
  if (coverage.toolCalls > 0) {
    parts.push(
      coverage.callsWithoutResult === 0
        ? "every call has its result"
        : `${count(coverage.callsWithoutResult, "call")} ${coverage.callsWithoutResult === 1 ? "has" : "have"} no result`,
    );
  }
  const unknown = Object.entries(coverage.unknown);
  if (unknown.length > 0)
    parts.push(`not understood: ${list(unknown.map(([type, amount]) => `${integer(amount)} ${printable(type)}`))}`);
  if (coverage.skippedLines > 0) parts.push(`${count(coverage.skippedLines, "line")} skipped`);
  if (coverage.truncated.length > 0) parts.push(`truncated: ${list(coverage.truncated.map(printable))}`);
  return parts.join("; ");
}

/** "2 new violations, 1 new warning, 0 fixed" */
export function policySentence(policy: NonNullable<DiffReport["policy"]>): string {
  const warnings = policy.regressions.filter((finding) => finding.severity === "moderate").length;
  const infos = policy.regressions.filter((finding) => finding.severity === "minor").length;
  const violations = policy.regressions.length - warnings - infos;
  const parts = [count(violations, "new violation"), count(warnings, "new warning")];
  if (infos > 0) parts.push(count(infos, "new note"));
  parts.push(`${integer(policy.fixes.length)} fixed`);
  if (policy.notEvaluated.length > 0) {
    const rules = new Set(policy.notEvaluated.map((entry) => entry.ruleId)).size;
    parts.push(`${count(rules, "rule")} not evaluated`);
  }
  return parts.join(", ");
}

/** What one divergence is, in a clause. */
export function divergenceClause({ reason, calls }: Divergence, mark: MarkName, arrow: string): string {
  const first = calls?.arguments[0];
  switch (reason.code) {
    case "turn_dropped":
      return reason.tools.length === 0 ? "a reply is gone" : `${list(reason.tools.map(mark))} is no longer called here`;
    case "turn_inserted":
      return reason.tools.length === 0 ? "a reply is new" : `${list(reason.tools.map(mark))} is newly called here`;
    case "calls_changed": {
      const parts: string[] = [];
      if (reason.dropped.length > 0) parts.push(`no longer ${list(reason.dropped.map(mark))}`);
      if (reason.added.length > 0) parts.push(`now ${list(reason.added.map(mark))}`);
      return parts.join(", ");
    }
    case "call_count_changed":
      return `${integer(reason.candidate)} calls instead of ${integer(reason.baseline)}`;
    case "stop_reason_changed":
      return `ends with ${reason.candidate === "" ? "no stated reason" : mark(reason.candidate)} instead of ${reason.baseline === "" ? "none" : mark(reason.baseline)}`;
    case "argument_changed":
      return first === undefined
        ? `${mark(reason.tool)} has other arguments`
        : `${mark(first.tool)} ${changeText(first, arrow)}`;
    case "calls_reordered":
      return "the same calls in another order";
    case "text_changed":
      return first === undefined
        ? `says something else (${percent(reason.similarity)} alike)`
        : `${mark(first.tool)} ${changeText(first, arrow)}`;
  }
}

/** "ticket-1044, turns 2 and 3: the same, refund.amount 25.00 → 50.00"; with many changes, how many and the first. */
export function traceClause(
  trace: TracePairResult,
  first: TracePairResult | undefined,
  mark: MarkName,
  arrow: string,
): string {
  if (trace.changes.length > TURNS_NAMED) {
    const turns =
      trace.pairCount +
      trace.changes.filter((change) => change.baselineTurn === undefined || change.candidateTurn === undefined).length;
    const clause = acts(trace)[0];
    const begins =
      clause === undefined ? "" : `, worst: ${divergenceClause(clause, mark, arrow)} (turn ${clause.baselineTurn + 1})`;
    return `${mark(trace.name)}: ${integer(trace.changes.length)} of ${count(turns, "turn")} differ${begins}`;
  }
  const where = `${mark(trace.name)}, ${turnWords(trace.changes)}`;
  if (first !== undefined && signature(trace) === signature(first)) {
    const change = acts(trace).flatMap((one) => one.calls?.arguments ?? [])[0];
    return `${where}: the same${change === undefined ? "" : `, ${changeText(change, arrow)}`}`;
  }
  const [worst] = acts(trace);
  const more = trace.changes.length > 1 ? `, and ${integer(trace.changes.length - 1)} more` : "";
  return worst === undefined ? where : `${where}: ${divergenceClause(worst, mark, arrow)}${more}`;
}

const TURNS_NAMED = 4;

/** "turn 2", "turns 2 and 3": baseline turns; those that only the candidate has are marked as new. */
function turnWords(changes: readonly TurnChange[]): string {
  const numbers = changes.map(({ baselineTurn, candidateTurn }) =>
    baselineTurn === undefined ? `${candidateTurn! + 1} (new)` : String(baselineTurn + 1),
  );
  return numbers.length === 1 ? `turn ${numbers[0]}` : `turns ${list(numbers)}`;
}

/** Divergences in what is done, not only in what is said. */
function acts(trace: TracePairResult): Divergence[] {
  return trace.divergences.filter(isAction);
}

/** Two traces changed in the same way when they changed in the same kinds and tools, whatever the values. */
function signature(trace: TracePairResult): string {
  return JSON.stringify(
    acts(trace).map(({ reason, calls }) => [
      reason.code,
      "tools" in reason ? reason.tools : [],
      (calls?.arguments ?? []).map((change) => [change.tool, change.path]),
    ]),
  );
}

/** "semantic -0.10, interval -0.13 to 0.00; lower in 8 pairs, equal in 7; sign test p = 0.008, 0.055 corrected for 7 rows" */
export function rowSentence(row: AxisRow, rowsWithData: number): string {
  const { up, down, equal, pValue, correctedPValue } = row.sign;
  const moves = [
    ...(down > 0 ? [`lower in ${count(down, "pair")}`] : []),
    ...(up > 0 ? [`higher in ${down > 0 ? integer(up) : count(up, "pair")}`] : []),
    ...(equal > 0 ? [`equal in ${down + up > 0 ? integer(equal) : count(equal, "pair")}`] : []),
  ];
  const byTrace =
    row.traceCi95 === undefined
      ? ""
      : ` (drawing whole traces ${signedAmount(row.axis, row.traceCi95.low)} to ${signedAmount(row.axis, row.traceCi95.high)})`;
  return (
    `${row.axis} ${signedAmount(row.axis, row.delta)}, interval ${signedAmount(row.axis, row.ci95Low)} to ${signedAmount(row.axis, row.ci95High)}${byTrace}; ` +
    `${moves.join(", ")}; sign test p = ${pText(pValue)}, ${pText(correctedPValue)} corrected for ${count(rowsWithData, "row")}`
  );
}

function pText(p: number): string {
  if (p >= 0.9995) return "1";
  return p < 0.001 ? "below 0.001" : p.toFixed(3);
}

/** What several axes point to together. */
export const patternWords: Readonly<Record<Pattern, string>> = {
  model_swap: "another model: price, reply time and meaning moved together",
  prompt_drift: "another prompt: meaning and reply length moved together",
  refusal_escalation: "refusals rose sharply",
  tool_schema_migration: "tools were changed: calls differ and thinking moved with them",
  hallucination_cluster: "answers got worse: meaning and the judge's score moved together",
  context_overflow: "longer inputs: price and thinking rose",
  retry_loop: "retries: calls differ and replies take longer",
  cache_mismatch: "lost caching: only the price rose",
  prompt_injection: "possibly injected instructions: other calls, fewer refusals",
  latency_without_cost: "a slower service: only reply time rose",
};
