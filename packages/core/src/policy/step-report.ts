/** What the last step of a rule reported, as violations, with the exceptions of the policy taken out. */
import { buildViolation, contextOfFinding } from "./build-violation.ts";
import type { Collector } from "./collector.ts";
import { allHold } from "./conditions.ts";
import type { MonitorOptions } from "./monitor-options.ts";
import type { Excused, PolicyRule, Violation } from "./policy.ts";
import type { Finding } from "./rule.ts";

export interface StepReport {
  readonly violations: readonly Violation[];
  readonly excused: readonly Excused[];
  readonly notEvaluated: readonly string[];
}

const NOTHING: readonly never[] = [];
export const NO_REPORT: StepReport = { violations: NOTHING, excused: NOTHING, notEvaluated: NOTHING };

type Exceptions = PolicyRule["exceptions"];

/** The exceptions of a rule that hold today and for this trace. */
export function exceptionsOf({ exceptions }: PolicyRule, { today, traceNames = [] }: MonitorOptions): Exceptions {
  if (exceptions.length === 0) return exceptions;
  return exceptions.filter(
    ({ until, trace }) => today !== undefined && today <= until && (trace === undefined || traceNames.includes(trace)),
  );
}

/** A person has allowed this very call. */
function isApproved({ id, effect }: PolicyRule, { call }: Finding): boolean {
  return effect === "ask" && call?.call.approvals?.includes(id) === true;
}

/** Of a recording, a call that a person should have been asked about is an offence because nobody was. */
function unapproved({ effect }: PolicyRule, finding: Finding): Finding {
  if (effect !== "ask") return finding;
  return { ...finding, message: `${finding.message.replace(/\.$/, "")}, and no approval was recorded.` };
}

/** `session` is null for a rule about the whole trace. */
export function reportOf(
  context: Collector,
  rule: PolicyRule,
  exceptions: Exceptions,
  session: number | null,
): StepReport {
  if (context.isEmpty) return NO_REPORT;
  const { findings, reasons, live } = context;
  const violations: Violation[] = [];
  const excused: Excused[] = [];
  for (const finding of findings) {
    if (isApproved(rule, finding)) continue;
    const violation = buildViolation(rule, live ? finding : unapproved(rule, finding), session);
    const exception = exceptions.find(({ when }) => when.length === 0 || allHold(when, contextOfFinding(finding)));
    if (exception === undefined) violations.push(violation);
    else excused.push({ violation, until: exception.until, reason: exception.reason });
  }
  return { violations, excused, notEvaluated: reasons };
}
