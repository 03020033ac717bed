/**
 * One question that a report asked, and its answer: what JUnit, SARIF, CTRF and annotations are made from. Every report has one
 * list of them, made beside its document.
 */
import type { Mark, Text } from "./document.ts";

/** `unknown` could not be evaluated, and is never a pass; `skipped` was left out on purpose and weighs nothing. */
export type CheckMark = Mark | "skipped";

export interface Check {
  /** The lens, or what the report groups by: a trace, a case. */
  readonly suite: string;
  /** A rule id, an axis, an evaluator, a behaviour. */
  readonly name: string;
  readonly mark: CheckMark;
  /** One sentence. */
  readonly message: Text;
  /** Where in the traces. */
  readonly places: readonly Place[];
  /** Where the rule stands. */
  readonly at?: { readonly file: string; readonly line?: number | undefined; readonly column?: number | undefined };
}

export interface Place {
  /** The trace's name, for people. */
  readonly trace: string;
  /** The trace's key: the same place has it in every run. */
  readonly key: string;
  readonly path?: string | undefined;
  readonly turnIndex?: number | undefined;
  readonly detail?: Text | undefined;
}
