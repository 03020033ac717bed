/** The `text` or `pattern` that text rules search for. */
import { optional } from "../read/field.ts";
import { text } from "../read/scalars.ts";
import type { Needle } from "./claims.ts";
import type { Span } from "./rule.ts";
import { pattern } from "./shapes.ts";

export const needleParams = {
  text: optional(text, "the exact text, case-sensitive"),
  pattern: optional(pattern, "instead of `text`: a regular expression (RE2 syntax, linear time; `(?i)` ignores case)"),
};

export const needleOptions = { exactlyOne: [["text", "pattern"]] };

/** Where the needle first stands in a text. */
export function findNeedle({ text, pattern }: Needle, haystack: string): Span | undefined {
  if (pattern !== undefined) return pattern.find(haystack);
  const start = haystack.indexOf(text!);
  return start < 0 ? undefined : { start, end: start + text!.length };
}

/** `"Sources:"` or `/[0-9]{16}/` */
export function describeNeedle({ text, pattern }: Needle): string {
  return pattern === undefined ? JSON.stringify(text) : `/${pattern.source}/`;
}
