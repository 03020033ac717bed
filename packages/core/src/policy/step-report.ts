/** What the last step of a rule reported, as violations, with the exceptions of the policy taken out. */
import { buildViolation, contextOfFinding } from "./build-violation.ts";
import type { Collector } from "./collector.ts";
import { allHold } from "./conditions.ts";
import type { MonitorOptions } from "./monitor-options.ts";
import type { Excused, PolicyRule, Violation } from "./policy.ts";

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
  return exceptions.filter(
    ({ until, trace }) => today !== undefined && today <= until && (trace === undefined || traceNames.includes(trace)),
  );
}

/** `session` is null for a rule about the whole trace. */
export function reportOf(
  { findings, reasons, isEmpty }: Collector,
  rule: PolicyRule,
  exceptions: Exceptions,
  session: number | null,
): StepReport {
  if (isEmpty) return NO_REPORT;
  const violations: Violation[] = [];
  const excused: Excused[] = [];
  for (const finding of findings) {
    const violation = buildViolation(rule, finding, session);
    const exception = exceptions.find(({ when }) => when.length === 0 || allHold(when, contextOfFinding(finding)));
    if (exception === undefined) violations.push(violation);
    else excused.push({ violation, until: exception.until, reason: exception.reason });
  }
  return { violations, excused, notEvaluated: reasons };
}
