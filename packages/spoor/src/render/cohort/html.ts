/**
 * A cohort report as a part of a page (`renderCohortFragment`) and as a page of its own. Nothing is loaded, no script runs;
 * text from traces enters escaped. The same sentences as on the terminal, with the plots beside them.
 */
import type { AspectResult, CohortReport } from "@spoor/core/cohort/cohort-report";
import { printable } from "../../document/printable.ts";
import { percent } from "../../document/words.ts";
import { styleHash } from "../../write/html/style-hash.ts";
import { escapeXml } from "../../write/xml.ts";
import { itemSentence } from "./item-sentences.ts";
import { cohortPlots } from "./plots.ts";
import {
  advice,
  aspectTitle,
  cautions,
  designWords,
  firstSeenSentences,
  headline,
  loudest,
  methodSentence,
  signalSize,
  significantItems,
  spreadSentence,
} from "./sentences.ts";
import { plotStyle, renderSvg } from "./svg.ts";
import { nextCommand, originName } from "./terminal.ts";

const PAGE_STYLE =
  ":root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem}" +
  "h1{font-size:1.3rem}h2{font-size:1.05rem;margin-top:2rem}table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.3rem .6rem .3rem 0;border-bottom:1px solid #8884}" +
  `td:nth-child(3){white-space:nowrap}code{font-family:ui-monospace,monospace}svg{max-width:100%;height:auto}${plotStyle}`;

export function renderCohortHtml(report: CohortReport): string {
  const title = escapeXml(headline(report, printable));
  const policy = `default-src 'none'; style-src ${styleHash(PAGE_STYLE)}`;
  return (
    `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">` +
    `<meta http-equiv="Content-Security-Policy" content="${policy}"><title>${title}</title><style>${PAGE_STYLE}</style></head>\n` +
    `<body><main>\n${renderCohortFragment(report)}\n</main></body></html>\n`
  );
}

/** Without styles of its own: the page that holds it brings `plotStyle`. */
export function renderCohortFragment(report: CohortReport): string {
  const parts = [
    `<h1>${sentence(headline(report, mark))}</h1>`,
    report.cohort.scenarios === 0 ? "" : `<p>${escapeXml(`${designWords(report)}. ${methodSentence(report)}`)}</p>`,
    ...(report.verdict === "not_enough_evidence"
      ? [
          "<p><strong>This is not a pass</strong>: a change may have happened and been missed.</p>",
          bullets("", advice(report)),
        ]
      : []),
    aspectTable(report),
    ...cohortPlots(report).map((plot) => `<p>${renderSvg(plot, false)}</p>`),
    bullets("First seen, a fact whatever the verdict", firstSeenSentences(report, mark)),
    runTable(report),
    bullets("Notes", cautions(report, mark)),
    next(report),
  ];
  return `<section class="cohort">${parts.filter((part) => part !== "").join("\n")}</section>`;
}

/** Names are marked with characters that no printable text holds, then turned into code elements after escaping. */
const OPEN = "\uE001";
const CLOSE = "\uE002";

function mark(text: string): string {
  return OPEN + printable(text) + CLOSE;
}

function sentence(text: string): string {
  return escapeXml(text).replaceAll(OPEN, "<code>").replaceAll(CLOSE, "</code>");
}

function bullets(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return "";
  const heading = title === "" ? "" : `<h2>${escapeXml(title)}</h2>`;
  return `${heading}<ul>${lines.map((line) => `<li>${sentence(line)}</li>`).join("")}</ul>`;
}

function aspectTable(report: CohortReport): string {
  if (report.verdict !== "changed") return "";
  const rows = report.aspects.map((aspect) => {
    const signal = loudest(aspect);
    const size = signal === undefined ? "does not vary" : signalSize(signal);
    const result = aspect.changed ? "<strong>changed</strong>" : "no change found";
    return `<tr><th scope="row">${aspectTitle[aspect.aspect]}</th><td>${result}</td><td>${escapeXml(size)}</td><td>${moved(aspect, report.alpha)}</td></tr>`;
  });
  return `<table><thead><tr><th scope="col">aspect</th><th scope="col">result</th><th scope="col">size</th><th scope="col">what moved</th></tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

function moved(aspect: AspectResult, alpha: number): string {
  if (!aspect.changed) return "";
  const items = significantItems(aspect, alpha).map((item) => sentence(itemSentence(item, mark)));
  const words = (aspect.words ?? []).map(
    ({ word, baseline, candidate }) =>
      `illustration: ${sentence(mark(word))} in ${percent(candidate)} of runs instead of ${percent(baseline)}`,
  );
  return [...(items.length === 0 ? [escapeXml(spreadSentence(aspect, alpha))] : items), ...words].join("<br>");
}

function runTable({ runs, verdict }: CohortReport): string {
  const shown = verdict === "unchanged" ? [] : runs.filter(({ distance }) => distance > 0).slice(0, 10);
  if (shown.length === 0) return "";
  const rows = shown.map(({ scenario, run, distance, nearest }) => {
    const cells = [mark(scenario), mark(originName(run)), distance.toFixed(2), mark(originName(nearest))];
    return `<tr>${cells.map((cell) => `<td>${sentence(cell)}</td>`).join("")}</tr>`;
  });
  return `<h2>Candidate runs furthest from the baseline</h2><table><thead><tr><th scope="col">scenario</th><th scope="col">run</th><th scope="col">mean distance</th><th scope="col">nearest baseline run</th></tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

function next(report: CohortReport): string {
  const command = nextCommand(report);
  return command === undefined ? "" : `<p>Next: ${sentence(mark(command))}</p>`;
}
