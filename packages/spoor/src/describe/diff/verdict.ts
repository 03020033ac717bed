/** The verdict as a sentence that anyone understands. Tool names are the user's own words; nothing is added to the facts. */
import type { AxisName } from "@spoor/core/internal/diff/axes";
import type { DiffVerdict } from "@spoor/core/internal/diff/diff-verdict";
import type { Text } from "../../document/document.ts";
import { offPathSuffix } from "../../document/recording-words.ts";
import { name, say } from "../../document/text.ts";
import { count, integer } from "../../document/words.ts";
import { headlineOf } from "../check.ts";
import { amountWithUnit, axisWords } from "./axis-words.ts";

/** The sentence, without its full stop. */
export function diffHeadline(verdict: DiffVerdict, noun: string): Text {
  return say`${verdictText(verdict, noun)}${offPathSuffix(verdict.offPathFrom, null)}`;
}

function verdictText(verdict: DiffVerdict, noun: string): Text {
  // One trace against one needs no "in 1 of 1".
  const extent =
    "traces" in verdict && verdict.of > 1 ? `, in ${integer(verdict.traces)} of ${count(verdict.of, noun)}` : "";
  switch (verdict.code) {
    case "order_broken":
      return say`${name(verdict.tool)} now runs without ${name(verdict.before)} before it${extent}`;
    case "rule_broken":
      return say`${headlineOf({ headline: { subject: verdict.subject, predicate: `now ${verdict.predicate}` } })}${extent}`;
    case "tool_gone":
      if (verdict.of === 1) return say`${name(verdict.tool)} is no longer called`;
      return say`${integer(verdict.traces)} of ${count(verdict.of, noun)} no longer ${verdict.traces === 1 ? "calls" : "call"} ${name(verdict.tool)}`;
    case "tool_new":
      return say`The agent now calls ${name(verdict.tool)}, never seen in ${count(verdict.baselineTraces, "baseline run")}${extent}${verdict.others === undefined ? "" : `, and ${count(verdict.others, "more new tool")}`}`;
    case "calls_reordered": {
      if (verdict.tool === undefined || verdict.before === undefined)
        return [`The same tool calls now run in another order${extent}`];
      const moved = say`${name(verdict.tool)} before ${name(verdict.before)}`;
      return say`The same tool calls now run in another order (${moved})${extent}`;
    }
    case "argument_changed": {
      const what = verdict.path === "" ? ["other arguments"] : say`another ${name(verdict.path)}`;
      return say`${name(verdict.tool)} is now called with ${what}${extent}`;
    }
    case "stop_reason_changed": {
      const reason = (stated: string) => (stated === "" ? "no stated reason" : name(stated));
      return say`Turns that ended with ${reason(verdict.baseline)} now end with ${reason(verdict.candidate)}${extent}`;
    }
    case "turns_differ":
      return [
        `${integer(verdict.changed)} of ${count(verdict.turns, "turn")} ${verdict.changed === 1 ? "does" : "do"} something else${extent}`,
      ];
    case "average_moved":
      return movedSentence(verdict.axis, verdict.baseline, verdict.candidate);
    case "unchanged": {
      const rules =
        verdict.rules === undefined ? "" : `, ${verdict.rules.held} of ${count(verdict.rules.of, "rule")} hold`;
      const { unmatched, missing } = verdict;
      const alone =
        (unmatched === undefined ? "" : `, ${count(unmatched, noun)} without a partner`) +
        (missing === undefined ? "" : `, ${count(missing, noun)} of the baseline not run again`);
      const verb = verdict.turns === 1 ? "does" : "do";
      const same = `${integer(verdict.turns)} of ${count(verdict.turns, "turn")} ${verb} the same${rules}${alone}`;
      if (verdict.reworded === undefined) return [`No change in behaviour: ${same}`];
      return [`What the agent does has not changed (${same}); what it says has, in ${count(verdict.reworded, "turn")}`];
    }
    case "not_enough":
      return [`Not enough evidence: ${MISSING[verdict.missing]}`];
  }
}

const MISSING = {
  baseline_turns: "the baseline holds no model response",
  candidate_turns: "the candidate holds no model response",
  both_turns: "neither side holds a model response",
  trace_pairs: "no trace of one side has a partner on the other",
} as const;

/** What the baseline did instead, where the verdict knows it. */
export function diffDetail(verdict: DiffVerdict): Text {
  if (verdict.code !== "order_broken" || verdict.held === undefined) return [];
  const { times, of } = verdict.held;
  const share = `${integer(times)} of ${integer(of)}`;
  return [
    times === of
      ? `In the baseline it came first every time (${share}).`
      : `In the baseline it came first in ${share}.`,
  ];
}

/** "Replies take 18 % longer (1,204 ms instead of 1,021 ms); what the agent does has not changed" */
function movedSentence(axis: AxisName, before: number, after: number): Text {
  const words = axisWords[axis];
  const unit = words.quantity === undefined ? "" : `${words.quantity} `;
  const numbers = `${unit}${amountWithUnit(axis, after)} instead of ${amountWithUnit(axis, before)}`;
  const share = before === 0 ? "" : ` ${Math.round(Math.abs((after - before) / before) * 100)} %`;
  const moved = after > before ? words.more : words.less;
  return [`${moved.replace("{share}", share)} (${numbers}); what the agent does has not changed`];
}
