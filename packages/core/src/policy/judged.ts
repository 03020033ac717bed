/** The judgement of one event, put together from the steps of the rules. */
import { isDeferred } from "./build-violation.ts";
import type { Effect } from "./effect.ts";
import type { Excused, PolicyRule, Violation } from "./policy.ts";
import type { Step } from "./rule-run.ts";
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

export interface HeardResult {
  readonly rule: PolicyRule;
  readonly report: StepReport;
}

export class Judged {
  private readonly steps: Step[] = [];
  private readonly violations: Violation[] = [];
  private readonly excused: Excused[] = [];
  private readonly notEvaluated: UnjudgedStep[] = [];

  take(step: Step | undefined): void {
    if (step === undefined) return;
    this.steps.push(step);
    for (const violation of step.violations) if (!isDeferred(violation)) this.violations.push(violation);
    for (const excused of step.excused) this.excused.push(excused);
    const { id: ruleId, effect } = step.run.rule;
    for (const why of step.notEvaluated) this.notEvaluated.push({ ruleId, why, effect });
  }

  /** What was said about a result: a fact, of which nothing is left to be taken. */
  hear(heard: readonly HeardResult[]): void {
    for (const { rule, report } of heard) {
      for (const violation of report.violations) this.violations.push(violation);
      for (const why of report.notEvaluated) this.notEvaluated.push({ ruleId: rule.id, why, effect: rule.effect });
    }
  }

  /** `onCommit`: what else happens when the event does. */
  by(onCommit: () => void): Judgement {
    return {
      violations: this.violations,
      excused: this.excused,
      notEvaluated: this.notEvaluated,
      commit: () => {
        for (const step of this.steps) step.run.commit(step);
        onCommit();
      },
    };
  }
}
