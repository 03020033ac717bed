/** The verdict as one sentence that anyone understands. Tool names are the user's own words; nothing is added to the facts. */
import type { AxisName } from "@spoor/core/diff/axes";
import type { DiffVerdict } from "@spoor/core/diff/diff-verdict";
import { printable } from "../../document/printable.ts";
import { count, integer } from "../../document/words.ts";
import { amountWithUnit, axisWords } from "./axis-words.ts";

/** Marks a name from a trace: plain on a terminal, a code span in Markdown. */
export type MarkName = (name: string) => string;

export function verdictSentence(verdict: DiffVerdict, noun: string, mark: MarkName = printable): string {
  // One trace against one needs no "in 1 of 1".
  const extent =
    "traces" in verdict && verdict.of > 1 ? `, in ${integer(verdict.traces)} of ${count(verdict.of, noun)}` : "";
  switch (verdict.code) {
    case "order_broken":
      return `${mark(verdict.tool)} now runs without ${mark(verdict.before)} before it${extent}.${heldSentence(verdict)}`;
    case "rule_broken":
      return `${mark(verdict.subject)} now ${printable(verdict.predicate)}${extent}.`;
    case "tool_gone":
      if (verdict.of === 1) return `${mark(verdict.tool)} is no longer called.`;
      return `${integer(verdict.traces)} of ${count(verdict.of, noun)} no longer ${verdict.traces === 1 ? "calls" : "call"} ${mark(verdict.tool)}.`;
    case "tool_new":
      return `The agent now calls ${mark(verdict.tool)}, never seen in ${count(verdict.baselineTraces, "baseline run")}${extent}.`;
    case "argument_changed": {
      const what = verdict.path === "" ? "other arguments" : `another ${mark(verdict.path)}`;
      return `${mark(verdict.tool)} is now called with ${what}${extent}.`;
    }
    case "stop_reason_changed": {
      const before = verdict.baseline === "" ? "no stated reason" : mark(verdict.baseline);
      const after = verdict.candidate === "" ? "no stated reason" : mark(verdict.candidate);
      return `Turns that ended with ${before} now end with ${after}${extent}.`;
    }
    case "turns_differ":
      return `${integer(verdict.changed)} of ${count(verdict.turns, "turn")} ${verdict.changed === 1 ? "does" : "do"} something else${extent}.`;
    case "average_moved":
      return movedSentence(verdict.axis, verdict.baseline, verdict.candidate);
    case "unchanged": {
      const rules =
        verdict.rules === undefined ? "" : `, ${verdict.rules.held} of ${count(verdict.rules.of, "rule")} hold`;
      const same = `${integer(verdict.turns)} of ${count(verdict.turns, "turn")} do the same${rules}`;
      if (verdict.reworded === undefined) return `No change in behaviour: ${same}.`;
      return `What the agent does has not changed (${same}); what it says has, in ${count(verdict.reworded, "turn")}.`;
    }
    case "not_enough":
      return `Not enough evidence: ${MISSING[verdict.missing]}.`;
  }
}

const MISSING = {
  baseline_turns: "the baseline holds no model response",
  candidate_turns: "the candidate holds no model response",
  both_turns: "neither side holds a model response",
  trace_pairs: "no trace of one side has a partner on the other",
} as const;

function heldSentence({ held }: Extract<DiffVerdict, { code: "order_broken" }>): string {
  if (held === undefined) return "";
  const of = `${integer(held.times)} of ${integer(held.of)}`;
  return held.times === held.of
    ? ` In the baseline it came first every time (${of}).`
    : ` In the baseline it came first in ${of}.`;
}

/** "Replies take 18 % longer (1,204 ms instead of 1,021 ms); what the agent does has not changed." */
function movedSentence(axis: AxisName, before: number, after: number): string {
  const words = axisWords[axis];
  const unit = words.quantity === undefined ? "" : `${words.quantity} `;
  const numbers = `${unit}${amountWithUnit(axis, after)} instead of ${amountWithUnit(axis, before)}`;
  const share = before === 0 ? "" : ` ${Math.round(Math.abs((after - before) / before) * 100)} %`;
  const moved = after > before ? words.more : words.less;
  return `${moved.replace("{share}", share)} (${numbers}); what the agent does has not changed.`;
}
