/** The one context object of a run: steps report into it, and it is emptied before the next step. */
import type { Finding, StepContext } from "./rule.ts";

export class Collector implements StepContext<unknown> {
  readonly params: unknown;
  readonly live: boolean;
  matches = true;
  findings: Finding[] = [];
  reasons: string[] = [];

  constructor(params: unknown, live: boolean) {
    this.params = params;
    this.live = live;
  }

  begin(matches: boolean): void {
    this.matches = matches;
    if (this.findings.length > 0) this.findings = [];
    if (this.reasons.length > 0) this.reasons = [];
  }

  get isEmpty(): boolean {
    return this.findings.length === 0 && this.reasons.length === 0;
  }

  // Arrows, because rules take these two out of the context by name.
  readonly found = (finding: Finding): void => {
    if (finding.provisional && (!this.live || this.findings.some((other) => isSameProvisional(other, finding)))) return;
    this.findings.push(finding);
  };

  readonly notEvaluated = (why: string): void => {
    this.reasons.push(why);
  };
}

/** What a response breaks, the calls it makes break as well: once is enough. */
function isSameProvisional(one: Finding, other: Finding): boolean {
  return one.provisional === true && one.code === other.code && one.message === other.message;
}
