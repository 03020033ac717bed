/** What a look at a policy alone, or beside the tools of an agent, finds wrong with it. Codes and facts; words are made elsewhere. */
import type { JsonObject } from "../../trace/json.ts";
import type { RulePlace } from "../policy.ts";

/** An error is certain: the rule cannot do what it says. A warning is likely. */
export type ReviewLevel = "error" | "warning";

export type ReviewCode =
  /** A tool that no offered tool is; `nearest` where one was probably meant. */
  | "unknown_tool"
  /** None of several tools, or of what a glob fits, is offered: there is nothing the rule could look at. */
  | "no_such_tools"
  | "unknown_argument"
  | "unknown_agent"
  | "unknown_path"
  /** A value that the schema of the argument does not list. */
  | "unknown_value"
  /** No value that the schema admits satisfies the condition. */
  | "never_holds"
  | "exception_never_applies"
  | "always_broken"
  | "order_of_itself"
  | "window_too_short"
  | "demanded_not_offered"
  | "needed_not_offered"
  | "demanded_and_forbidden"
  | "needed_and_forbidden"
  | "order_cycle"
  | "too_few_allowed"
  | "nothing_allowed"
  | "allowed_and_forbidden"
  | "text_demanded_and_forbidden"
  | "calls_end_otherwise"
  | "rules_exclude_each_other"
  | "says_the_same";

export interface ReviewFinding {
  readonly code: ReviewCode;
  readonly level: ReviewLevel;
  /** The rule it stands at first, then those it is in conflict with. */
  readonly ruleIds: readonly string[];
  readonly at: RulePlace;
  /** `tool`, `nearest`, `condition`, … as the code needs them. */
  readonly facts: JsonObject;
}
