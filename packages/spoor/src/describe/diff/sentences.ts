/** The lines around the table of signals, as sentences. */
import type { AxisRow } from "@spoor/core/internal/diff/axis-row";
import type { DiffReport, TracePairResult } from "@spoor/core/internal/diff/diff-report";
import { type Divergence, isAction } from "@spoor/core/internal/diff/divergence";
import type { GoingIn } from "@spoor/core/internal/diff/going-in";
import type { FirstInput } from "@spoor/core/internal/diff/input-difference";
import type { TurnChange } from "@spoor/core/internal/diff/pair-turns";
import type { Pattern } from "@spoor/core/internal/diff/recommendations";
import type { Reordering } from "@spoor/core/internal/diff/reordering";
import { jsonEqual } from "@spoor/core/internal/trace/json";
import { jsonOf } from "@spoor/core/internal/trace/json-of";
import { changeText, shownValue } from "../../document/argument-lines.ts";
import type { Text } from "../../document/document.ts";
import { offPathSuffix } from "../../document/recording-words.ts";
import { joined, listed, name, say } from "../../document/text.ts";
import { clip, count, integer, list, percent } from "../../document/words.ts";
import { linesBeside } from "../lines-beside.ts";
import { signedAmount } from "./axis-words.ts";
import { differenceText, firstInputText } from "./first-input-text.ts";

const MATCHED_BY: Readonly<Record<DiffReport["matching"]["by"], string>> = {
  pair: "position",
  scenario: "scenario",
  file_name: "file name",
  trace_id: "trace id",
  task_variant: "task variant",
};

/** "5 traces paired by file name, 15 turn pairs, 2 baseline turns left over." */
export function matchingSentence(report: DiffReport): string {
  const { matching, leftOver, pairCount, pairing, noun } = report;
  const parts = matching.by === "pair" ? [] : [`${count(matching.pairs, noun)} paired by ${MATCHED_BY[matching.by]}`];
  parts.push(count(pairCount, "turn pair") + (pairing === "index" ? " by position" : ""));
  if (leftOver.baseline > 0) parts.push(`${count(leftOver.baseline, "baseline turn")} left over`);
  if (leftOver.candidate > 0) parts.push(`${count(leftOver.candidate, "candidate turn")} left over`);
  return `${parts.join(", ")}.`;
}

/** Traces without a partner; empty when every trace has one. */
export function unmatchedText({ matching }: DiffReport): Text {
  const parts: Text[] = [];
  if (matching.onlyBaseline.length > 0)
    parts.push(say`only in the baseline: ${names(matching.onlyBaseline.map((trace) => trace.name))}`);
  if (matching.onlyCandidate.length > 0)
    parts.push(say`only in the candidate: ${names(matching.onlyCandidate.map((trace) => trace.name))}`);
  return parts.length === 0 ? [] : say`${joined(parts, "; ")}. They are not compared turn by turn.`;
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

/** What went in, the lines of the prompt that changed, and what differs first before the sides part. */
export function goingInTexts(report: Pick<DiffReport, "goingIn" | "firstDivergence" | "traces">): Text[] {
  const { goingIn, firstDivergence: first, traces } = report;
  const texts = [goingInText(goingIn), ...promptLines(goingIn)];
  if (first === null) return texts;
  const turn = `turn ${(first.reason.code === "turn_inserted" ? first.candidateTurn : first.baselineTurn) + 1}`;
  const where = traces.length > 1 ? say`${name(traces[first.traceIndex]!.name)}, ${turn}` : [turn];
  return [...texts, say`${where}: ${firstInputText(first.goingIn)}`];
}

/** What the two sides were given. What was not recorded is named, never called the same. */
function goingInText(goingIn: GoingIn): Text {
  if (goingIn.compared === 0) return ["the requests were not recorded, so what went in cannot be compared."];
  const { system, model, tools, settings } = goingIn;
  const changed: Text[] = [];
  if (system.status === "changed" || system.status === "rewritten") changed.push(promptText(goingIn));
  if (model.status === "changed")
    changed.push(say`the model changed from ${names(model.baseline)} to ${names(model.candidate)}.`);
  if (tools.status === "changed") changed.push(toolsText(goingIn));
  if (settings.status === "changed") changed.push(settingsText(goingIn));
  const states = {
    "system prompt": system.status,
    model: model.status,
    tools: tools.status,
    settings: settings.status,
  };
  const inState = (status: string) =>
    Object.entries(states).flatMap(([part, state]) => (state === status ? [part] : []));
  const same = inState("same");
  const unknown = inState("none");
  const texts = [...changed];
  if (changed.length === 0 && same.length > 0) texts.push([`the same on both sides: ${list(same)}.`]);
  else if (same.length > 0) texts.push([`${list(same)} ${isPlural(same) ? "are" : "is"} the same.`]);
  if (unknown.length > 0) texts.push([`not recorded: ${list(unknown)}.`]);
  if (goingIn.compared < goingIn.pairs)
    texts.push([`requests were recorded in ${integer(goingIn.compared)} of ${count(goingIn.pairs, "pair")}.`]);
  // The sentence continues "Going in"; only what follows a full stop begins with a capital letter.
  return joined(
    texts.map((text, index) => (index === 0 ? text : capital(text))),
    "  ",
  );
}

function isPlural(items: readonly string[]): boolean {
  return items.length > 1 || items[0] === "tools" || items[0] === "settings";
}

function promptText({ system }: GoingIn): Text {
  const { added, removed } = system;
  if (system.status === "rewritten") return ["the system prompt is another."];
  const one: Text =
    added.length + removed.length === 1 ? say`: "${name(clip((added[0] ?? removed[0])!, 160))}"` : ["."];
  if (removed.length === 0) return say`the system prompt has ${count(added.length, "line")} more${one}`;
  if (added.length === 0) return say`the system prompt has ${count(removed.length, "line")} less${one}`;
  return [`the system prompt differs: ${count(added.length, "line")} added, ${integer(removed.length)} removed.`];
}

const LINES_SHOWN = 5;

/** The lines of the prompt that went out and came in, as a page shows them; one alone stands in the sentence already. */
function promptLines({ system: { added, removed } }: GoingIn): Text[] {
  if (added.length + removed.length <= 1) return [];
  const before = linesBeside("-", removed, added).slice(0, LINES_SHOWN);
  const now = linesBeside("+", added, removed).slice(0, LINES_SHOWN);
  const more = removed.length + added.length - before.length - now.length;
  return [...before, ...now, ...(more === 0 ? [] : [[`… ${count(more, "more line")}`]])];
}

function settingsText({ settings }: GoingIn): Text {
  const shown = settings.changed
    .slice(0, 5)
    .map(
      (one) =>
        say`${name(one.name)} is ${name(shownValue(one.candidate))} instead of ${name(shownValue(one.baseline))}`,
    );
  const more = settings.changed.length > 5 ? `, and ${settings.changed.length - 5} more` : "";
  return say`settings changed: ${joined(shown, ", ")}${more}.`;
}

function toolsText({ tools }: GoingIn): Text {
  const parts: Text[] = [];
  if (tools.added.length > 0) parts.push(say`also offered: ${names(tools.added)}`);
  if (tools.removed.length > 0) parts.push(say`no longer offered: ${names(tools.removed)}`);
  if (tools.changed.length > 0) parts.push(say`described otherwise: ${names(tools.changed)}`);
  return say`the tools differ, ${joined(parts, "; ")}.`;
}

const NAMES_SHOWN = 5;

/** At most five names, the rest counted. */
function names(items: readonly string[]): Text {
  if (items.length === 0) return ["none"];
  const shown = items.slice(0, NAMES_SHOWN).map((item) => [name(item)]);
  return items.length <= NAMES_SHOWN
    ? listed(shown)
    : say`${joined(shown, ", ")} and ${integer(items.length - NAMES_SHOWN)} more`;
}

/** Our own words begin with a capital letter; a name stays as it is. */
function capital([first, ...rest]: Text): Text {
  return typeof first === "string" ? [first.charAt(0).toUpperCase() + first.slice(1), ...rest] : [first!, ...rest];
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
  const unjudged = new Set(policy.notEvaluated.map((entry) => entry.ruleId));
  const idle = policy.seen.filter(
    ({ ruleId, seen, isBroken }) => !isBroken && !unjudged.has(ruleId) && seen.every(({ amount }) => amount === 0),
  ).length;
  if (idle > 0) parts.push(`${count(idle, "rule")} saw nothing`);
  return parts.join(", ");
}

/** What one divergence is, in a clause. */
function divergenceClause({ reason, calls }: Divergence): Text {
  const first = calls?.arguments[0];
  const toolList = (tools: readonly string[]) => listed(tools.map((tool) => [name(tool)]));
  switch (reason.code) {
    case "turn_dropped":
      return reason.tools.length === 0 ? ["a reply is gone"] : say`${toolList(reason.tools)} is no longer called here`;
    case "turn_inserted":
      return reason.tools.length === 0 ? ["a reply is new"] : say`${toolList(reason.tools)} is newly called here`;
    case "calls_changed": {
      const parts: Text[] = [];
      if (reason.dropped.length > 0) parts.push(say`no longer ${toolList(reason.dropped)}`);
      if (reason.added.length > 0) parts.push(say`now ${toolList(reason.added)}`);
      return joined(parts, ", ");
    }
    case "call_count_changed":
      return [`${integer(reason.candidate)} calls instead of ${integer(reason.baseline)}`];
    case "stop_reason_changed": {
      const after = reason.candidate === "" ? "no stated reason" : name(reason.candidate);
      return say`ends with ${after} instead of ${reason.baseline === "" ? "none" : name(reason.baseline)}`;
    }
    case "argument_changed":
      return first === undefined
        ? say`${name(reason.tool)} has other arguments`
        : say`${name(first.tool)} ${changeText(first)}`;
    case "calls_reordered":
      return ["the same calls in another order"];
    case "text_changed":
      return first === undefined
        ? [`says something else (${percent(reason.similarity)} alike)`]
        : say`${name(first.tool)} ${changeText(first)}`;
  }
}

/** "ticket-1044, turns 2 and 3: the same, refund.amount 25.00 → 50.00"; with many changes, how many and the first. */
export function traceClause(trace: TracePairResult, first: TracePairResult | undefined): Text {
  const own = trace.firstDivergence?.goingIn;
  const clause = changeClause(trace, first);
  // What is said of the first trace holds for this one, unless it was given something else.
  const isTheSame = own === undefined || own.difference === null || isSameInput(own, first?.firstDivergence?.goingIn);
  return isTheSame ? clause : say`${clause}; first difference going in: ${differenceText(own.difference!, CLAUSE)}`;
}

/** A clause is one of many. */
const CLAUSE = 60;

function isSameInput({ difference }: FirstInput, other: FirstInput | undefined): boolean {
  return jsonEqual(jsonOf(difference), jsonOf(other?.difference));
}

function changeClause(trace: TracePairResult, first: TracePairResult | undefined): Text {
  if (trace.changes.length > TURNS_NAMED) {
    const turns =
      trace.pairCount +
      trace.changes.filter((change) => change.baselineTurn === undefined || change.candidateTurn === undefined).length;
    const clause = acts(trace)[0];
    const begins =
      clause === undefined
        ? []
        : say`, worst: ${divergenceClause(clause)} (turn ${clause.baselineTurn + 1})${offPathOf(trace, clause)}`;
    return say`${name(trace.name)}: ${integer(trace.changes.length)} of ${count(turns, "turn")} differ${begins}`;
  }
  const where = say`${name(trace.name)}, ${turnWords(trace.changes)}`;
  if (trace.reordered !== undefined) return say`${where}: ${reorderedClause(trace.reordered)}`;
  if (first !== undefined && signature(trace) === signature(first)) {
    const change = acts(trace).flatMap((one) => one.calls?.arguments ?? [])[0];
    return say`${where}: the same${change === undefined ? [] : say`, ${changeText(change)}`}`;
  }
  const [worst] = acts(trace);
  const more = trace.changes.length > 1 ? `, and ${integer(trace.changes.length - 1)} more` : "";
  return worst === undefined ? where : say`${where}: ${divergenceClause(worst)}${more}${offPathOf(trace, worst)}`;
}

/** Whether a replay had left what was recorded by then, on the candidate's side or on the baseline's. */
export function offPathOf({ baseline, candidate }: TracePairResult, place: Divergence): string {
  return (
    offPathSuffix(candidate.offPathFrom, place.candidateTurn) || offPathSuffix(baseline.offPathFrom, place.baselineTurn)
  );
}

const TURNS_NAMED = 4;

function reorderedClause({ moved }: Reordering): Text {
  return moved === undefined
    ? ["the same calls in another order"]
    : say`the same calls in another order, ${name(moved.tool)} before ${name(moved.before)}`;
}

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
  // An axis that counts turns without a partner speaks of turns.
  const noun = row.alone === undefined ? "pair" : "turn";
  const moves = [
    ...(down > 0 ? [`lower in ${count(down, noun)}`] : []),
    ...(up > 0 ? [`higher in ${down > 0 ? integer(up) : count(up, noun)}`] : []),
    ...(equal > 0 ? [`equal in ${down + up > 0 ? integer(equal) : count(equal, noun)}`] : []),
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
