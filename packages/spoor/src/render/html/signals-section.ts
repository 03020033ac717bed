/** Every signal on one scale: the middle is no change, the dashed marks are where severe begins, right is more. */
import { axes } from "@spoor/core/diff/axes";
import { type AxisRow, hasNoData } from "@spoor/core/diff/axis-row";
import type { DiffReport } from "@spoor/core/diff/diff-report";
import type { GateReport } from "@spoor/core/gate/gate-report";
import { SMALL_SAMPLE } from "@spoor/core/stats/power";
import { inWords, percent } from "../../document/words.ts";
import { amountOf, axisWords, noDataReason, signedAmount } from "../diff/axis-words.ts";
import { powerSentence } from "../diff/sentences.ts";
import { barOf, type SignalBar } from "../diff/signal-bar.ts";
import { type Html, html } from "./html.ts";

export function signalsSection(report: GateReport): Html {
  const diff = report.reports.diff;
  if (diff === undefined || diff.verdict.code === "not_enough") return html``;
  return html`<section class="block" id="signals" aria-labelledby="signals-title">
  <h2 id="signals-title">Signals</h2>
  <p class="sub">How far each signal moved, with the range that the sample leaves open. Every row has the same scale: the middle is no change, the dashed marks are where severe begins.</p>
  <table class="axes">
    <thead><tr><th scope="col">Signal</th><th scope="col">Before</th><th scope="col">Now</th><th scope="col" class="chart scale"><span class="vh">Change with 95 % interval</span><svg height="16" aria-hidden="true"><text x="18%" y="12" text-anchor="middle">severe</text><text x="50%" y="12" text-anchor="middle">no change</text><text x="82%" y="12" text-anchor="middle">severe</text></svg></th><th scope="col">Grade</th></tr></thead>
    <tbody>${structureRow(diff)}${diff.rows.map((row) => axisRow(row, diff))}</tbody>
  </table>
  <p class="aside">The ${inWords(axes.length)} axes are medians: they cannot see what happens in fewer than half of the turns. <b>structure</b> counts every turn whose calls, arguments or stop reason changed, and every turn that is missing or new. ${powerSentence(diff)}</p>
</section>`;
}

function structureRow(diff: DiffReport): Html {
  const { structure } = diff;
  const now = `${structure.changed} of ${structure.turns}`;
  const says = `${percent(structure.share)} of turns differ, plausible range ${percent(structure.interval.low)} to ${percent(structure.interval.high)}`;
  return html`<tr class="${structure.severity === "severe" ? "hit" : ""}"><th scope="row">structure <span>turns that differ</span></th><td class="before" data-now="${now}">–</td><td class="now">${now}</td><td class="chart">${chart(barOf.structure(structure), says)}</td><td>${grade(structure.severity, diff, false)}</td></tr>`;
}

function axisRow(row: AxisRow, diff: DiffReport): Html {
  const name = html`<th scope="row">${row.axis} <span>${axisWords[row.axis].is}</span></th>`;
  if (hasNoData(row)) return html`<tr>${name}<td class="void" colspan="4">${noDataReason(row)}</td></tr>`;
  const better = row.direction === "better";
  const now = amountOf(row.axis, row.candidate);
  const says =
    row.delta === 0
      ? "no change"
      : `${signedAmount(row.axis, row.delta)}, range ${signedAmount(row.axis, row.ci95Low)} to ${signedAmount(row.axis, row.ci95High)}`;
  return html`<tr class="${row.gateSeverity === "severe" && !better ? "hit" : ""}">${name}<td class="before" data-now="${now}">${amountOf(row.axis, row.baseline)}</td><td class="now">${now}</td><td class="chart">${chart(barOf.axis(row), says)}</td><td>${grade(row.gateSeverity, diff, better)}</td></tr>`;
}

function grade(severity: string, diff: DiffReport, better: boolean): Html {
  const word = better && severity !== "none" ? "better" : severity;
  const shown = diff.pairCount < SMALL_SAMPLE && severity !== "none" ? `(${word})` : word;
  return html`<span class="grade ${word}"><i></i>${shown}</span>`;
}

/** Positions are shares of the width: -1 and 1 are where severe begins, at 18 and 82 %. */
function chart(bar: SignalBar, says: string): Html {
  const at = (position: number) => `${(50 + 32 * Math.max(-1.5, Math.min(1.5, position))).toFixed(1)}%`;
  const still = bar.low === bar.high && bar.point === 0;
  const beyond = bar.high > 1.5;
  const below = bar.low < -1.5;
  const interval = still
    ? ""
    : html`<line class="iv" x1="${at(bar.low)}" x2="${at(bar.high)}" y1="16" y2="16"/>${below ? html`<svg x="${at(bar.low)}" y="10" width="9" height="12" overflow="visible"><path class="arrow" d="M2 0-7 6 2 12z"/></svg>` : html`<line class="cap" x1="${at(bar.low)}" x2="${at(bar.low)}" y1="11.5" y2="20.5"/>`}${beyond ? html`<svg x="${at(bar.high)}" y="10" width="9" height="12" overflow="visible"><path class="arrow" d="M-2 0 7 6-2 12z"/></svg>` : html`<line class="cap" x1="${at(bar.high)}" x2="${at(bar.high)}" y1="11.5" y2="20.5"/>`}`;
  return html`<svg height="32" role="img" aria-label="${says}"><rect class="zone" x="0" y="6" width="18%" height="20" rx="3"/><rect class="zone" x="82%" y="6" width="18%" height="20" rx="3"/><line class="sev" x1="18%" x2="18%" y1="4" y2="28"/><line class="sev" x1="82%" x2="82%" y1="4" y2="28"/><line class="mid" x1="50%" x2="50%" y1="4" y2="28"/>${interval}<circle class="pt${still ? " still" : ""}" cx="${at(bar.point)}" cy="16" r="${still ? "3.5" : "4.5"}"/></svg>`;
}
