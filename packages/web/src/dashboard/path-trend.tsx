/** Two weeks of a path as a line: its share of each day's runs. */
import { integer } from "@spoor/core/internal/text/amounts";
import type { Behaviour } from "./behaviour-shape.ts";

export interface Trend {
  /** Days since 1970. */
  readonly from: number;
  readonly to: number;
  /** So many of the newest runs are looked at. */
  readonly most: number;
}

const WIDTH = 120;
const HEIGHT = 30;
/** The line stays inside the drawing where a share is 0 or everything. */
const EDGE = 3;

/** How many runs there were on each day, on any path. */
export function dayTotals(behaviours: readonly Behaviour[]): ReadonlyMap<number, number> {
  const totals = new Map<number, number>();
  for (const { days } of behaviours) for (const { day, runs } of days) totals.set(day, (totals.get(day) ?? 0) + runs);
  return totals;
}

interface Props {
  days: Behaviour["days"];
  trend: Trend;
  totals: ReadonlyMap<number, number>;
}

export function PathTrend({ days, trend: { from, to }, totals }: Props) {
  const runsOn = new Map(days.map(({ day, runs }) => [day, runs]));
  // Days without any run of the agent say nothing about its paths.
  const points = [...totals]
    .filter(([day]) => day >= from && day <= to)
    .sort(([left], [right]) => left - right)
    .map(([day, all]) => ({
      x: EDGE + ((day - from) / Math.max(1, to - from)) * (WIDTH - 2 * EDGE),
      share: (runsOn.get(day) ?? 0) / all,
    }));
  const y = (share: number) => HEIGHT - EDGE - share * (HEIGHT - 2 * EDGE);
  const last = points.at(-1);
  const runs = days.reduce((sum, day) => sum + day.runs, 0);
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={trendWords(runs, points)}>
      <line className="rest" x1="0" x2={WIDTH} y1={y(0)} y2={y(0)} />
      {points.length < 2 ? null : (
        <path
          className="ln"
          d={`M${points.map(({ x, share }) => `${x.toFixed(1)} ${y(share).toFixed(1)}`).join("L")}`}
        />
      )}
      {last === undefined ? null : <circle className="dot" cx={last.x} cy={y(last.share)} r="2.4" />}
    </svg>
  );
}

function trendWords(runs: number, points: readonly { readonly share: number }[]): string {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || runs === 0) return "no run in two weeks";
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  return `${integer(runs)} runs in two weeks: ${percent(first.share)} of the runs of the first day, ${percent(last.share)} of the last`;
}
