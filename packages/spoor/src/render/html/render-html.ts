/**
 * The report as one file: no network, a policy that allows exactly our own style and script by their hashes, every text
 * from a trace escaped. Everything but the timeline is plain HTML and reads without script.
 */
import { buildComparisonView, type ComparisonView } from "@spoor/core/gate/comparison-view";
import type { GateReport } from "@spoor/core/gate/gate-report";
import { stringifyJson } from "@spoor/core/trace/json";
import { styleHash } from "../../write/html/style-hash.ts";
import { plotStyle } from "../cohort/svg.ts";
import { gateSentence, statusWord } from "../gate/words.ts";
import { cohortSection } from "./cohort-section.ts";
import { coverageSection, footerSection } from "./coverage-section.ts";
import { type Html, html, trusted } from "./html.ts";
import { lensesSection } from "./lenses-section.ts";
import { pathsSection } from "./paths-section.ts";
import { rulesSection } from "./rules-section.ts";
import { scoresSection } from "./scores-section.ts";
import { signalsSection } from "./signals-section.ts";
import { verdictSection } from "./verdict-section.ts";

export interface HtmlAssets {
  /** The built script and style of packages/web. */
  readonly script: string;
  readonly style: string;
}

export function renderHtml(report: GateReport, assets: HtmlAssets): string {
  const view = buildComparisonView(report);
  const style = report.reports.cohort === undefined ? assets.style : assets.style + plotStyle;
  const script = assets.script.replaceAll("</script", "<\\/script");
  const policy = `default-src 'none'; style-src ${styleHash(style)}; script-src ${styleHash(script)}; base-uri 'none'; form-action 'none'`;
  const word = statusWord(report) || "Passed";
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="generator" content="spoor ${report.tool.version}">
<title>${word}: ${gateSentence(report, (name) => name).slice(0, 120)} · ${report.agent} · Spoor</title>
<style>${trusted(style)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the verdict</a>
${head(report)}
<main id="main">
${verdictSection(report)}
${lensesSection(report)}
${signalsSection(report)}
${timelineSection(view)}
<div class="cols">
${rulesSection(report)}
${pathsSection(report)}
</div>
${scoresSection(report)}
${cohortSection(report)}
${coverageSection(report)}
${footerSection(report)}
</main>
${keysDialog()}
${view === undefined ? "" : html`<script type="application/json" id="comparison-data">${trusted(embedJson(view))}</script>`}
<script>${trusted(script)}</script>
</body>
</html>
`;
  return page.text;
}

/** JSON inside a script element: nothing in it can end the element or begin a comment. */
function embedJson(view: ComparisonView): string {
  return stringifyJson(view as never)
    .replaceAll("<", "\\u003c")
    .replaceAll(">", "\\u003e")
    .replaceAll("&", "\\u0026")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}

function head(report: GateReport): Html {
  const { baseline, candidate } = report.sides ?? {};
  const side = (name: { branch?: string; commit?: string } | undefined) =>
    name === undefined
      ? ""
      : html`${name.branch} ${name.commit === undefined ? "" : html`<code>${name.commit.slice(0, 7)}</code>`}`;
  return html`<header class="top">
  <span class="brand"><svg width="22" height="22" viewBox="0 0 22 22" fill="currentColor" aria-hidden="true"><ellipse cx="6" cy="17.2" rx="2.6" ry="3.2" transform="rotate(-14 6 17.2)"/><ellipse cx="9.6" cy="9.6" rx="2.2" ry="2.8" transform="rotate(-8 9.6 9.6)" opacity=".75"/><ellipse cx="16.4" cy="13" rx="2.2" ry="2.8" transform="rotate(14 16.4 13)" opacity=".75"/><ellipse cx="17.4" cy="4.4" rx="1.7" ry="2.2" transform="rotate(10 17.4 4.4)" opacity=".5"/></svg>spoor</span>
  <span class="crumb"><b>${report.agent}</b> ${baseline === undefined && candidate === undefined ? "" : html`&nbsp; ${side(baseline)} → ${side(candidate)}`}</span>
  <span class="grow"></span>
  <label class="search"><svg width="14" height="14" viewBox="0 0 14 14" fill="none" stroke="currentColor" stroke-width="1.6" aria-hidden="true"><circle cx="6" cy="6" r="4.4"/><path d="m9.4 9.4 3.4 3.4"/></svg><span class="vh">Search turns, tools and arguments</span><input id="search" type="search" placeholder="Search turns, tools, arguments" autocomplete="off"><kbd aria-hidden="true">/</kbd></label>
  <button class="icon" id="theme" type="button" aria-label="Switch between light and dark"><svg width="17" height="17" viewBox="0 0 17 17" aria-hidden="true"><circle cx="8.5" cy="8.5" r="6.2" fill="none" stroke="currentColor" stroke-width="1.5"/><path d="M8.5 2.3a6.2 6.2 0 0 1 0 12.4z" fill="currentColor"/></svg></button>
  <button class="icon" id="help" type="button" aria-label="Keyboard shortcuts">?</button>
</header>`;
}

function timelineSection(view: ComparisonView | undefined): Html {
  if (view === undefined) return html``;
  return html`<section class="block" id="traces" aria-labelledby="traces-title">
  <h2 id="traces-title">What the agent did</h2>
  <p class="sub">Turns are aligned, so a turn that is gone leaves a space. Unchanged turns are one line; select one to open it.</p>
  <div id="timeline"><p class="empty">The timeline needs script. Verdict, signals, rules and paths on this page do not; <code>spoor diff</code> prints the timeline too.</p></div>
</section>`;
}

function keysDialog(): Html {
  const keys: readonly (readonly [readonly string[], string])[] = [
    [["j", "k"], "next and previous change"],
    [["[", "]"], "previous and next trace"],
    [["/"], "search"],
    [["c"], "changes only"],
    [["x"], "open or close all turns"],
    [["t"], "light or dark"],
    [["Esc"], "leave the search, close this"],
  ];
  return html`<dialog id="keys" aria-labelledby="keys-title"><h2 id="keys-title">Keys</h2><dl>${keys.map(
    ([names, does]) => html`<dt>${names.map((name) => html`<kbd>${name}</kbd> `)}</dt><dd>${does}</dd>`,
  )}</dl><form method="dialog"><button>Close</button></form></dialog>`;
}
