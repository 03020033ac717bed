/** A check in words: the consequence, each rule with its places, the counts, the next command. */
import { type FindingSeverity, severities } from "@spoor/core/internal/judgement/severity";
import type { TraceViolation } from "@spoor/core/internal/policy/check-part";
import type { CheckReport, RuleReport } from "@spoor/core/internal/policy/check-report";
import type { Check } from "../document/check.ts";
import type { Block, Document, Finding, Mark, Text } from "../document/document.ts";
import { offPathSuffix } from "../document/recording-words.ts";
import { joined, link, listLink, name, say } from "../document/text.ts";
import { count, list } from "../document/words.ts";
import { lackingBlocks } from "./coverage.ts";
import { footerOf } from "./footer.ts";
import { showCommand, turnAnchor } from "./places.ts";
import type { DescribeView } from "./view.ts";

const MAX_PLACES = 10;
/** What people call a broken rule of a severity. */
export const severityWords: Readonly<Record<FindingSeverity, string>> = {
  minor: "info",
  moderate: "warning",
  severe: "error",
};

export function describeCheck(report: CheckReport, view: DescribeView): Document {
  const noun = view.noun ?? "trace";
  const next = nextCommand(report);
  return {
    id: "spoor:check",
    subject: say`${report.policy.file === null ? "policy" : name(report.policy.file)}`,
    blocks: [
      {
        kind: "verdict",
        mark: markOfCheck(report),
        headline: checkHeadline(report, noun),
        detail: othersBroken(report),
      },
      ...policyWarnings(report),
      rulesBlock(report, noun, view.verbose),
      {
        kind: "group",
        blocks: [
          { kind: "paragraph", text: say`${totalsSentence(report, noun)}` },
          ...lackingBlocks(report.coverage),
          { kind: "closing", exitCode: view.exitCode, next: next === undefined ? [] : [next] },
        ],
      },
    ],
    footer: footerOf(report),
  };
}

export function checksOfCheck(report: CheckReport): Check[] {
  return report.rules.map((rule) => ({
    suite: "policy",
    name: rule.id,
    mark: checkMarkOf(rule, report),
    message: ruleSentence(rule, report),
    places: distinct(rule).map((violation) => {
      const trace = report.traces[violation.trace]!;
      return {
        trace: trace.name,
        key: trace.key,
        path: trace.path ?? undefined,
        turnIndex: violation.turnIndex ?? undefined,
        detail: say`${whatHappened(violation)}${offPathWords(violation, report)}`,
      };
    }),
    ...(rule.at.file === undefined ? {} : { at: { file: rule.at.file, line: rule.at.line, column: rule.at.column } }),
  }));
}

/** An idle rule weighs nothing beside others; where all are idle, nothing was judged. */
function checkMarkOf(rule: RuleReport, { rules }: CheckReport): Check["mark"] {
  const isIdle = rule.reason === "not_applicable" && rules.some(({ reason }) => reason !== "not_applicable");
  return isIdle ? "skipped" : statusOf(rule).mark;
}

function ruleSentence(rule: RuleReport, report: CheckReport): Text {
  if (rule.status === "failed") return say`${headlineOf(rule)}${extent(rule, report, "trace")}.`;
  const [missing] = rule.notEvaluated;
  if (missing !== undefined) return say`Not evaluated: ${missing.why}.`;
  if (rule.reason === "too_little")
    return say`Not evaluated: it saw too little, min_seen asks for ${String(rule.minSeen)}.`;
  return rule.reason === "not_applicable"
    ? say`It found nothing to look at. ${rule.explanation}`
    : say`${rule.explanation}`;
}

/** `not_evaluated` or broken beats what holds; nothing judged is no pass. */
function markOfCheck({ rules, gate }: CheckReport): Mark {
  if (gate.tripped) return "failed";
  if (rules.some((rule) => rule.status === "failed")) return "warning";
  if (rules.some(({ reason }) => reason === "no_data" || reason === "off_path" || reason === "too_little"))
    return "unknown";
  return rules.some((rule) => statusOf(rule).mark !== "unknown") ? "passed" : "unknown";
}

/** The worst broken rule in words, or how many hold. Without its full stop. */
export function checkHeadline(report: CheckReport, noun: string): Text {
  const { rules, traces } = report;
  if (rules.length === 0) return ["Nothing was checked: the policy has no rules"];
  if (traces.length === 0) return ["Nothing was checked: there is no trace"];
  const worst = worstRule(report);
  if (worst === undefined && rules.every(({ reason }) => reason === "not_applicable"))
    return [`Nothing was judged: no rule found anything to look at in ${count(traces.length, noun)}`];
  return worst === undefined ? holdSentence(report, noun) : say`${headlineOf(worst)}${extent(worst, report, noun)}`;
}

function worstRule({ rules }: CheckReport): RuleReport | undefined {
  const broken = rules.filter((rule) => rule.status === "failed");
  return broken.length === 0
    ? undefined
    : broken.reduce((left, right) =>
        severities.indexOf(right.severity) > severities.indexOf(left.severity) ? right : left,
      );
}

/** What rules are about when it is no tool; a tool may be called `a`, so an article alone proves nothing. */
const PHRASES = /^(?:an? (?:response|tool|turn|call)|no response|the (?:agent|call|formula\b.*)|drift|tools)$/s;

/** Names of tools stay as the user wrote them; only plain words begin with a capital letter. */
export function headlineOf({ headline: { subject, predicate } }: Pick<RuleReport, "headline">): Text {
  const isPhrase = PHRASES.test(subject);
  return say`${isPhrase ? subject[0]!.toUpperCase() + subject.slice(1) : name(subject)} ${predicate}`;
}

function extent(rule: RuleReport, { traces }: CheckReport, noun: string): string {
  return traces.length === 1 ? "" : `, in ${rule.tracesViolated} of ${count(traces.length, noun)}`;
}

export function othersBroken(report: CheckReport): Text {
  const worst = worstRule(report);
  const others = report.rules.filter(
    (rule) => rule !== worst && rule.status === "failed" && rule.severity === "severe",
  ).length;
  return others === 0 ? [] : [`${count(others, "more rule")} ${others === 1 ? "is" : "are"} broken.`];
}

function holdSentence({ rules, traces }: CheckReport, noun: string): Text {
  const holding = rules.filter((rule) => rule.status === "passed");
  const because = (reason: RuleReport["reason"]) => rules.filter((rule) => rule.reason === reason).length;
  const rest = [
    ...(because("no_data") > 0 ? [`${because("no_data")} could not be judged`] : []),
    ...(because("off_path") > 0 ? [`${because("off_path")} only off the recorded path`] : []),
    ...(because("too_little") > 0 ? [`${because("too_little")} saw too little`] : []),
    ...(because("not_applicable") > 0 ? [`${because("not_applicable")} found nothing to look at`] : []),
    ...(because("needs_baseline") > 0
      ? [`${because("needs_baseline")} ${because("needs_baseline") === 1 ? "needs" : "need"} a baseline`]
      : []),
  ];
  const verb = rules.length === 1 ? "holds" : "hold";
  const suffix = rest.length === 0 ? "" : `; ${list(rest)}`;
  return [`${holding.length} of ${count(rules.length, "rule")} ${verb} on ${count(traces.length, noun)}${suffix}`];
}

function policyWarnings({ policy }: CheckReport): Block[] {
  if (policy.warnings.length === 0) return [];
  const items = policy.warnings.map(({ at, message }): Finding => {
    const place = `${policy.file ?? "policy"}:${at.line ?? 1}:${at.column ?? 1}`;
    return { mark: "warning", cells: [say`${name(place)} ${message}`] };
  });
  return [{ kind: "findings", titles: [], items }];
}

/** Every rule with its result; what broke, where and why below it. */
export function rulesBlock(report: CheckReport, noun: string, verbose: boolean): Block {
  const items = report.rules.map((rule): Finding => {
    const { mark, word } = statusOf(rule);
    const place = rule.at.file === undefined ? "" : `${rule.at.file}:${rule.at.line ?? 1}:${rule.at.column ?? 1}`;
    const right: Text = rule.status === "failed" ? (place === "" ? [] : [name(place)]) : [lookedAt(rule, report, noun)];
    const called =
      rule.status === "failed" ? [listLink({ facet: "rule", value: rule.id }, name(rule.id))] : [name(rule.id)];
    return { mark, cells: [[word], called], named: 1, right, body: ruleBody(rule, report, noun, verbose) };
  });
  return { kind: "findings", titles: ["result", "rule", "where"], items };
}

function statusOf(rule: RuleReport): { readonly mark: Mark; readonly word: string } {
  switch (rule.status) {
    case "failed":
      return { mark: rule.severity === "severe" ? "failed" : "warning", word: severityWords[rule.severity] };
    case "passed":
      if (rule.reason === "excused") return { mark: "warning", word: "excused" };
      return isDoubtful(rule) ? { mark: "warning", word: "doubtful" } : { mark: "passed", word: "passed" };
    case "not_evaluated":
      return { mark: "unknown", word: WORDS_OF_REASON[rule.reason ?? "no_data"] ?? "unknown" };
  }
}

/** What people call a rule that gave no answer, by the reason. */
const WORDS_OF_REASON: Readonly<Partial<Record<NonNullable<RuleReport["reason"]>, string>>> = {
  not_applicable: "idle",
  needs_baseline: "idle",
  too_little: "too few",
  off_path: "off path",
};

/** It holds, and a name in it is probably misspelt. */
function isDoubtful(rule: RuleReport): boolean {
  return rule.doubts.some((doubt) => doubt.nearest !== undefined);
}

/** `issue_refnd is neither offered nor called. Did you mean issue_refund?` */
function doubtSentences(rule: RuleReport): Text[] {
  // Without a near name it explains only why nothing was seen.
  const told = rule.doubts.filter((doubt) => doubt.nearest !== undefined || rule.reason === "not_applicable");
  return told.map(({ code, what, nearest }) => {
    const fact = {
      unknown_tool: "is neither offered nor called",
      unknown_path: "leads nowhere",
      unknown_argument: "is no argument of any call",
    }[code];
    return nearest === undefined
      ? say`${name(what)} ${fact}`
      : say`${name(what)} ${fact}. Did you mean ${name(nearest)}?`;
  });
}

function ruleBody(rule: RuleReport, report: CheckReport, noun: string, verbose: boolean): Block[] {
  const texts: Text[] = [];
  if (rule.description !== "" && (rule.status === "failed" || verbose)) texts.push([rule.description]);
  if (verbose) texts.push([rule.explanation]);
  const violations = distinct(rule);
  for (const violation of violations.slice(0, MAX_PLACES))
    texts.push(say`${placeText(violation, report)}  ${whatHappened(violation)}${offPathWords(violation, report)}`);
  if (violations.length > MAX_PLACES)
    texts.push(["… ", listLink({ facet: "rule", value: rule.id }, `${violations.length - MAX_PLACES} more`)]);
  for (const note of notesOf(rule.violations)) texts.push([note]);
  for (const { reason, until, ...violation } of rule.excused.slice(0, MAX_PLACES))
    texts.push(say`excused until ${until}: ${placeText(violation, report)}  ${whatHappened(violation)} (${reason})`);
  for (const why of new Set(rule.notEvaluated.map((one) => one.why))) {
    const traces = rule.notEvaluated.filter((one) => one.why === why).length;
    const where = report.traces.length > 1 ? ` (${traces} of ${report.traces.length} ${noun}s)` : "";
    texts.push(say`not evaluated: ${why}${where}`);
  }
  if (rule.reason === "too_little") texts.push([`min_seen asks for ${rule.minSeen}`]);
  texts.push(...doubtSentences(rule));
  for (const { until, reason } of rule.expired)
    texts.push(say`an exception ended on ${until} and no longer applies: ${reason}`);
  return texts.map((text) => ({ kind: "paragraph", text }));
}

/** `ticket-1042, turn 2` */
function placeText(violation: TraceViolation, report: CheckReport): Text {
  const trace = report.traces[violation.trace]!;
  const parts: Text[] = [];
  if (report.traces.length > 1) parts.push([name(trace.name)]);
  if (violation.turnIndex !== null) parts.push([`turn ${violation.turnIndex + 1}`]);
  else if (violation.sessionIndex !== null) parts.push([`session ${violation.sessionIndex + 1}`]);
  const words: Text = parts.length === 0 ? ["the whole trace"] : joined(parts, ", ");
  return [link(turnAnchor(trace.key, violation.turnIndex), words)];
}

function offPathWords({ trace, turnIndex }: TraceViolation, { traces }: CheckReport): string {
  return offPathSuffix(traces[trace]!.offPathFrom, turnIndex);
}

/** What happened there: the call itself where the rule's sentence says the rest already. */
function whatHappened({ kind, code, message, evidence, subject, effect }: TraceViolation): Text {
  // A formula's message begins with the formula, which the rule's headline has said.
  if (kind === "ltl_formula" && message.startsWith(`${subject} `)) return [message.slice(subject.length + 1, -1)];
  const saysEnough = kind === "must_call_before" || code === "called";
  if (saysEnough && evidence.call !== undefined && effect !== "ask") return [name(evidence.call)];
  return [message.replace(/\.$/, "")];
}

/** Violations as people count them: a formula broken at turn 5 is not broken six times. */
function distinct(rule: RuleReport): TraceViolation[] {
  return rule.violations.filter((violation) => violation.restates !== true);
}

/** The notes of the violations, each once. */
function notesOf(violations: readonly TraceViolation[]): string[] {
  return [...new Set(violations.map((violation) => violation.note).filter((note) => note !== undefined))];
}

/** `5 tickets, 3 issue_refund calls` */
function lookedAt(rule: RuleReport, report: CheckReport, noun: string): string {
  const seen = rule.seen.map(({ amount, noun: thing }) => count(amount, thing, pluralOf(thing)));
  return [...(report.traces.length > 1 ? [count(rule.tracesApplied, noun)] : []), ...seen].join(", ");
}

function pluralOf(noun: string): string {
  return noun.includes(" with ") ? noun.replace(" with ", "s with ") : `${noun}s`;
}

/** `3 rules on 5 tickets: 6 passed, 6 idle, 2 violations, 1 warning, 0 not evaluated.` */
export function totalsSentence({ totals, rules, traces }: CheckReport, noun: string): string {
  const { violations } = totals;
  const parts = [
    `${totals.passed} passed`,
    ...(totals.notApplicable > 0 ? [`${totals.notApplicable} idle`] : []),
    count(violations.severe, "violation"),
    count(violations.moderate, "warning"),
    ...(violations.minor > 0 ? [count(violations.minor, "note")] : []),
    `${totals.notEvaluated} not evaluated`,
    ...(totals.needsBaseline > 0 ? [`${totals.needsBaseline} for a baseline`] : []),
    ...(totals.excused > 0 ? [`${totals.excused} excused`] : []),
  ];
  return `${count(rules.length, "rule")} on ${count(traces.length, noun)}: ${parts.join(", ")}.`;
}

/** The command that shows the worst violation. */
function nextCommand(report: CheckReport): string | undefined {
  const worst = worstRule(report);
  const violation = worst === undefined ? undefined : distinct(worst)[0];
  if (violation === undefined) return undefined;
  const trace = report.traces[violation.trace]!;
  const turnIndex =
    violation.turnIndex === null || trace.turns === 0 ? undefined : Math.min(violation.turnIndex, trace.turns - 1);
  return showCommand({ path: trace.path, entry: trace.entry, turnIndex });
}
