/** What the sequential test had after each pair of runs, on a logarithmic scale; above the dashed line it may stop. */
export interface EvidencePoint {
  readonly pairs: number;
  readonly wealth: number;
}

const WIDTH = 640;
const HEIGHT = 206;
const LEFT = 44;
const BASE = 176;
const TOP = 16;

export function Evidence({ points, alpha }: { points: readonly EvidencePoint[]; alpha: number }) {
  const stop = 1 / alpha;
  const most = Math.max(stop * 1.5, ...points.map(({ wealth }) => wealth));
  const least = Math.min(0.5, ...points.map(({ wealth }) => Math.max(wealth, 1e-3)));
  const last = Math.max(1, ...points.map(({ pairs }) => pairs));
  const span = Math.log(most / least);
  const x = (pairs: number) => LEFT + (pairs / last) * (WIDTH - LEFT - 12);
  const y = (wealth: number) => BASE - (Math.log(Math.max(least, wealth) / least) / span) * (BASE - TOP);
  const line = [{ pairs: 0, wealth: 1 }, ...points].map(
    ({ pairs, wealth }) => `${x(pairs).toFixed(1)} ${y(wealth).toFixed(1)}`,
  );
  const settled = points.find(({ wealth }) => wealth >= stop);
  const words =
    settled === undefined
      ? `Evidence after ${last} pairs: ${points.at(-1)!.wealth.toFixed(2)}, the stopping line is ${stop}.`
      : `Evidence passes ${stop}, the stopping line, at pair ${settled.pairs}.`;
  return (
    <svg className="ev" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={words}>
      <line className="ax" x1={LEFT} x2={WIDTH - 12} y1={BASE} y2={BASE} />
      <line className="thr" x1={LEFT} x2={WIDTH - 12} y1={y(stop)} y2={y(stop)} />
      <path className="wl" d={`M${line.join("L")}`} />
      {settled === undefined ? null : <circle className="stop" cx={x(settled.pairs)} cy={y(settled.wealth)} r="5" />}
      <text x={LEFT - 8} y={y(stop) + 4} text-anchor="end">
        {stop}
      </text>
      <text x={LEFT - 8} y={y(1) + 4} text-anchor="end">
        1
      </text>
      <text x={LEFT} y={BASE + 20}>
        first pair
      </text>
      <text x={WIDTH - 12} y={BASE + 20} text-anchor="end">
        pair {last}
      </text>
    </svg>
  );
}
