/** The expected paths: each trace's score, and for what failed the reasons. */
import { missesOf } from "@spoor/core/evaluators/evaluation";
import type { TraceScore } from "@spoor/core/evaluators/score-report";
import type { GateReport } from "@spoor/core/gate/gate-report";
import { type Html, html, turnLink } from "./html.ts";

const TRACES = 50;
const MISSES = 10;

export function scoresSection(report: GateReport): Html {
  const scores = report.reports.trajectory;
  if (scores === undefined) return html``;
  const results = [...scores.results].sort((left, right) => left.score - right.score).slice(0, TRACES);
  return html`<section class="block" id="scores" aria-labelledby="scores-title">
  <h2 id="scores-title">Expected paths</h2>
  <ul class="find">${results.map(scoreItem)}</ul>
</section>`;
}

function scoreItem(result: TraceScore): Html {
  const passed = result.verdict === "pass";
  const misses = result.evaluators
    .filter((evaluator) => evaluator.verdict !== "pass")
    .flatMap((evaluator) => missesOf(evaluator).map((miss) => `${evaluator.name}: ${miss}`));
  return html`<li><div class="h"><span class="sev-word ${passed ? "ok" : "bad"}">${passed ? "✓ passed" : "✗ below"}</span><b><a href="${turnLink(result.key, undefined)}">${result.trace}</a></b><span class="at">${result.score.toFixed(2)}, pass line ${result.passLine.toFixed(2)}</span></div>
    ${misses.slice(0, MISSES).map((miss) => html`<p>${miss}</p>`)}${misses.length > MISSES ? html`<p class="muted">and ${misses.length - MISSES} more</p>` : ""}</li>`;
}
