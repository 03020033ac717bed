/** What a check says in words, the same in every format. */
import type { CheckReport, RuleReport, TraceViolation } from "@spoor/core/policy/check-report";
import { shellWord } from "../../document/shell-word.ts";
import { count, list } from "../../document/words.ts";

export interface CheckView {
  /** What one trace is called: "ticket". */
  readonly noun: string;
  readonly exitCode: number;
  readonly verbose: boolean;
}

const RANK = { severe: 0, moderate: 1, minor: 2 } as const;

/** The first line: the worst broken rule in words, or that all hold. */
export function verdictSentence(report: CheckReport, { noun }: CheckView): string {
  const { rules, traces } = report;
  if (rules.length === 0) return "Nothing was checked: the policy has no rules.";
  if (traces.length === 0) return "Nothing was checked: there is no trace.";
  const broken = rules.filter((rule) => rule.status === "failed");
  if (broken.length === 0) return holdSentence(report, noun);
  const worst = broken.reduce((left, right) => (RANK[right.severity] < RANK[left.severity] ? right : left));
  const { subject, predicate } = worst.headline;
  const where = traces.length === 1 ? "" : `, in ${worst.tracesViolated} of ${count(traces.length, noun)}`;
  const others = broken.filter((rule) => rule !== worst && rule.severity === "severe").length;
  const more = others === 0 ? "" : ` ${count(others, "more rule")} ${others === 1 ? "is" : "are"} broken.`;
  return `${upperFirst(subject)} ${predicate}${where}.${more}`;
}

function holdSentence({ rules, traces }: CheckReport, noun: string): string {
  const holding = rules.filter((rule) => rule.status === "passed");
  const empty = holding.filter((rule) => rule.seen.every(({ amount }) => amount === 0)).length;
  const unknown = rules.filter((rule) => rule.status === "not_evaluated" && rule.reason !== "not_applicable").length;
  const idle = rules.filter((rule) => rule.reason === "not_applicable").length;
  const rest = [
    ...(empty > 0 ? [`${empty} of them had nothing to look at`] : []),
    ...(unknown > 0 ? [`${unknown} could not be judged`] : []),
    ...(idle > 0 ? [`${idle} did not apply`] : []),
  ];
  const verb = rules.length === 1 ? "holds" : "hold";
  const suffix = rest.length === 0 ? "" : `; ${list(rest)}`;
  return `${holding.length} of ${count(rules.length, "rule")} ${verb} on ${count(traces.length, noun)}${suffix}.`;
}

/** Names of tools stay as the user wrote them; only plain words begin with a capital letter. */
function upperFirst(subject: string): string {
  return /^(a|an|the|no) /.test(subject) ? subject[0]!.toUpperCase() + subject.slice(1) : subject;
}

/** `ticket-1042, turn 2` */
export function placeOf(violation: TraceViolation, report: CheckReport): string {
  const parts: string[] = [];
  if (report.traces.length > 1) parts.push(report.traces[violation.trace]!.name);
  if (violation.turnIndex !== null) parts.push(`turn ${violation.turnIndex + 1}`);
  else if (violation.sessionIndex !== null) parts.push(`session ${violation.sessionIndex + 1}`);
  return parts.length === 0 ? "the whole trace" : parts.join(", ");
}

/** What happened there: the call itself where the rule's sentence says the rest already. */
export function whatHappened({ kind, code, message, evidence, subject }: TraceViolation): string {
  // A formula's message begins with the formula, which the rule's headline has said.
  if (kind === "ltl_formula" && message.startsWith(`${subject} `)) return message.slice(subject.length + 1, -1);
  const saysEnough = kind === "must_call_before" || code === "called";
  const text = saysEnough && evidence.call !== undefined ? evidence.call : message;
  return text.replace(/\.$/, "");
}

/** Violations as people count them: a formula broken at turn 5 is not broken six times. */
export function distinctViolations(rule: RuleReport): TraceViolation[] {
  return rule.violations.filter((violation) => violation.restates !== true);
}

/** The notes of the violations, each once. */
export function notesOf(violations: readonly TraceViolation[]): string[] {
  return [...new Set(violations.map((violation) => violation.note).filter((note) => note !== undefined))];
}

/** `5 tickets, 3 issue_refund calls` */
export function lookedAt(rule: RuleReport, report: CheckReport, { noun }: CheckView): string {
  const seen = rule.seen.map(({ amount, noun: thing }) => count(amount, thing, pluralOf(thing)));
  return [...(report.traces.length > 1 ? [count(rule.tracesApplied, noun)] : []), ...seen].join(", ");
}

function pluralOf(noun: string): string {
  return noun.includes(" with ") ? noun.replace(" with ", "s with ") : `${noun}s`;
}

/** `3 rules on 5 tickets: 12 passed, 2 violations, 1 warning, 0 not evaluated.` */
export function totalsSentence(report: CheckReport, { noun }: CheckView): string {
  const { totals, rules, traces } = report;
  const { violations } = totals;
  const parts = [
    `${totals.passed} passed`,
    count(violations.severe, "violation"),
    count(violations.moderate, "warning"),
    ...(violations.minor > 0 ? [count(violations.minor, "note")] : []),
    `${totals.notEvaluated} not evaluated`,
    ...(totals.notApplicable > 0 ? [`${totals.notApplicable} did not apply`] : []),
    ...(totals.excused > 0 ? [`${totals.excused} excused`] : []),
  ];
  return `${count(rules.length, "rule")} on ${count(traces.length, noun)}: ${parts.join(", ")}.`;
}

/** The command that shows the worst violation. */
export function nextCommand(report: CheckReport): string | undefined {
  const broken = report.rules.filter((rule) => rule.status === "failed");
  const first = broken.reduce<RuleReport | undefined>(
    (best, rule) => (best === undefined || RANK[rule.severity] < RANK[best.severity] ? rule : best),
    undefined,
  );
  const violation = first === undefined ? undefined : distinctViolations(first)[0];
  if (violation === undefined) return undefined;
  const trace = report.traces[violation.trace]!;
  if (trace.path === null || trace.path === "-") return undefined;
  const entry = trace.entry === null ? "" : ` --trace ${shellWord(trace.entry)}`;
  const turn =
    violation.turnIndex === null || trace.turns === 0
      ? ""
      : ` --turn ${Math.min(violation.turnIndex + 1, trace.turns)}`;
  return `spoor show ${shellWord(trace.path)}${entry}${turn}`;
}
