/** One line per lens, linked to where its finding begins. */
import type { CheckStatus, GateReport } from "@spoor/core/gate/gate-report";
import { lensTitle } from "../gate/words.ts";
import { type Html, html, turnLink } from "./html.ts";

const MARK: Readonly<Record<CheckStatus, readonly [string, string, string]>> = {
  passed: ["✓", "ok", "passed"],
  warned: ["!", "warn", "warning"],
  failed: ["✗", "bad", "failed"],
  not_evaluated: ["?", "muted", "not evaluated"],
};

export function lensesSection(report: GateReport): Html {
  return html`<section class="block" aria-labelledby="lenses-title">
  <h2 id="lenses-title">Verdict by lens</h2>
  <ul class="lenses">${report.lenses.map((result) => {
    const [symbol, tone, word] = MARK[result.status];
    const { begins } = result;
    const place =
      begins === undefined
        ? ""
        : begins.fingerprint !== undefined
          ? html`<a href="#paths"><code>${begins.fingerprint}</code></a>`
          : html`<a href="${turnLink(begins.key, begins.turnIndex)}">${begins.trace}${begins.turnIndex === undefined ? "" : `, turn ${begins.turnIndex + 1}`}</a>`;
    return html`<li><span class="mark ${tone}"><span aria-hidden="true">${symbol}</span><span class="vh">${word}</span></span><b>${lensTitle[result.lens]}</b><span>${result.summary}</span><span class="at">${place}</span></li>`;
  })}</ul>
</section>`;
}
