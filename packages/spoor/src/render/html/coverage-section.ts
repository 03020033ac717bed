/** What was seen, and what was not: silence is reported. */
import type { GateReport } from "@spoor/core/gate/gate-report";
import { coverageSentence, matchingSentence } from "../diff/sentences.ts";
import { type Html, html } from "./html.ts";

export function coverageSection(report: GateReport): Html {
  const { notEvaluated } = report.coverage;
  return html`<section class="block" aria-labelledby="coverage-title">
  <h2 id="coverage-title">What was not seen</h2>
  <ul class="cover"><li>${coverageSentence(report.coverage)}</li>${notEvaluated.map(({ what, why }) => html`<li class="q"><b>${what}</b>: ${why}</li>`)}</ul>
</section>`;
}

export function footerSection(report: GateReport): Html {
  const diff = report.reports.diff;
  return html`<footer><span>spoor ${report.tool.version}</span><span>seed ${report.seed}, 1,000 resamples</span>${diff === undefined ? "" : html`<span>${matchingSentence(diff)}</span>`}<span>Same data: <code>spoor report gate.json</code></span></footer>`;
}
