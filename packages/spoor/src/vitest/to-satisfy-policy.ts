/** `toSatisfyPolicy`: no rule of a policy is broken, and every rule could be judged. */
import { checkPolicy } from "@spoor/core/internal/policy/check-policy";
import type { Policy } from "@spoor/core/internal/policy/policy";
import { printable } from "@spoor/core/internal/text/printable";
import { count } from "../document/words.ts";
import { loadPolicy } from "../load/load-policy.ts";
import { hang } from "../write/terminal/layout.ts";
import { subjectOf } from "./received.ts";

const COLUMNS = 80;
const MAX_LISTED = 20;

export function toSatisfyPolicy(received: unknown, policy: string | Policy): { pass: boolean; message: () => string } {
  const subject = subjectOf(received);
  const loaded = typeof policy === "string" ? loadPolicy(policy, { cwd: process.cwd() }) : policy;
  const today = new Date().toISOString().slice(0, 10);
  const check = checkPolicy(subject.trace(), loaded, { today });
  // What only warns breaks nothing.
  const violations = check.violations.filter(({ effect }) => effect !== "warn");
  const sawNothing = check.violations.length === 0 && check.outcomes.every((outcome) => !outcome.saw);
  const notEvaluated = sawNothing
    ? [{ what: loaded.file ?? "the policy", why: "no rule found anything to look at" }, ...check.notEvaluated]
    : check.notEvaluated;
  const pass = violations.length === 0 && notEvaluated.length === 0;
  return {
    pass,
    message: () => (pass ? `Expected a violation of ${loaded.file}, but all rules hold.` : failureMessage()),
  };

  function failureMessage(): string {
    const lines = violations.slice(0, MAX_LISTED).map(({ ruleId, turnIndex, message, note }) => {
      const place = turnIndex === null ? "" : `, turn ${turnIndex + 1}`;
      return hang("  ✗ ", printable(`${ruleId}${place}: ${message}${note === undefined ? "" : ` ${note}`}`), COLUMNS);
    });
    if (violations.length > MAX_LISTED) lines.push(`  … ${count(violations.length - MAX_LISTED, "more violation")}`);
    for (const { what, why } of notEvaluated)
      lines.push(hang("  ? ", printable(`${what} could not be judged: ${why}`), COLUMNS));
    return [`Expected the run to satisfy ${loaded.file}: ${count(violations.length, "violation")}.`, ...lines].join(
      "\n",
    );
  }
}
