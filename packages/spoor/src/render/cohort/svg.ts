/** The few pieces that the cohort plots share. Text is escaped; nothing is loaded; colours follow the reader's theme. */
import { escapeXml } from "../../write/xml.ts";

export interface Plot {
  readonly title: string;
  /** What the picture shows, for those who do not see it. */
  readonly description: string;
  readonly width: number;
  readonly height: number;
  readonly body: string;
}

const STYLE =
  ".cohort-plot text{font:12px system-ui,sans-serif;fill:#1f2328}.cohort-plot .dim{fill:#59636e}.cohort-plot .band{fill:#59636e;fill-opacity:.13}" +
  ".cohort-plot .axis{stroke:#59636e}.cohort-plot .grid{stroke:#8886}.cohort-plot .calm{stroke:#59636e;fill:#59636e}.cohort-plot .loud{stroke:#b42318;fill:#b42318}" +
  ".cohort-plot .curve{fill:none;stroke-width:2}.cohort-plot .end{stroke:none}" +
  "@media (prefers-color-scheme:dark){.cohort-plot text{fill:#e6edf3}.cohort-plot .dim{fill:#9198a1}.cohort-plot .band{fill:#9198a1}" +
  ".cohort-plot .axis{stroke:#9198a1}.cohort-plot .calm{stroke:#9198a1;fill:#9198a1}.cohort-plot .loud{stroke:#ff7b72;fill:#ff7b72}}";

/** A picture of its own: a file, or a part of a page that brings `plotStyle` itself. */
export function renderSvg({ title, description, width, height, body }: Plot, withStyle = true): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" class="cohort-plot" role="img" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">` +
    `<title>${escapeXml(title)}</title><desc>${escapeXml(description)}</desc>${withStyle ? `<style>${STYLE}</style>` : ""}${body}</svg>`
  );
}

export const plotStyle = STYLE;

/** Several plots below each other in one file. */
export function stackPlots(title: string, plots: readonly Plot[]): Plot {
  let top = 0;
  const parts = plots.map((plot) => {
    const part = `<g transform="translate(0 ${top})">${plot.body}</g>`;
    top += plot.height;
    return part;
  });
  return {
    title,
    description: plots.map(({ description }) => description).join(" "),
    width: Math.max(0, ...plots.map(({ width }) => width)),
    height: top,
    body: parts.join(""),
  };
}

export function svgText(x: number, y: number, text: string, attributes = ""): string {
  return `<text x="${round(x)}" y="${round(y)}"${attributes === "" ? "" : ` ${attributes}`}>${escapeXml(text)}</text>`;
}

export function svgLine(x1: number, y1: number, x2: number, y2: number, className: string, width = 1): string {
  return `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" class="${className}" stroke-width="${width}"/>`;
}

export function svgBand(x: number, y: number, width: number, height: number): string {
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(Math.max(0, width))}" height="${round(height)}" class="band"/>`;
}

export function svgDot(x: number, y: number, className: string, radius = 4): string {
  return `<circle cx="${round(x)}" cy="${round(y)}" r="${radius}" class="${className}"/>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
