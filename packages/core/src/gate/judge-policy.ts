/** The policy's row: every rule is a check; which violations count and from which severity they block is the configuration's. */
import { type Severity, worse } from "../judgement/severity.ts";
import type { TraceViolation } from "../policy/check-part.ts";
import { type CheckReport, type RuleReport, sawTooLittle } from "../policy/check-report.ts";
import { trips } from "../policy/effect.ts";
import type { GateReason } from "../report/report.ts";
import { present } from "../trace/present.ts";
import type { CheckFact, CheckPlace, CheckStatus, GateCheck } from "./gate-report.ts";
import { checkStatuses, type LensJudgement } from "./lens-judgement.ts";
import type { IsNew } from "./new-violations.ts";

export interface PolicySettings {
  /** The severity from which a violation in this trace blocks. */
  readonly failOn: (key: string) => Severity;
  /** Given when only new violations count. */
  readonly isNew?: IsNew;
  /** The baseline lens judges the rules about drift; without it they are listed as open. */
  readonly hasBaseline: boolean;
}

export function judgePolicy(report: CheckReport, settings: PolicySettings): LensJudgement {
  const ordinary = report.rules.filter((rule) => rule.reason !== "needs_baseline");
  const judged = ordinary.map((rule) => judgeRule(rule, report, settings));
  const checks = judged.map(({ check }) => check);
  const begins =
    checks.find((check) => check.status === "failed")?.places[0] ??
    checks.find((check) => check.status === "warned")?.places[0];
  const { violations, notEvaluated } = report.totals;
  return {
    result: {
      lens: "policy",
      // Where no rule found anything to look at, nothing was judged.
      status: checkStatuses.find((status) => checks.some((check) => check.status === status)) ?? "not_evaluated",
      facts: {
        code: "policy",
        rules: ordinary.length,
        violations,
        notEvaluated,
        idle: checks.filter((check) => check.status === "idle").length,
        ...(settings.isNew === undefined ? {} : { newViolations: judged.reduce((sum, one) => sum + one.counted, 0) }),
      },
      ...(begins === undefined ? {} : { begins }),
    },
    checks,
    reasons: judged.flatMap(({ reason }) => reason ?? []),
    notEvaluated: [
      ...report.coverage.notEvaluated.filter(
        ({ what }) => !settings.hasBaseline || ordinary.some((rule) => rule.id === what),
      ),
      ...(checks.length > 0 && checks.every((check) => check.status === "idle")
        ? [{ what: "policy", why: "no rule found anything to look at" }]
        : []),
    ],
  };
}

interface JudgedRule {
  readonly check: GateCheck;
  readonly reason: GateReason | undefined;
  /** Distinct violations that count. */
  readonly counted: number;
}

function judgeRule(rule: RuleReport, report: CheckReport, { failOn, isNew }: PolicySettings): JudgedRule {
  const keyOf = (violation: TraceViolation) => report.traces[violation.trace]!.key;
  const counted = rule.violations.filter((violation) => isNew?.(violation, keyOf(violation)) ?? true);
  const blocking = counted.filter((violation) => trips(rule, failOn(keyOf(violation))));
  const status: CheckStatus =
    rule.notEvaluated.length > 0 || rule.reason === "too_little"
      ? "not_evaluated"
      : blocking.length > 0
        ? "failed"
        : counted.length > 0
          ? "warned"
          : rule.reason === "not_applicable"
            ? "idle"
            : "passed";
  const { file, line, column } = rule.at;
  return {
    counted: counted.filter((violation) => violation.restates !== true).length,
    check: {
      lens: "policy",
      name: rule.id,
      status,
      fact: factOf(rule, counted),
      places: (blocking.length > 0 ? blocking : counted).map((violation) => placeOf(violation, report)),
      ...(file === undefined ? {} : { rule: present({ file, line, column }) }),
    },
    reason:
      blocking.length > 0
        ? { code: "policy_violation", subject: rule.id, severity: worse("minor", rule.severity) }
        : undefined,
  };
}

function factOf(rule: RuleReport, counted: readonly TraceViolation[]): CheckFact {
  const [missing] = rule.notEvaluated;
  if (missing !== undefined) return { code: "rule_not_evaluated", why: missing.why };
  if (rule.reason === "too_little") return { code: "rule_not_evaluated", why: sawTooLittle(rule.minSeen!, rule.seen) };
  if (rule.reason === "not_applicable") return { code: "rule_idle", explanation: rule.explanation };
  if (counted.length === 0) return { code: "rule_holds", explanation: rule.explanation };
  const traces = new Set(counted.map((violation) => violation.trace)).size;
  return { code: "rule_broken", headline: rule.headline, traces, of: rule.tracesApplied };
}

function placeOf(violation: TraceViolation, report: CheckReport): CheckPlace {
  const { name, key, path, entry } = report.traces[violation.trace]!;
  return present({
    trace: name,
    key,
    path: path ?? undefined,
    entry: entry ?? undefined,
    turnIndex: violation.turnIndex ?? undefined,
    detail: violation.message,
  });
}
