/** Plots as SVG: text is escaped, nothing is loaded, colours follow the reader's theme. */
import type { Plot, Shape } from "../../document/document.ts";
import { type Html, html, trusted } from "./html.ts";

export const plotStyle =
  ".spoor-plot text{font:12px system-ui,sans-serif;fill:#1f2328}.spoor-plot .dim{fill:#59636e}.spoor-plot .band{fill:#59636e;fill-opacity:.13}" +
  ".spoor-plot .axis{stroke:#59636e}.spoor-plot .grid{stroke:#8886}.spoor-plot .calm{stroke:#59636e;fill:#59636e}.spoor-plot .loud{stroke:#b42318;fill:#b42318}" +
  ".spoor-plot .curve{fill:none;stroke-width:2}.spoor-plot .series-0{stroke:#0b62a8}.spoor-plot .series-1{stroke:#b45f06}.spoor-plot .series-2{stroke:#38761d}.spoor-plot .series-3{stroke:#674ea7}" +
  ".spoor-plot .dot.series-0{fill:#0b62a8}.spoor-plot .dot.series-1{fill:#b45f06}.spoor-plot .dot.series-2{fill:#38761d}.spoor-plot .dot.series-3{fill:#674ea7}" +
  "@media (prefers-color-scheme:dark){.spoor-plot text{fill:#e6edf3}.spoor-plot .dim{fill:#9198a1}.spoor-plot .band{fill:#9198a1}" +
  ".spoor-plot .axis{stroke:#9198a1}.spoor-plot .calm{stroke:#9198a1;fill:#9198a1}.spoor-plot .loud{stroke:#ff7b72;fill:#ff7b72}}";

/** A picture of its own (`withStyle`), or a part of a page that brings `plotStyle` itself. */
export function svgOf({ title, description, width, height, shapes }: Plot, withStyle: boolean): Html {
  return html`<svg xmlns="http://www.w3.org/2000/svg" class="spoor-plot" role="img" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><title>${title}</title><desc>${description}</desc>${withStyle ? html`<style>${trusted(plotStyle)}</style>` : ""}${shapes.map(shapeSvg)}</svg>`;
}

/** Several plots below each other as one file. */
export function writeSvg(title: string, plots: readonly Plot[]): string {
  let top = 0;
  const groups = plots.map((plot) => {
    const group = html`<g transform="translate(0 ${top})">${plot.shapes.map(shapeSvg)}</g>`;
    top += plot.height;
    return group;
  });
  const width = Math.max(0, ...plots.map((plot) => plot.width));
  const description = plots.map((plot) => plot.description).join(" ");
  return html`<svg xmlns="http://www.w3.org/2000/svg" class="spoor-plot" role="img" viewBox="0 0 ${width} ${top}" width="${width}" height="${top}"><title>${title}</title><desc>${description}</desc><style>${trusted(plotStyle)}</style>${groups}</svg>
`.text;
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
      return html`<polyline points="${shape.points.map(([x, y]) => `${round(x)},${round(y)}`).join(" ")}" class="curve ${shape.class}"/>`;
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
