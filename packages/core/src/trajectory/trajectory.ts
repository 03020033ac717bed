/**
 * What a trajectory evaluator expects and what it answers. The expectation is plain data (parsed from any dialect), the
 * answer is plain data too: every step says what it matched or which call came closest and where that one differs.
 */
import type { Json, JsonObject } from "../trace/json.ts";

export const trajectoryModes = ["any_order", "in_order", "exact", "superset", "subset", "unordered"] as const;
export type TrajectoryMode = (typeof trajectoryModes)[number];

/** `superset` is the default: every expected key is there and equal, others may follow (partial at the top level only). */
export const argsMatchWords = ["superset", "exact", "subset", "ignore", "deep_superset"] as const;
export type ArgsMatchWord = (typeof argsMatchWords)[number];
/** A word, or the dotted paths that are compared. */
export type ArgsMatch = ArgsMatchWord | readonly string[];

export interface TrajectorySpec {
  readonly mode: TrajectoryMode;
  /** `any_order`: the least and the most calls per tool, in the order in which they are reported. */
  readonly minimums?: readonly ToolCount[];
  readonly maximums?: readonly ToolCount[];
  /** The five other modes. */
  readonly expected?: readonly ExpectedStep[];
  /** Default for steps without their own. */
  readonly argsMatch?: ArgsMatch;
  /** `in_order`: `greedy` looks at each call once (the compatible way), `optimal` finds the best alignment. */
  readonly match?: "greedy" | "optimal";
  /** `exact`: calls beyond the expected sequence lower the score unless they are allowed. */
  readonly extra?: "count" | "allow";
  /** `subset`: whether a step allows any number of calls (the default) or one. */
  readonly reuse?: boolean;
  /** How tool names are compared: as tools (called-tools.ts), letter by letter, or as globs (`*`, `?`), which ignore case. */
  readonly nameMatch?: NameMatch;
  /** 1 when everything holds, else 0. */
  readonly binary?: boolean;
}

export const nameMatchWords = ["tool", "exact", "glob"] as const;
export type NameMatch = (typeof nameMatchWords)[number];

export interface ToolCount {
  readonly tool: string;
  readonly count: number;
}

export interface ExpectedStep {
  readonly tool: string;
  readonly nameMatch?: NameMatch;
  /** Absent and `any` mean: not compared. Values may hold matchers (matchers.ts). */
  readonly args?: JsonObject | "any";
  readonly argsMatch?: ArgsMatch;
  /** Top-level arguments that are left out on both sides, and values that a call without them is taken to have. */
  readonly argsIgnore?: readonly string[];
  readonly argsDefaults?: JsonObject;
  /** Counts as an aspect of its own, once the step has matched. */
  readonly maxDurationMs?: number;
  readonly status?: "ok" | "error";
  /** The turn that must make the call, from 0. */
  readonly turnIndex?: number;
  /** Steps with the same group must share a turn, in any order inside it; the sharing is an aspect of its own. */
  readonly group?: number;
}

/** A call named in a result. */
export interface CallReference {
  readonly tool: string;
  readonly position: number;
  /** -1 when the call came before any response. */
  readonly turnIndex: number;
}

export interface TrajectoryResult {
  readonly mode: TrajectoryMode;
  /** Hits over aspects, not rounded. */
  readonly score: number;
  /** How many things were asked: steps, limits and groups; limits that could not be checked are not among them. */
  readonly aspects: number;
  readonly hits: number;
  /** One per expected step (in_order, exact, superset, unordered); empty in the other modes. */
  readonly steps: readonly StepResult[];
  /** One per minimum and maximum (`any_order`). */
  readonly counts: readonly CountResult[];
  /** One per group of steps that must share a turn. */
  readonly groups: readonly GroupResult[];
  /** Calls beyond the expectation: of a tool called more often than expected (`exact`), unmatched (`unordered`), not allowed (`subset`). */
  readonly extras: readonly CallReference[];
  /** What the mode rules out, so that the run never passes, however good its score; empty when it holds. */
  readonly faults: readonly TrajectoryFault[];
  /** `subset`: calls that are on the list. */
  readonly allowedCalls: number;
  readonly callCount: number;
  readonly expectedCount: number;
  /** `exact`: the score when calls after the end of the sequence do not count. */
  readonly scoreIgnoringExtras?: number;
  readonly aspectsIgnoringExtras?: number;
  /** `in_order`: the score of the best alignment; equal to the score when the greedy walk loses nothing. */
  readonly bestScore?: number;
  /** Why there is no best score: the alignment would have been too large. */
  readonly bestScoreSkipped?: true;
  /** Limits without a duration: neutral, but counted. */
  readonly skippedLimits: readonly SkippedLimit[];
  /** There was nothing to score: no list of messages, or an empty one. */
  readonly noTrace: boolean;
  /** Misses beyond the first ones, whose closest call was not looked for. */
  readonly unexplainedMisses: number;
}

/**
 * `exact`, `unordered`, `superset` and `subset` hold or do not hold, and a most is a most; the score only says how near the run
 * came. Least counts, `in_order` and times are shares by their nature and have no faults.
 */
export type TrajectoryFault = "missing_step" | "extra_call" | "over_maximum";

export interface SkippedLimit {
  readonly tool: string;
  readonly step: number;
  readonly maxDurationMs: number;
}

export interface CountResult {
  readonly tool: string;
  readonly kind: "minimum" | "maximum";
  readonly called: number;
  readonly limit: number;
  readonly passed: boolean;
  /** For a tool that was never called: one that was, with nearly the same name. */
  readonly similarTool?: string;
}

export interface GroupResult {
  readonly steps: readonly number[];
  readonly passed: boolean;
  /** The turn they share, when they do. */
  readonly turnIndex?: number;
}

export type MissReason =
  /** No call with this name anywhere. */
  | "never_called"
  /** Called, but before the place where the search had arrived. */
  | "only_earlier"
  /** Called, but not where the best alignment could use it. */
  | "out_of_order"
  /** An earlier expected step that was not found had used up the rest of the calls. */
  | "search_used_up"
  /** Right tool, other arguments. */
  | "args_differ"
  /** Right tool and arguments, but it failed (or succeeded), or no result was recorded. */
  | "status_differs"
  | "turn_differs"
  /** `exact`: another tool stands at this position. */
  | "other_tool"
  /** `exact`: the calls ended before. */
  | "nothing_left"
  /** Every call that fits already serves another step. */
  | "already_used";

export interface StepResult {
  /** Position among the expected steps, from 0. */
  readonly step: number;
  readonly tool: string;
  readonly passed: boolean;
  /** The call that matched. */
  readonly call?: CallReference;
  readonly reason?: MissReason;
  /** The step whose search used up the calls. */
  readonly usedUpBy?: number;
  /** What stood at the position (`exact`) or was consumed (`in_order`). */
  readonly found?: CallReference;
  /** The call that came closest, with every argument path compared; where another one fits, the call that was looked at. */
  readonly closest?: ClosestCall;
  /** Another call that would have served the step, had it been looked at. */
  readonly fitting?: CallReference;
  /** For a tool that was never called: one that was, with nearly the same name. */
  readonly similarTool?: string;
  readonly limit?: LimitResult;
}

export interface LimitResult {
  readonly maxDurationMs: number;
  /** Absent when the call has no duration, or when the step did not match. */
  readonly durationMs?: number;
  readonly outcome: "within" | "exceeded" | "skipped" | "not_reached";
}

export interface ClosestCall extends CallReference {
  readonly comparisons: readonly ArgumentComparison[];
  readonly differences: number;
  /** Argument paths of the call that the expectation does not name. */
  readonly notCompared: readonly string[];
  readonly statusExpected?: "ok" | "error";
  readonly status?: "ok" | "error" | "unknown";
  readonly turnExpected?: number;
}

export interface ArgumentComparison {
  /** `refund.amount`, `items[2].sku`; empty for the arguments as a whole. */
  readonly path: string;
  readonly outcome: "same" | "different" | "missing" | "unexpected";
  readonly expected?: Json;
  readonly actual?: Json;
  /** What was asked, in words, when it is more than a value: `a number within 0.5 of 40`. */
  readonly wanted?: string;
}
