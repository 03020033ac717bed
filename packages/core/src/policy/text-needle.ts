/** The `text` or `pattern` that text rules search for. */
import { type Param, param } from "./params.ts";
import type { Pattern } from "./pattern.ts";
import type { Place } from "./problems.ts";
import type { Span } from "./rule.ts";

export interface NeedleParams {
  readonly text: string | undefined;
  readonly pattern: Pattern | undefined;
}

export const needleParams: { readonly text: Param<string | undefined>; readonly pattern: Param<Pattern | undefined> } =
  {
    text: param.optionalText("text", "the exact text, case-sensitive"),
    pattern: param.pattern(
      "pattern",
      "instead of `text`: a regular expression (RE2 syntax, linear time; `(?i)` ignores case)",
    ),
  };

export function validateNeedle(params: NeedleParams, place: Place, kind: string): void {
  if (params.text === undefined && params.pattern === undefined)
    place.problem(`${kind} needs text (or pattern); text is missing.`);
  if (params.text !== undefined && params.pattern !== undefined)
    place.keyProblem("pattern", "give either text or pattern, not both.");
}

/** Where the needle first stands in a text. */
export function findNeedle({ text, pattern }: NeedleParams, haystack: string): Span | undefined {
  if (pattern !== undefined) return pattern.find(haystack);
  const start = haystack.indexOf(text!);
  return start < 0 ? undefined : { start, end: start + text!.length };
}

/** `"Sources:"` or `/[0-9]{16}/` */
export function describeNeedle({ text, pattern }: NeedleParams): string {
  return pattern === undefined ? JSON.stringify(text) : `/${pattern.source}/`;
}
