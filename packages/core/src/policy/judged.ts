/** The judgement of one event, put together from the steps of the rules. */
import { keepShape } from "../trace/keep-shape.ts";
import { isDeferred } from "./build-violation.ts";
import type { Effect } from "./effect.ts";
import type { Excused, PolicyRule, Violation } from "./policy.ts";
import type { Step } from "./rule-run.ts";
import { withOne } from "./short-list.ts";
import type { StepReport } from "./step-report.ts";

/** What an event would add, and the way to make it so. */
export interface Judgement {
  readonly violations: readonly Violation[];
  readonly excused: readonly Excused[];
  /** Rules that could not be judged on this event, and why. The guard blocks on these: what is unknown is not allowed. */
  readonly notEvaluated: readonly UnjudgedStep[];
  commit(): void;
}

export interface UnjudgedStep {
  readonly ruleId: string;
  readonly why: string;
  /** What would follow if it were broken. */
  readonly effect: Effect;
}

const NOTHING: readonly never[] = [];

/** Made for every guarded call, most of which break nothing: what nothing stands in is not made. */
export class Judged implements Judgement {
  violations: readonly Violation[] = NOTHING;
  excused: readonly Excused[] = NOTHING;
  notEvaluated: readonly UnjudgedStep[] = NOTHING;
  private steps: readonly Step[] = NOTHING;
  private readonly onCommit: () => void;

  /** `onCommit`: what else happens when the event does. */
  constructor(onCommit: () => void) {
    this.onCommit = onCommit;
  }

  take(step: Step | undefined): void {
    if (step === undefined) return;
    this.steps = withOne(this.steps, step);
    if (step.violations.length + step.excused.length + step.notEvaluated.length === 0) return;
    for (const violation of step.violations)
      if (!isDeferred(violation)) this.violations = withOne(this.violations, violation);
    for (const excused of step.excused) this.excused = withOne(this.excused, excused);
    this.doubt(step.run.rule, step.notEvaluated);
  }

  /** What was said about a result: a fact, of which nothing is left to be taken. */
  hear(rule: PolicyRule, report: StepReport): void {
    for (const violation of report.violations) this.violations = withOne(this.violations, violation);
    this.doubt(rule, report.notEvaluated);
  }

  commit(): void {
    for (const step of this.steps) step.run.commit(step);
    this.onCommit();
  }

  private doubt({ id: ruleId, effect }: PolicyRule, reasons: readonly string[]): void {
    for (const why of reasons) this.notEvaluated = withOne(this.notEvaluated, { ruleId, why, effect });
  }
}

keepShape(new Judged(() => undefined));
