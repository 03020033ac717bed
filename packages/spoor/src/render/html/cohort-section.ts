/** Changed, unchanged or not enough evidence, over all runs: the sentence, what would settle it, and the signals against the noise. */
import type { GateReport } from "@spoor/core/gate/gate-report";
import { cohortPlots } from "../cohort/plots.ts";
import { advice, designWords, headline, methodSentence } from "../cohort/sentences.ts";
import { renderSvg } from "../cohort/svg.ts";
import { type Html, html, quoteMark, trusted, withCode } from "./html.ts";

export function cohortSection(report: GateReport): Html {
  const cohort = report.reports.cohort;
  if (cohort === undefined) return html``;
  return html`<section class="block" id="cohort" aria-labelledby="cohort-title">
  <h2 id="cohort-title">Change or noise</h2>
  <p class="sub">${designWords(cohort)} ${methodSentence(cohort)}</p>
  <p class="why">${withCode(headline(cohort, quoteMark))}</p>
  ${advice(cohort).map((line) => html`<p class="why">${line}</p>`)}
  ${cohortPlots(cohort).map((plot) => html`<div class="plot">${trusted(renderSvg(plot, false))}</div>`)}
</section>`;
}
