/** The paths as bands whose width is the number of runs. The rows below say the same in words. */
import { count, integer } from "@spoor/core/internal/text/amounts";
import { printable } from "@spoor/core/internal/text/printable";
import type { Behaviour } from "./behaviour-shape.ts";
import { type LaidBand, layPaths, NODE } from "./path-layout.ts";

/** Names are cut, not squeezed: in full they stand in the rows. */
const NAME = 22;

export function PathGraph({
  behaviours,
  followed,
}: {
  behaviours: readonly Behaviour[];
  followed: number | undefined;
}) {
  const { nodes, bands, width, height } = layPaths(behaviours);
  const unknown = new Set(behaviours.filter(({ standing }) => standing === "unknown").map(({ id }) => id));
  const words = behaviours
    .slice(0, 6)
    .map(({ seen, steps }) => `${count(seen, "run")}: ${steps.map(printable).join(", ")}`)
    .join("; ");
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls where it is wider than the page
    <div className="graph" role="img" aria-label={`Path graph. ${words}`} tabIndex={0}>
      <svg viewBox={`-2 0 ${width} ${height}`} width={width} height={height} aria-hidden="true">
        {bands.map((band, index) => (
          <path
            key={index}
            className={`flow${band.path === followed ? " on" : ""}${unknown.has(band.path) ? " new" : ""}`}
            d={bandPath(band)}
          />
        ))}
        {bands
          .filter(({ path }) => unknown.has(path))
          .map((band, index) => (
            <path key={index} className="dotted" d={middleOf(band)} />
          ))}
        {nodes.map(({ name, x, y, height: high, runs }) => (
          <g key={`${x} ${name}`}>
            <rect className="node" x={x} y={y} width={NODE} height={high} rx="3" />
            <text x={x} y={y - 8}>
              {short(printable(name))}
            </text>
            <text className="c" x={x + NODE + 5} y={y + Math.min(high, 16) / 2 + 4}>
              {integer(runs)}
            </text>
          </g>
        ))}
      </svg>
    </div>
  );
}

function short(text: string): string {
  return text.length > NAME ? `${text.slice(0, NAME - 1)}…` : text;
}

/** The trail of a path that nobody approved: dots along the middle of its band, to be seen without its colour. */
function middleOf({ x1, y1, x2, y2, height }: LaidBand): string {
  const bend = (x2 - x1) * 0.46;
  const [from, to] = [y1 + height / 2, y2 + height / 2];
  return `M${x1} ${from}C${x1 + bend} ${from} ${x2 - bend} ${to} ${x2} ${to}`;
}

function bandPath({ x1, y1, x2, y2, height }: LaidBand): string {
  const bend = (x2 - x1) * 0.46;
  const low1 = y1 + height;
  const low2 = y2 + height;
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}L${x2} ${low2}C${x2 - bend} ${low2} ${x1 + bend} ${low1} ${x1} ${low1}Z`;
}
