/**
 * A recording without anything anyone said, against rules that ask what was said. Without this they would be kept in silence: a text
 * that is not there contains nothing forbidden, a value that was removed equals nothing.
 */
import { NOT_RECORDED } from "../trace/recording-facts.ts";
import type { Trace } from "../trace/trace.ts";
import type { Path } from "./path.ts";
import type { PolicyRule } from "./policy.ts";
import type { RuleOutcome } from "./rule-outcome.ts";
import { looksAtTurns } from "./situation.ts";

/** The outcomes with what a blind recording cannot show taken back: neither kept nor broken. */
export function withoutContent(trace: Trace, outcomes: readonly RuleOutcome[]): readonly RuleOutcome[] {
  if (trace.recording?.blind === undefined) return outcomes;
  return outcomes.map((outcome) =>
    canJudgeBlind(outcome.rule) ? outcome : { ...outcome, violations: [], notEvaluated: [NOT_RECORDED] },
  );
}

function canJudgeBlind({ definition, params, when }: PolicyRule): boolean {
  if (definition.needsBaseline) return true;
  const paths = [...when.filter(looksAtTurns).map(({ path }) => path), ...(definition.paths?.(params) ?? [])];
  return definition.judgesBlind?.(params) === true && paths.every(isKept);
}

/** Paths into the pair that lead to names and figures. */
function isKept({ segments: [side, key] }: Path): boolean {
  if (side === "request") return key === "model";
  return side === "response" && KEPT.has(String(key));
}

const KEPT: ReadonlySet<string> = new Set(["model", "stop_reason", "usage", "latency_ms"]);
