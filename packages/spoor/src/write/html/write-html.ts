/**
 * A document as one page: no network, a policy that allows exactly our own style and script by their hashes, every text escaped.
 * Everything but the timeline is plain HTML and reads without script. One shell for every report: head, search, theme, keys.
 */
import { stringifyJson } from "@spoor/core/internal/trace/json";
import type { Block, Document } from "../../document/document.ts";
import { plainText } from "../../document/text.ts";
import { withLiveLinks } from "../live-links.ts";
import { blocksHtml } from "./blocks.ts";
import { type Html, html, inline, trusted } from "./html.ts";
import { styleHash } from "./style-hash.ts";
import { plotStyle } from "./svg.ts";

export interface HtmlAssets {
  /** The built script and style of packages/web. */
  readonly script: string;
  readonly style: string;
}

export function writeHtml(document: Document, assets: HtmlAssets): string {
  return writePage(document, assets).html;
}

/** The page, and the policy that it is written for, for who serves it. */
export function writePage(described: Document, assets: HtmlAssets): { readonly html: string; readonly policy: string } {
  const document = withLiveLinks(described);
  const style = assets.style + plotStyle;
  const script = assets.script.replaceAll("</script", "<\\/script");
  const isLive = described.runs === "live";
  const policy = `default-src 'none'; style-src ${styleHash(style)}; script-src ${styleHash(script)}; base-uri 'none'; form-action 'none'${isLive ? "; connect-src 'self'" : ""}`;
  const { comparison } = document;
  const runs = document.runs === "live" ? undefined : document.runs;
  const page = html`<!doctype html>
<html lang="en"${isLive ? trusted(" data-live") : ""}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="generator" content="spoor">
<title>${titleOf(document)}</title>
<style>${trusted(style)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the verdict</a>
${head(document)}
<main id="main">
${blocksHtml(document.blocks, 0)}
<footer>${document.footer.map((text) => html`<span>${inline(text)}</span>`)}</footer>
</main>
${keysDialog(document)}
${comparison === undefined ? "" : data("comparison-data", comparison)}
${
  runs === undefined
    ? ""
    : data(
        "runs-data",
        runs.map(({ row }) => row),
      )
}${(runs ?? []).map(({ view }, index) => data(`run-${index}`, view))}
<script>${trusted(script)}</script>
</body>
</html>
`.text;
  return { html: page, policy };
}

function titleOf({ blocks, subject }: Document): string {
  const verdict = blocks.find((block): block is Extract<Block, { kind: "verdict" }> => block.kind === "verdict");
  const said =
    verdict === undefined
      ? ""
      : `${verdict.word === undefined ? "" : `${verdict.word}: `}${plainText(verdict.headline)}`;
  return [said.slice(0, 120), plainText(subject), "Spoor"].filter((part) => part !== "").join(" · ");
}

function data(id: string, value: unknown): Html {
  return html`<script type="application/json" id="${id}">${trusted(embedJson(value))}</script>`;
}

/** JSON inside a script element: nothing in it can end the element or begin a comment. */
function embedJson(value: unknown): string {
  return stringifyJson(value as never)
    .replaceAll("<", "\\u003c")
    .replaceAll(">", "\\u003e")
    .replaceAll("&", "\\u0026")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}

function head({ subject, comparison, runs }: Document): Html {
  const looksFor =
    comparison === undefined && runs === undefined ? "Search this page" : "Search turns, tools, arguments";
  return html`<header class="top">
  <span class="brand"><svg width="22" height="22" viewBox="0 0 22 22" fill="currentColor" aria-hidden="true"><ellipse cx="6" cy="17.2" rx="2.6" ry="3.2" transform="rotate(-14 6 17.2)"/><ellipse cx="9.6" cy="9.6" rx="2.2" ry="2.8" transform="rotate(-8 9.6 9.6)" opacity=".75"/><ellipse cx="16.4" cy="13" rx="2.2" ry="2.8" transform="rotate(14 16.4 13)" opacity=".75"/><ellipse cx="17.4" cy="4.4" rx="1.7" ry="2.2" transform="rotate(10 17.4 4.4)" opacity=".5"/></svg>spoor</span>
  <span class="crumb">${inline(subject)}</span>
  <span class="grow"></span>
  <label class="search"><svg width="14" height="14" viewBox="0 0 14 14" fill="none" stroke="currentColor" stroke-width="1.6" aria-hidden="true"><circle cx="6" cy="6" r="4.4"/><path d="m9.4 9.4 3.4 3.4"/></svg><span class="vh">${looksFor}</span><input id="search" type="search" placeholder="${looksFor}" autocomplete="off"><kbd aria-hidden="true">/</kbd></label>
  <button class="icon" id="theme" type="button" aria-label="Switch between light and dark"><svg width="17" height="17" viewBox="0 0 17 17" aria-hidden="true"><circle cx="8.5" cy="8.5" r="6.2" fill="none" stroke="currentColor" stroke-width="1.5"/><path d="M8.5 2.3a6.2 6.2 0 0 1 0 12.4z" fill="currentColor"/></svg></button>
  <button class="icon" id="help" type="button" aria-label="Keyboard shortcuts">?</button>
</header>`;
}

const PAGE_KEYS: readonly (readonly [readonly string[], string])[] = [
  [["/"], "search"],
  [["t"], "light or dark"],
  [["Esc"], "leave the search, close this"],
];
const TIMELINE_KEYS: typeof PAGE_KEYS = [
  [["j", "k"], "next and previous change"],
  [["[", "]"], "previous and next trace"],
  [["c"], "changes only"],
  [["x"], "open or close all turns"],
];

const RUN_KEYS: typeof PAGE_KEYS = [
  [["j", "k"], "next and previous row"],
  [["e"], "next failure, or turn with a broken rule"],
  [["Enter"], "read the details"],
  [["Esc"], "back to the rows"],
];
const RUNS_KEYS: typeof PAGE_KEYS = [
  [["[", "]"], "previous and next trace"],
  [["u"], "up to the list of traces"],
];

const LIVE_KEYS: typeof PAGE_KEYS = [[["x"], "choose a trace of the list, two to compare them"]];

function keysDialog({ comparison, runs }: Document): Html {
  const keys = [
    ...(comparison === undefined ? [] : TIMELINE_KEYS),
    ...(runs === undefined ? [] : RUN_KEYS),
    ...(runs === undefined || (runs !== "live" && runs.length < 2) ? [] : RUNS_KEYS),
    ...(runs === "live" ? LIVE_KEYS : []),
    ...PAGE_KEYS,
  ];
  return html`<dialog id="keys" aria-labelledby="keys-title"><h2 id="keys-title">Keys</h2><dl>${keys.map(
    ([names, does]) => html`<dt>${names.map((name) => html`<kbd>${name}</kbd> `)}</dt><dd>${does}</dd>`,
  )}</dl><form method="dialog"><button>Close</button></form></dialog>`;
}
