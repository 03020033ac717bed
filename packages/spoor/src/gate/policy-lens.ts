/** The policy lens inside the gate: every file on every candidate trace; `violations: new` counts only what the baseline does not violate. */
import { resolve } from "node:path";
import type { DiffReport } from "@spoor/core/diff/diff-report";
import { SpoorError } from "@spoor/core/errors";
import type { CheckPlace, CheckStatus, GateCheck } from "@spoor/core/gate/gate-report";
import { reaches, worse } from "@spoor/core/judgement/severity";
import { type CheckReport, checkTraces, type RuleReport, type TraceViolation } from "@spoor/core/policy/check-report";
import type { Policy } from "@spoor/core/policy/policy";
import type { GateReason, NotEvaluated, ReportInput } from "@spoor/core/report/report";
import type { Config } from "../config/config.ts";
import { resolveConfigPath } from "../config/load-config.ts";
import { count } from "../document/words.ts";
import { loadPolicy } from "../load/load-policy.ts";
import { toolInfo } from "../tool-info.ts";
import { digestFile } from "./digest-file.ts";
import type { GateInput } from "./gate-input.ts";
import type { LensOutcome } from "./lens-outcome.ts";
import { failOnFor } from "./threshold.ts";

/** All policy files as one: ids stay unique because reports and exceptions refer to them. */
export function loadGatePolicy(input: GateInput): Policy | undefined {
  const files = input.config.policy?.files ?? [];
  const policies = files.map((file) => loadPolicy(policyPath(input, file), { cwd: input.cwd }));
  if (policies.length === 0) return undefined;
  return {
    ...policies[0]!,
    rules: policies.flatMap((policy) => policy.rules),
    warnings: policies.flatMap((policy) => policy.warnings),
  };
}

function policyPath(input: GateInput, file: string): string {
  return file.startsWith("spoor:") ? file : resolveConfigPath(input.loaded, file, input.cwd);
}

/** `isNew` says which violations count. */
export function runPolicyLens(
  input: GateInput,
  policy: Policy,
  isNew: (violation: TraceViolation, key: string) => boolean,
): LensOutcome {
  const inputs = policyInputs(input);
  const report = checkTraces(input.candidate, policy, {
    tool: toolInfo,
    inputs,
    failOn: input.config.policy!.failOn,
    today: input.today,
  });
  const judged = report.rules.map((rule) => judgeRule(rule, report, input, isNew));
  const reasons = judged.flatMap(({ reason }) => reason ?? []);
  const checks = judged.map(({ check }) => check);
  const notEvaluated: NotEvaluated[] = report.coverage.notEvaluated.map((entry) => entry);
  const begins =
    checks.find((check) => check.status === "failed")?.places[0] ??
    checks.find((check) => check.status === "warned")?.places[0];
  return {
    result: {
      lens: "policy",
      status: worstStatus(checks),
      summary: summaryOf(report),
      ...(begins === undefined ? {} : { begins }),
    },
    checks,
    reasons,
    notEvaluated,
    inputs,
    report: { policy: report },
  };
}

function policyInputs(input: GateInput): ReportInput[] {
  return (input.config.policy?.files ?? []).map((file) => {
    const path = policyPath(input, file);
    if (file.startsWith("spoor:")) return { role: "policy", path };
    return { role: "policy", path, contentId: digestFile(resolve(input.cwd, path)) };
  });
}

function judgeRule(
  rule: RuleReport,
  report: CheckReport,
  input: GateInput,
  isNew: (violation: TraceViolation, key: string) => boolean,
): { check: GateCheck; reason: GateReason | undefined } {
  const severity = rule.severity;
  const counted = rule.violations.filter((violation) => isNew(violation, report.traces[violation.trace]!.key));
  const blocking = counted.filter((violation) => {
    return reaches(severity, failOnFor(input.config, "policy", input.candidate[violation.trace]!));
  });
  const status: CheckStatus =
    rule.notEvaluated.length > 0
      ? "not_evaluated"
      : blocking.length > 0
        ? "failed"
        : counted.length > 0
          ? "warned"
          : "passed";
  const shown = blocking.length > 0 ? blocking : counted;
  const check: GateCheck = {
    lens: "policy",
    name: rule.id,
    status,
    message: messageOf(rule, counted.length, status),
    places: shown.map((violation) => placeOf(violation, report)),
    ...(rule.at.file === undefined
      ? {}
      : {
          rule: {
            file: rule.at.file,
            ...(rule.at.line === undefined ? {} : { line: rule.at.line }),
            ...(rule.at.column === undefined ? {} : { column: rule.at.column }),
          },
        }),
  };
  return {
    check,
    reason:
      blocking.length > 0
        ? { code: "policy_violation", subject: rule.id, severity: worse("minor", severity) }
        : undefined,
  };
}

function messageOf(rule: RuleReport, violations: number, status: CheckStatus): string {
  if (status === "not_evaluated") return `Could not be evaluated: ${rule.notEvaluated[0]!.why}`;
  if (violations === 0) return rule.explanation;
  return `${rule.headline.subject} ${rule.headline.predicate}, in ${rule.tracesViolated} of ${count(rule.tracesApplied, "trace")}.`;
}

function placeOf(violation: TraceViolation, report: CheckReport): CheckPlace {
  const trace = report.traces[violation.trace]!;
  return {
    trace: trace.name,
    key: trace.key,
    ...(trace.path === null ? {} : { path: trace.path }),
    ...(trace.entry === null ? {} : { entry: trace.entry }),
    ...(violation.turnIndex === null ? {} : { turnIndex: violation.turnIndex }),
    detail: violation.message,
  };
}

function worstStatus(checks: readonly GateCheck[]): CheckStatus {
  const order: readonly CheckStatus[] = ["not_evaluated", "failed", "warned", "passed"];
  return order.find((status) => checks.some((check) => check.status === status)) ?? "not_evaluated";
}

function summaryOf(report: CheckReport): string {
  const { violations, notEvaluated } = report.totals;
  const parts = [
    violations.severe > 0 ? count(violations.severe, "violation") : "",
    violations.moderate > 0 ? count(violations.moderate, "warning") : "",
    violations.minor > 0 ? count(violations.minor, "note") : "",
    notEvaluated > 0 ? `${notEvaluated} not evaluated` : "",
  ].filter((part) => part !== "");
  return parts.length > 0 ? parts.join(", ") : `${count(report.rules.length, "rule holds", "rules hold")}`;
}

/** With `violations: new`, only what the diff calls a regression counts; without a diff there is nothing to compare with. */
export function newViolations(
  config: Config,
  diff: DiffReport | undefined,
): (violation: TraceViolation, key: string) => boolean {
  if (config.policy?.violations !== "new") return () => true;
  if (diff?.policy === undefined) {
    throw new SpoorError(
      "config.new-needs-diff",
      "policy.violations is new, but there is no diff to tell new from old.",
      {
        consequence: "Nothing was evaluated.",
        hint: "Add diff.baseline to the configuration, or use violations: all.",
      },
    );
  }
  const regressions = new Set(
    diff.policy.regressions.map(({ ruleId, key, turnIndex }) => `${ruleId}\u0000${key}\u0000${turnIndex ?? ""}`),
  );
  return (violation, key) => regressions.has(`${violation.ruleId}\u0000${key}\u0000${violation.turnIndex ?? ""}`);
}
