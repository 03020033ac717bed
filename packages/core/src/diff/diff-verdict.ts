/**
 * The first line of a report as typed facts: what changed, in how many of how many. Renderers make one sentence of it that anyone
 * understands; no judgement is invented here.
 */
import type { Json } from "../trace/json.ts";
import type { AxisName } from "./axes.ts";

/** In `traces` of `of` traces. */
export interface Extent {
  readonly traces: number;
  readonly of: number;
}

/** `offPathFrom`: everything that differs lies from this turn on, after a replay had left what was recorded. */
export type DiffVerdict = VerdictOfDiff & { readonly offPathFrom?: number };

type VerdictOfDiff =
  /** `tool` runs without `before` before it. `held`: how often the order held in the baseline. */
  | (Extent & {
      readonly code: "order_broken";
      readonly tool: string;
      readonly before: string;
      readonly held?: { readonly times: number; readonly of: number };
      /** The rule that says so; absent when the order was learnt from the baseline alone. */
      readonly ruleId?: string;
    })
  /** Another rule is broken: `subject` (now) `predicate`, in the rule's own words. */
  | (Extent & {
      readonly code: "rule_broken";
      readonly ruleId: string;
      readonly ruleKind: string;
      readonly subject: string;
      readonly predicate: string;
    })
  | (Extent & { readonly code: "tool_gone"; readonly tool: string; readonly baselineTraces: number })
  | (Extent & {
      readonly code: "tool_new";
      readonly tool: string;
      readonly effect: boolean;
      readonly baselineTraces: number;
      /** Further tools that were never seen before. */
      readonly others?: number;
    })
  /** Nothing but the order of calls changed; `tool` now runs before `before`, in the first such trace. */
  | (Extent & { readonly code: "calls_reordered"; readonly tool?: string; readonly before?: string })
  | (Extent & {
      readonly code: "argument_changed";
      readonly tool: string;
      readonly path: string;
      readonly baseline?: Json;
      readonly candidate?: Json;
    })
  | (Extent & { readonly code: "stop_reason_changed"; readonly baseline: string; readonly candidate: string })
  | (Extent & { readonly code: "turns_differ"; readonly changed: number; readonly turns: number })
  /** Only an average moved; what the agent does has not changed. */
  | { readonly code: "average_moved"; readonly axis: AxisName; readonly baseline: number; readonly candidate: number }
  | {
      readonly code: "unchanged";
      readonly turns: number;
      /** Turns that do the same and say something else. */
      readonly reworded?: number;
      /** Traces of the candidate without a partner, about which nothing is said. */
      readonly unmatched?: number;
      /** Traces of the baseline without a partner: runs that the candidate did not make. */
      readonly missing?: number;
      readonly rules?: { readonly held: number; readonly of: number };
    }
  | { readonly code: "not_enough"; readonly missing: Missing };

/** What a comparison lacks. */
export type Missing = "baseline_turns" | "candidate_turns" | "both_turns" | "trace_pairs";

export type VerdictCode = DiffVerdict["code"];
