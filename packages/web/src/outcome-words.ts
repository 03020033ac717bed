import type { TraceOutcome, TraceView } from "@spoor/core/internal/gate/comparison-view";
import type { Facet } from "@spoor/core/internal/gate/trace-filter";

/** Symbol and words of how a run came out; the symbol never stands alone. */
export const outcomeWords: Readonly<Record<TraceOutcome, { symbol: string; says: string }>> = {
  blocks: { symbol: "✗", says: "blocks" },
  changed: { symbol: "*", says: "changed" },
  same: { symbol: "=", says: "same behaviour" },
  new: { symbol: "+", says: "only in the candidate" },
  gone: { symbol: "-", says: "only in the baseline" },
};

const KINDS: Readonly<Record<NonNullable<TraceView["kind"]>, string>> = {
  calls: "other calls",
  order: "another order",
  arguments: "other arguments",
  stop_reason: "another end",
  turns: "turns without calls",
  new_run: "new runs",
  rules: "rules alone",
  path: "an unknown path",
};

const PATHS: Readonly<Record<NonNullable<TraceView["path"]>, string>> = {
  no_baseline: "no baseline",
  match: "known",
  accepted_variant: "accepted variant",
  structural_match: "same steps, other order or number",
  variant: "variant",
  new: "unknown",
};

/** A value of a facet as a person reads it. */
export function facetWords(facet: Facet, value: string): string {
  const words: Readonly<Record<string, string>> | undefined =
    facet === "kind"
      ? KINDS
      : facet === "path"
        ? PATHS
        : facet === "outcome"
          ? Object.fromEntries(Object.entries(outcomeWords).map(([code, { says }]) => [code, says]))
          : undefined;
  return words !== undefined && Object.hasOwn(words, value) ? words[value]! : value;
}

export const FACET_TITLES: Readonly<Record<Facet, string>> = {
  card: "Card",
  outcome: "Outcome",
  kind: "Kind of change",
  tool: "Tool",
  rule: "Rule",
  path: "Path",
  task: "Scenario",
  before: "Before",
  now: "Now",
  argument: "Argument",
};
