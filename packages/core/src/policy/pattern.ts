/** Regular expressions of policy files: RE2 syntax, linear time, so that no pattern can hang a check. */
import { RE2JS, RE2JSException } from "re2js";

export interface Pattern {
  readonly source: string;
  /** Where the pattern first matches, or undefined. */
  find(text: string): { start: number; end: number } | undefined;
}

/** Compiles a pattern; returns the reason as a sentence when it cannot be. */
export function compilePattern(source: string): Pattern | string {
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(source);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const lookaround = /\(\?(<?[=!])/.test(source) || /\\[1-9]/.test(source);
    const why = lookaround
      ? "Look-around and back-references are not supported: patterns run in linear time."
      : `${error.message}.`;
    return `the pattern ${JSON.stringify(source)} cannot be compiled. ${why}`;
  }
  return {
    source,
    find(text) {
      const matcher = compiled.matcher(text);
      return matcher.find() ? { start: matcher.start(), end: matcher.end() } : undefined;
    },
  };
}
