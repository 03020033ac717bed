/** Collects every problem of a YAML file, so that people fix them in one go instead of one per run. */
import type { ErrorCode } from "../error-codes.ts";
import { type Problem, SpoorError, type SpoorErrorOptions } from "../errors.ts";
import { type Address, formatPath, type Source } from "../read/source.ts";
import { nearest } from "../text/nearest.ts";
import { isObject, type Json } from "../trace/json.ts";

export class ProblemList {
  readonly problems: Problem[] = [];
  /** What is accepted but has no effect; errors under `--strict`. */
  readonly diagnostics: Problem[] = [];
  private readonly document: Source;

  constructor(document: Source) {
    this.document = document;
  }

  add(path: Address, message: string, what: "key" | "value" = "value"): void {
    this.problems.push(this.problem(path, message, what));
  }

  diagnose(path: Address, message: string, what: "key" | "value" = "key"): void {
    this.diagnostics.push(this.problem(path, message, what));
  }

  /** Every key that nobody knows, with the nearest known spelling. */
  checkKeys(value: Json, path: Address, known: readonly string[], owner: string): void {
    if (!isObject(value)) return;
    for (const key of Object.keys(value)) {
      if (known.includes(key)) continue;
      const close = nearest(key, known);
      this.add(
        [...path, key],
        `unknown key "${key}" in ${owner}.${close === undefined ? ` Known: ${known.join(", ")}.` : ` Did you mean ${close}?`}`,
        "key",
      );
    }
  }

  /** Throws one error with all problems in file order; does nothing when there are none. */
  throwIfAny(code: ErrorCode, consequence: string, options: Pick<SpoorErrorOptions, "hint"> = {}): void {
    if (this.problems.length === 0) return;
    const sorted = [...this.problems].sort(
      (left, right) => (left.at.line ?? 0) - (right.at.line ?? 0) || (left.at.column ?? 0) - (right.at.column ?? 0),
    );
    const amount = sorted.length === 1 ? "a problem" : `${sorted.length} problems`;
    throw new SpoorError(code, `${this.document.file} has ${amount}.`, {
      at: sorted[0]!.at,
      consequence,
      problems: sorted,
      ...options,
    });
  }

  private problem(path: Address, message: string, what: "key" | "value"): Problem {
    const at = this.document.locate(path, what);
    return { at: { ...at, path: formatPath(path) }, message, excerpt: this.document.excerpt(at.line ?? 1) };
  }
}
