/**
 * Regular expressions that people write, wherever they write them: RE2 syntax and linear time, so that no pattern can hang
 * a check. The only file that knows the engine.
 */
import { RE2JS, RE2JSException } from "re2js";

export interface Pattern {
  readonly source: string;
  test(text: string): boolean;
  /** Where the pattern first matches, or undefined. */
  find(text: string): { start: number; end: number } | undefined;
  /** The first group of the first match, the whole match where the pattern has no group; undefined without a match. */
  capture(text: string): string | undefined;
  /** Every match replaced by this text, taken literally. */
  replaceAll(text: string, replacement: string): string;
}

/** Compiles a pattern; returns the reason as a sentence without its full stop when it cannot be. Flags: i, m and s; g and u mean nothing here. */
export function compilePattern(source: string, flags = ""): Pattern | string {
  const mask = maskOf(flags);
  if (typeof mask === "string") return mask;
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(source, mask);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const lookaround = /\(\?(<?[=!])/.test(source) || /\\[1-9]/.test(source);
    const why = lookaround
      ? "look-around and back-references are not supported, because patterns run in linear time"
      : error.message;
    return `the pattern ${JSON.stringify(source)} cannot be compiled: ${why}`;
  }
  const start = mask === 0 ? literalStart(source) : "";
  return {
    source,
    test: (text) => text.includes(start) && compiled.test(text),
    find(text) {
      if (!text.includes(start)) return undefined;
      const matcher = compiled.matcher(text);
      return matcher.find() ? { start: matcher.start(), end: matcher.end() } : undefined;
    },
    capture(text) {
      const matcher = compiled.matcher(text);
      if (!matcher.find()) return undefined;
      return (matcher.groupCount() > 0 ? matcher.group(1) : matcher.group()) ?? undefined;
    },
    replaceAll: (text: string, replacement: string) =>
      compiled.matcher(text).replaceAll(RE2JS.quoteReplacement(replacement)),
  };
}

/**
 * What every match begins with: text without it need not be shown to the engine, which takes a hundred times as long to say no.
 * Empty where that cannot be seen at a glance.
 */
function literalStart(source: string): string {
  const [run = ""] = /^[\w -]*/.exec(source)!;
  if (source.includes("|")) return "";
  // What a quantifier follows may be there no time at all.
  return /[?*{]/.test(source.charAt(run.length)) ? run.slice(0, -1) : run;
}

function maskOf(flags: string): number | string {
  let mask = 0;
  for (const flag of flags) {
    if (flag === "i") mask |= RE2JS.CASE_INSENSITIVE;
    else if (flag === "m") mask |= RE2JS.MULTILINE;
    else if (flag === "s") mask |= RE2JS.DOTALL;
    else if (flag !== "g" && flag !== "u")
      return `"${flag}" is no flag of a regular expression here; known are i, m and s`;
  }
  return mask;
}
