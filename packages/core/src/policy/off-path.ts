/**
 * A replay that left what was recorded, against rules. What the agent did after a refused call says how it takes a refusal, not what
 * it does in the world: a rule that has nothing else to go by is neither kept nor broken.
 */
import type { Trace } from "../trace/trace.ts";
import type { Violation } from "./policy.ts";
import type { RuleOutcome } from "./rule-outcome.ts";

/** `onPath` gives the outcomes of the same rules over the turns before; it is asked only where it matters. */
export function onPathOnly(
  trace: Trace,
  outcomes: readonly RuleOutcome[],
  onPath: () => readonly RuleOutcome[],
): readonly RuleOutcome[] {
  const from = trace.recording?.offPathFrom;
  if (from === undefined || outcomes.every(({ violations, saw }) => violations.length === 0 && !saw)) return outcomes;
  const before = onPath();
  return outcomes.map((outcome, index) => {
    const { rule, violations, notEvaluated } = outcome;
    if (rule.definition.needsBaseline || notEvaluated.length > 0) return outcome;
    if (violations.length > 0)
      return violations.some((violation) => isOnPath(violation, from))
        ? outcome
        : { ...outcome, violations: [], notEvaluated: [`${offPathReason(from)}: ${told(violations[0]!)}`] };
    return outcome.saw && !before[index]!.saw ? { ...outcome, notEvaluated: [offPathReason(from)] } : outcome;
  });
}

/** What is about the whole run is known only at its end. */
function isOnPath({ turnIndex }: Violation, from: number): boolean {
  return turnIndex !== null && turnIndex < from;
}

function offPathReason(from: number): string {
  return `${OFF_PATH}, from turn ${from + 1} on`;
}

const OFF_PATH = "all its evidence lies off the recorded path";

export function isOffPathReason(why: string): boolean {
  return why.startsWith(OFF_PATH);
}

function told({ turnIndex, message }: Violation): string {
  const place = turnIndex === null ? "" : `turn ${turnIndex + 1}, `;
  return `${place}${message.replace(/\.$/, "")}`;
}
