/**
 * What became of a question that was asked: one vocabulary for rules, evaluators, cases, signals and gates.
 *
 * - `passed`: asked, answered, and all is well;
 * - `failed`: asked, answered, and something is wrong; how wrong is the `severity` beside it, and whether that blocks is the
 *   gate's threshold, never part of the status;
 * - `not_evaluated`: no answer. Never a pass.
 *
 * Where the bare word is not the whole truth a `reason` stands beside it.
 */

const statuses = ["passed", "failed", "not_evaluated"] as const;
export type Status = (typeof statuses)[number];

/**
 * - `excused` (passed): it was broken, and exceptions that still hold cover all of it;
 * - `not_applicable` (not_evaluated): there was nothing to look at; what should be looked at elsewhere is not missing here;
 * - `too_little` (not_evaluated): there was something to look at, and less than was asked for;
 * - `no_data` (not_evaluated): there was something to look at, and what the answer needs was not recorded;
 * - `off_path` (not_evaluated): all there was to look at came after a replay had left what was recorded;
 * - `needs_baseline` (not_evaluated): the question is about change, and nothing was given to compare with.
 */
export type StatusReason = "excused" | "not_applicable" | "too_little" | "no_data" | "off_path" | "needs_baseline";

/**
 * What stands beside the status of a score:
 *
 * - `borderline` (failed): below the pass line, though not far;
 * - `ruled_out` (failed): the score reaches the pass line, and something happened that no score makes good;
 * - `nothing_evaluated` (failed): every evaluator of the case was left out, and a case without an answer never passes;
 * - `needs_judge` (not_evaluated): the question is for a judge, and none is configured.
 */
export type ScoreReason = "borderline" | "ruled_out" | "nothing_evaluated" | "needs_judge";
