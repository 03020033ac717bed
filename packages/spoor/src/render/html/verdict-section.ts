/** The first screen: the consequence, where it begins, and the four facts that support it. */
import type { GateReport } from "@spoor/core/gate/gate-report";
import { count, list, percent } from "../../document/words.ts";
import { goingInSentence } from "../diff/sentences.ts";
import { gateSentence, reasonsSentence, statusWord } from "../gate/words.ts";
import { type Html, html, quoteMark, turnLink, withCode } from "./html.ts";

const SYMBOL = { blocked: "✗", warned: "!", passed: "✓", not_evaluated: "?" } as const;

export function verdictSection(report: GateReport): Html {
  const [headline, ...rest] = gateSentence(report, quoteMark).split(/(?<=\.) (?=[A-Z\uE001])/);
  const diff = report.reports.diff;
  const reasons = reasonsSentence(report);
  const lede = [
    rest.join(" "),
    diff === undefined || diff.goingIn.compared === 0 ? "" : `Going in, ${goingInSentence(diff.goingIn, quoteMark)}`,
    reasons === "" ? "" : `${report.mode === "warn" ? "Would be blocked" : "Blocked"}: ${reasons}.`,
  ].filter((part) => part !== "");
  return html`<section class="verdict" aria-labelledby="verdict-title">
  <div>
    <p><span class="status ${report.status}"><span aria-hidden="true">${SYMBOL[report.status]}</span>${statusWord(report) || "Passed"}</span></p>
    <h1 id="verdict-title">${withCode(headline!.replace(/\.$/, ""))}</h1>
    <p class="lede">${withCode(lede.join(" "))}</p>
    <p class="go">${links(report)}</p>
  </div>
  <div class="facts"><dl>${facts(report)}</dl>${patch(report)}</div>
</section>`;
}

function links(report: GateReport): Html[] {
  const { diff, policy, baseline } = report.reports;
  const parts: Html[] = [];
  const first = diff?.firstDivergence;
  if (diff !== undefined && first !== null && first !== undefined) {
    const trace = diff.traces[first.traceIndex]!;
    const onlyBaseline = trace.changes.find(
      (change) => change.baselineTurn === first.baselineTurn && change.candidateTurn === undefined,
    );
    const href =
      onlyBaseline === undefined
        ? turnLink(trace.candidate.key, first.candidateTurn)
        : `#${encodeURIComponent(`${trace.candidate.key}:b${first.baselineTurn + 1}`)}`;
    parts.push(html`<a class="btn" href="${href}">Go to the first divergence</a> `);
  }
  if (policy !== undefined) parts.push(html`<a href="#rules">Rules</a> `);
  if (baseline !== undefined) parts.push(html`<a href="#paths">Paths</a>`);
  return parts;
}

function facts(report: GateReport): Html[] {
  const { diff, policy, baseline, trajectory, cohort } = report.reports;
  const rows: Html[] = [];
  if (diff !== undefined) {
    const { structure } = diff;
    const plausible =
      structure.changed > 0
        ? `${percent(structure.interval.low)} to ${percent(structure.interval.high)} is plausible`
        : "";
    rows.push(
      html`<dt>Turns that differ</dt><dd>${structure.changed} of ${structure.turns} <small>${plausible}</small></dd>`,
    );
  }
  if (policy !== undefined) {
    const { violations } = policy.totals;
    const errors = violations.severe;
    const rest = violations.moderate > 0 ? `and ${count(violations.moderate, "warning")}` : "";
    rows.push(
      html`<dt>Rules</dt><dd>${errors > 0 ? html`<span class="bad">${count(errors, "violation")}</span>` : html`${count(policy.rules.length, "rule")} checked`} <small>${rest}</small></dd>`,
    );
  }
  if (baseline !== undefined) {
    const { totalTraces, passed } = baseline.summary;
    rows.push(html`<dt>On a known path</dt><dd>${passed} of ${count(totalTraces, "run")}</dd>`);
  }
  if (trajectory !== undefined) {
    const passed = trajectory.results.filter((result) => result.verdict === "pass").length;
    rows.push(html`<dt>Expected path</dt><dd>${passed} of ${trajectory.results.length} pass</dd>`);
  }
  if (cohort !== undefined) rows.push(html`<dt>Cohort</dt><dd>${cohort.verdict.replaceAll("_", " ")}</dd>`);
  if (diff !== undefined && diff.goingIn.compared > 0) {
    const { system, model, tools, settings } = diff.goingIn;
    const changed = [
      system.status === "changed" || system.status === "rewritten" ? "system prompt" : "",
      model.status === "changed" ? "model" : "",
      tools.status === "changed" ? "tools" : "",
      settings.status === "changed" ? "settings" : "",
    ].filter((part) => part !== "");
    rows.push(
      html`<dt>What went in</dt><dd>${changed.length === 0 ? "the same" : list(changed)} <small>${changed.length === 0 ? "" : "changed; the rest is the same"}</small></dd>`,
    );
  }
  return rows;
}

/** The lines of the system prompt that changed. */
function patch(report: GateReport): Html {
  const system = report.reports.diff?.goingIn.system;
  if (system === undefined || (system.added.length === 0 && system.removed.length === 0)) return html``;
  const shown = (lines: readonly string[]) => lines.slice(0, 5);
  const more = Math.max(0, system.added.length - 5) + Math.max(0, system.removed.length - 5);
  return html`<div class="patch">${shown(system.removed).map((line) => html`<del><b>-</b><span>${line}</span></del>`)}${shown(
    system.added,
  ).map(
    (line) => html`<ins><b>+</b><span>${line}</span></ins>`,
  )}${more > 0 ? html`<span><b></b><span>${count(more, "more line")}</span></span>` : ""}</div>`;
}
