/** Plots as SVG: text is escaped, nothing is loaded, colours follow the reader's theme. */
import { foldName } from "@spoor/core/internal/text/columns";
import type { Plot, Shape } from "../../document/document.ts";
import { type Html, html, trusted } from "./html.ts";

type Colour = readonly [light: string, dark: string];

const TEXT: Colour = ["#1f2328", "#e6edf3"];
const DIM: Colour = ["#59636e", "#9198a1"];
const LOUD: Colour = ["#b42318", "#ff7b72"];
/** Told apart in either theme, and by their labels too. */
const SERIES: readonly Colour[] = [
  ["#0b62a8", "#7cb8ec"],
  ["#b45f06", "#f0a35e"],
  ["#38761d", "#8fce73"],
  ["#674ea7", "#b9a5ee"],
  ["#a0185a", "#f08cbc"],
  ["#0f766e", "#5fd0c5"],
  ["#7a5c00", "#dcb55c"],
  ["#57606a", "#aab4be"],
];

function styleWith(colour: (pair: Colour) => string): string {
  const rules = [
    `text{font:12px system-ui,sans-serif;fill:${colour(TEXT)}}`,
    `text.dim{fill:${colour(DIM)}}`,
    `.band{fill:${colour(DIM)};fill-opacity:.15}`,
    `.axis{stroke:${colour(DIM)}}`,
    ".grid{stroke:#8886}",
    `.calm{stroke:${colour(DIM)};fill:${colour(DIM)}}`,
    `.loud{stroke:${colour(LOUD)};fill:${colour(LOUD)}}`,
    "text.loud{stroke:none}",
    ".curve{fill:none}",
    ...SERIES.flatMap((pair, index) => [
      `.curve.series-${index}{stroke:${colour(pair)}}`,
      `.dot.series-${index}{fill:${colour(pair)}}`,
      `text.series-${index}{fill:${colour(pair)}}`,
    ]),
  ];
  return rules.map((rule) => `.spoor-plot ${rule}`).join("");
}

/** For a page, whose reader can choose the theme. */
export const plotStyle = styleWith(([light, dark]) => `light-dark(${light},${dark})`);

/** For a file of its own, which follows the system; not every viewer knows `light-dark`. */
const fileStyle = `${styleWith(([light]) => light)}@media (prefers-color-scheme:dark){${styleWith(([, dark]) => dark)}}`;

/** A picture inside a page that brings `plotStyle`. */
export function svgOf({ title, description, width, height, shapes }: Plot): Html {
  return html`<svg xmlns="http://www.w3.org/2000/svg" class="spoor-plot" role="img" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><title>${title}</title><desc>${description}</desc>${shapes.map(shapeSvg)}</svg>`;
}

/** Several plots below each other as one file; without any, what there is to say instead. */
export function writeSvg(title: string, drawn: readonly Plot[]): string {
  let top = 0;
  const plots = drawn.length > 0 ? drawn : [nothingDrawn(title)];
  const groups = plots.map((plot) => {
    const group = html`<g transform="translate(0 ${top})">${plot.shapes.map(shapeSvg)}</g>`;
    top += plot.height;
    return group;
  });
  const width = Math.max(0, ...plots.map((plot) => plot.width));
  const description = plots.map((plot) => plot.description).join(" ");
  return html`<svg xmlns="http://www.w3.org/2000/svg" class="spoor-plot" role="img" viewBox="0 0 ${width} ${top}" width="${width}" height="${top}"><title>${title}</title><desc>${description}</desc><style>${trusted(fileStyle)}</style>${groups}</svg>
`.text;
}

function nothingDrawn(title: string): Plot {
  const lines = foldName(title, 100);
  const shapes = lines.map((text, at): Shape => ({ shape: "text", x: 12, y: 24 + 16 * at, text }));
  return { title, description: "There is nothing to draw.", width: 720, height: 24 + 16 * lines.length, shapes };
}

function shapeSvg(shape: Shape): Html {
  switch (shape.shape) {
    case "text":
      return html`<text x="${round(shape.x)}" y="${round(shape.y)}" text-anchor="${shape.anchor ?? "start"}"${shape.class === undefined ? "" : html` class="${shape.class}"`}>${shape.text}</text>`;
    case "line":
      return html`<line x1="${round(shape.x1)}" y1="${round(shape.y1)}" x2="${round(shape.x2)}" y2="${round(shape.y2)}" class="${shape.class}" stroke-width="${shape.width ?? 1}"/>`;
    case "band":
      return html`<rect x="${round(shape.x)}" y="${round(shape.y)}" width="${round(Math.max(0, shape.width))}" height="${round(shape.height)}" class="band"/>`;
    case "dot":
      return html`<circle cx="${round(shape.x)}" cy="${round(shape.y)}" r="${shape.radius ?? 4}" class="dot ${shape.class}"/>`;
    case "curve":
      return html`<polyline points="${shape.points.map(([x, y]) => `${round(x)},${round(y)}`).join(" ")}" class="curve ${shape.class}" stroke-width="${round(shape.width ?? 2)}"/>`;
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
