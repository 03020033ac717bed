/** Two weeks of an agent as a line: the share of runs on a known path in units of its own noise, its band, and its releases. */
import { integer } from "@spoor/core/internal/text/amounts";
import { type HourSum, noisePoints } from "./noise-band.ts";

interface Props {
  hours: readonly HourSum[];
  /** Milliseconds since 1970. */
  releases: readonly number[];
  /** Since when somebody says which paths are known; runs before that were on none. */
  knownSince: number | undefined;
  now: number;
}

const WIDTH = 300;
const HEIGHT = 46;
const MIDDLE = 13;
/** Pixels of one unit: the band of two on either side is equally high in every row. */
const UNIT = 4;
const HOUR_MS = 3_600_000;
const SHOWN_HOURS = 14 * 24;

export function Sparkline({ hours, releases, knownSince, now }: Props) {
  const isKnown = knownSince !== undefined;
  const to = now / HOUR_MS;
  const from = to - SHOWN_HOURS;
  const newest = releases.length < 2 ? undefined : Math.max(...releases) / HOUR_MS;
  const judged = isKnown ? hours.filter(({ hour }) => (hour + 1) * HOUR_MS > knownSince) : [];
  const points = noisePoints(judged, from, to, newest);
  const x = (at: number) => at * WIDTH;
  const y = (units: number) => Math.max(2, Math.min(HEIGHT - 3, MIDDLE - units * UNIT));
  const line = points.map(({ at, units }) => `${x(at).toFixed(1)} ${y(units).toFixed(1)}`);
  const last = points.at(-1);
  const runs = hours.reduce((sum, hour) => sum + hour.runs, 0);
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={words(points, runs, isKnown)}
    >
      {points.length === 0 ? (
        <line className="gapline" x1="0" x2={WIDTH} y1={MIDDLE} y2={MIDDLE} />
      ) : (
        <rect className="band" x="0" width={WIDTH} y={MIDDLE - 2 * UNIT} height={4 * UNIT} rx="2" />
      )}
      {releases
        .map((at) => (at / HOUR_MS - from) / SHOWN_HOURS)
        .filter((at) => at > 0 && at < 1)
        .map((at) => (
          <line key={at} className="rel" x1={x(at)} x2={x(at)} y1="0" y2={HEIGHT} />
        ))}
      {line.length < 2 ? null : <path className="ln" d={`M${line.join("L")}`} />}
      {last === undefined ? null : <circle className="dot" cx={x(last.at)} cy={y(last.units)} r="2.4" />}
    </svg>
  );
}

function words(points: readonly { readonly units: number }[], runs: number, isKnown: boolean): string {
  if (runs === 0) return "no runs in two weeks";
  if (!isKnown) return `${integer(runs)} runs in two weeks; no baseline says which paths are known`;
  const last = points.at(-1);
  if (last === undefined) return `${integer(runs)} runs in two weeks, none since a baseline was approved`;
  return `${integer(runs)} runs in two weeks; the newest are ${last.units < -2 ? "below" : "inside"} the agent's own noise`;
}
