/** One condition of a policy: a path, an operator, a value. */
import type { Pattern } from "../text/pattern.ts";
import type { Json } from "../trace/json.ts";
import type { Path } from "./path.ts";

export const operators = [
  "==",
  "!=",
  ">",
  ">=",
  "<",
  "<=",
  "in",
  "not_in",
  "contains",
  "not_contains",
  "matches_pattern",
  "longer_than",
  "shorter_than",
] as const;
export type Operator = (typeof operators)[number];

export interface Condition {
  readonly path: Path;
  readonly op: Operator;
  readonly value: Json;
  /** The compiled value of `matches_pattern`. */
  readonly pattern?: Pattern;
  /** In `args`: a call without this argument does not satisfy the condition, instead of leaving it open. */
  readonly optional?: boolean;
}

/** Operators that ask for an order. */
export const ORDERS: ReadonlySet<Operator> = new Set([">", ">=", "<", "<="]);
