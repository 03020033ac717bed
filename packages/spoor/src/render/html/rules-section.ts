/** Every rule of the policy: broken ones first, each finding linked to its turn. */

import type { GateReport } from "@spoor/core/gate/gate-report";
import type { CheckReport, RuleReport } from "@spoor/core/policy/check-report";
import { count } from "../../document/words.ts";
import { type Html, html, turnLink } from "./html.ts";

const FINDINGS = 20;

export function rulesSection(report: GateReport): Html {
  const policy = report.reports.policy;
  if (policy === undefined) return html``;
  const { totals } = policy;
  const errors = totals.violations.severe;
  const broken = (rule: RuleReport) =>
    rule.status === "failed" ? 0 : rule.status === "not_evaluated" && rule.reason !== "not_applicable" ? 1 : 2;
  const rules = [...policy.rules].sort((left, right) => broken(left) - broken(right));
  return html`<section class="block" id="rules" aria-labelledby="rules-title">
  <h2 id="rules-title">Rules</h2>
  <p class="sub"><code>${policy.policy.file ?? "policy"}</code>, ${count(policy.rules.length, "rule")} on ${count(policy.traces.length, report.noun)}: ${totals.passed} passed, ${count(errors, "violation")}, ${count(totals.violations.moderate, "warning")}, ${totals.notEvaluated} not evaluated.</p>
  <ul class="find">${rules.map((rule) => ruleItem(rule, policy))}</ul>
</section>`;
}

function ruleItem(rule: RuleReport, policy: CheckReport): Html {
  const [tone, word] = wordOf(rule);
  const shown = rule.violations.slice(0, FINDINGS);
  const more = rule.violations.length - shown.length;
  const places = shown.map((violation) => {
    const { key, name } = policy.traces[violation.trace]!;
    const turn = violation.turnIndex === null ? "" : `, turn ${violation.turnIndex + 1}`;
    return html`<a href="${turnLink(key, violation.turnIndex ?? undefined)}">${name}${turn}</a>`;
  });
  const first = rule.violations[0];
  return html`<li><div class="h"><span class="sev-word ${tone}">${word}</span><b>${rule.id}</b><span class="at">${rule.at.line === undefined ? "" : `line ${rule.at.line}`}</span></div>
    <p>${rule.description || rule.explanation}</p>
    ${first === undefined ? "" : html`<p>${first.message}</p>`}
    ${rule.notEvaluated.slice(0, 3).map(({ why }) => html`<p>Not evaluated: ${why}</p>`)}
    ${rule.status === "passed" ? html`<p class="muted">${rule.seen.map((seen) => count(seen.amount, seen.noun)).join(", ")}</p>` : ""}
    ${places.length === 0 ? "" : html`<p class="to">${places}${more > 0 ? html`<span class="muted">and ${more} more</span>` : ""}</p>`}</li>`;
}

function wordOf(rule: RuleReport): [tone: string, word: string] {
  switch (rule.status) {
    case "failed":
      if (rule.severity === "severe") return ["bad", "✗ error"];
      return ["warn", rule.severity === "moderate" ? "! warning" : "! info"];
    case "not_evaluated":
      return ["muted", rule.reason === "not_applicable" ? "? nothing to look at" : "? not evaluated"];
    case "passed":
      return rule.reason === "excused" ? ["warn", "! excused"] : ["ok", "✓ passed"];
  }
}
