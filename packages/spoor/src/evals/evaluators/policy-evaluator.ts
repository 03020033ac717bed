/** policy: a policy file as an evaluator. The score is the share of rules that hold; a broken severe rule fails it. */

import { defineEvaluator } from "@spoor/core/internal/evaluators/define-evaluator";
import type { Check, Outcome } from "@spoor/core/internal/evaluators/evaluation";
import { checkPolicy } from "@spoor/core/internal/policy/check-policy";
import { required } from "@spoor/core/internal/read/field";
import type { ValuesOf } from "@spoor/core/internal/read/mapping";
import { text } from "@spoor/core/internal/read/scalars";
import { loadPolicy } from "../../load/load-policy.ts";
import type { EvaluatorRunContext } from "./run-context.ts";

/** Violations of one rule that are written out. */
const MAX_LISTED = 5;

const fields = { file: required(text, "the policy", { alias: ["policy", "value"] }) };

export const policyEvaluator = defineEvaluator<typeof fields, ValuesOf<typeof fields>, EvaluatorRunContext>({
  type: "policy",
  judgesBlind: true,
  aliases: ["policy_file"],
  summary: "the run keeps every rule of a policy file",
  fields,
  evaluate(subject, { file }, context): Outcome {
    if (!subject.hasTrace)
      return { score: 0, aspects: 1, checks: [{ passed: false, text: "No trace to check" }], noData: true };
    const policy = loadPolicy(file, { cwd: context.folder });
    const { outcomes, notEvaluated } = checkPolicy(subject.trace(), policy, {
      today: context.today ?? new Date().toISOString().slice(0, 10),
    });
    // A rule that found nothing to look at is neither kept nor broken.
    const judged = outcomes.filter(
      (outcome) => outcome.violations.length > 0 || (outcome.notEvaluated.length === 0 && outcome.saw),
    );
    const isKept = ({ rule, violations }: (typeof judged)[number]) => violations.length === 0 || rule.effect === "warn";
    const kept = judged.filter(isKept).length;
    const checks = judged.flatMap(({ rule, violations }): Check[] => {
      if (violations.length === 0) return [{ passed: true, text: `${rule.id} holds` }];
      // What only warns is said and fails nothing.
      const warns = rule.effect === "warn";
      const lines = violations.slice(0, MAX_LISTED).map(({ turnIndex, message }) => ({
        passed: warns,
        text: `${warns ? "warning: " : ""}${rule.id}${turnIndex === null ? "" : `, turn ${turnIndex + 1}`}: ${message}`,
      }));
      const more = violations.length - MAX_LISTED;
      return more > 0 ? [...lines, { passed: warns, text: `${rule.id}: ${more} more violations` }] : lines;
    });
    const blocked = judged.some(({ rule, violations }) => violations.length > 0 && rule.severity === "severe");
    return {
      score: judged.length === 0 ? 0 : kept / judged.length,
      aspects: judged.length,
      checks,
      ...(blocked ? { ruledOut: true as const } : {}),
      ...(judged.length === 0 ? { noData: true as const } : {}),
      ...(notEvaluated.length === 0 ? {} : { notChecked: notEvaluated.map(({ what, why }) => `rule ${what}: ${why}`) }),
    };
  },
});
