/**
 * How bad something is: one scale for rules, axes, signals and gates. Reports and thresholds (`failOn`) hold these words only.
 *
 * People write rules in the words they know (`error`, `warning`, `high`); those are spellings, read through one table and never
 * passed on. `error` and `critical` are both severe, so whatever stopped a merge under either word still does.
 */

export const severities = ["none", "minor", "moderate", "severe"] as const;
export type Severity = (typeof severities)[number];

/** What a finding can be: `none` is the absence of one, and as a threshold it never trips. */
export type FindingSeverity = Exclude<Severity, "none">;

/** The words that a rule may use, mildest first. */
const SPELLINGS: ReadonlyMap<string, FindingSeverity> = new Map([
  ["minor", "minor"],
  ["info", "minor"],
  ["low", "minor"],
  ["moderate", "moderate"],
  ["warning", "moderate"],
  ["medium", "moderate"],
  ["severe", "severe"],
  ["error", "severe"],
  ["high", "severe"],
  ["critical", "severe"],
]);

export const severitySpellings: readonly string[] = [...SPELLINGS.keys()];

/** The severity that a word of a rule file means; undefined when no table knows it. Case counts. */
export function severityOf(word: string): FindingSeverity | undefined {
  return SPELLINGS.get(word);
}

/** True when `severity` reaches `threshold`; the threshold `none` never trips. */
export function reaches(severity: Severity, threshold: Severity): boolean {
  return threshold !== "none" && severities.indexOf(severity) >= severities.indexOf(threshold);
}

/** The worse of two severities. */
export function worse(left: Severity, right: Severity): Severity {
  return severities.indexOf(left) >= severities.indexOf(right) ? left : right;
}
