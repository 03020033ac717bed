/** The paths as bands whose width is the number of runs. The rows below say the same in words. */
import { count, integer } from "@spoor/core/internal/text/amounts";
import { printable } from "@spoor/core/internal/text/printable";
import { useState } from "preact/hooks";
import { useWidth } from "../use-width.ts";
import type { Behaviour } from "./behaviour-shape.ts";
import { type LaidBand, LINE, layPaths, NODE, UNDER_NAME } from "./path-layout.ts";

/** Of longer paths the first steps are drawn, and all of them when they are asked for. */
const FIRST_STEPS = 24;

interface Props {
  behaviours: readonly Behaviour[];
  followed: number | undefined;
}

export function PathGraph({ behaviours, followed }: Props) {
  const { box, width } = useWidth();
  const [isWhole, setWhole] = useState(false);
  const longest = behaviours.reduce((most, { steps }) => Math.max(most, steps.length), 0);
  const words = behaviours
    .slice(0, 6)
    .map(({ seen, steps }) => `${count(seen, "run")}: ${steps.map(printable).join(", ")}`)
    .join("; ");
  const drawn = isWhole ? behaviours : behaviours.map((one) => ({ ...one, steps: one.steps.slice(0, FIRST_STEPS) }));
  return (
    <>
      <div className="graph" role="img" aria-label={`Path graph. ${words}`}>
        <div ref={box}>{width === 0 ? null : <Drawn behaviours={drawn} followed={followed} width={width} />}</div>
      </div>
      {longest <= FIRST_STEPS || isWhole ? null : (
        <button type="button" className="more" onClick={() => setWhole(true)}>
          {`Draw all ${integer(longest)} steps`}
        </button>
      )}
    </>
  );
}

function Drawn({ behaviours, followed, width }: Props & { width: number }) {
  const { nodes, bands, height } = layPaths(behaviours, width);
  const unknown = new Set(behaviours.filter(({ standing }) => standing === "unknown").map(({ id }) => id));
  return (
    <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden="true">
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
      {nodes.map(({ name, lines, x, y, height: high, runs }, index) => (
        <g key={index}>
          <title>{printable(name)}</title>
          <rect className="node" x={x} y={y} width={NODE} height={high} rx="3" />
          <text x={x}>
            {lines.map((line, at) => (
              <tspan key={at} x={x} y={y - UNDER_NAME - (lines.length - 1 - at) * LINE}>
                {line}
              </tspan>
            ))}
          </text>
          <text className="c" x={x + NODE + 5} y={y + Math.min(high, 16) / 2 + 4}>
            {integer(runs)}
          </text>
        </g>
      ))}
    </svg>
  );
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
