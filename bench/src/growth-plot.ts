/** Pairs against CPU seconds on two logarithmic scales, as SVG text: a straight line at 45 degrees is linear growth. */
export interface GrowthPoint {
  readonly pairs: number;
  readonly floor: number;
  readonly diff: number;
}

const WIDTH = 640;
const HEIGHT = 400;
const LEFT = 70;
const BOTTOM = 50;
const TOP = 30;
const RIGHT = 130;

export function growthPlot(points: readonly GrowthPoint[]): string {
  const seconds = points.flatMap((point) => [point.floor, point.diff]);
  const x = logScale(
    Math.min(...points.map((point) => point.pairs)),
    Math.max(...points.map((point) => point.pairs)),
    LEFT,
    WIDTH - RIGHT,
  );
  const y = logScale(
    10 ** Math.floor(Math.log10(Math.min(...seconds))),
    10 ** Math.ceil(Math.log10(Math.max(...seconds))),
    HEIGHT - BOTTOM,
    TOP,
  );
  const line = (key: "floor" | "diff") =>
    points.map((point) => `${x(point.pairs).toFixed(1)},${y(point[key]).toFixed(1)}`).join(" ");
  const last = points.at(-1)!;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" role="img" aria-label="CPU seconds of a diff against the number of turn pairs">
<rect width="${WIDTH}" height="${HEIGHT}" fill="white"/>
${points.map((point) => `<text x="${x(point.pairs)}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${point.pairs.toLocaleString("en")}</text>`).join("\n")}
${yTicks(seconds)
  .map(
    (tick) =>
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(tick)}" y2="${y(tick)}" stroke="#ddd"/><text x="${LEFT - 8}" y="${y(tick) + 4}" text-anchor="end">${tick} s</text>`,
  )
  .join("\n")}
<polyline points="${line("floor")}" fill="none" stroke="#888" stroke-width="2" stroke-dasharray="5 4"/>
<polyline points="${line("diff")}" fill="none" stroke="#1a5fb4" stroke-width="2.5"/>
${points.map((point) => `<circle cx="${x(point.pairs)}" cy="${y(point.diff)}" r="4" fill="#1a5fb4"/>`).join("\n")}
<text x="${x(last.pairs) + 10}" y="${y(last.diff) + 4}" fill="#1a5fb4">spoor diff</text>
<text x="${x(last.pairs) + 10}" y="${y(last.floor) + 4}" fill="#666">JSON.parse alone</text>
<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 10}" text-anchor="middle">turn pairs (5 % of them changed)</text>
<text x="${LEFT}" y="18">CPU seconds, both scales logarithmic</text>
</svg>
`;
}

function logScale(from: number, to: number, start: number, end: number): (value: number) => number {
  const span = Math.log(to) - Math.log(from);
  return (value) => start + ((Math.log(value) - Math.log(from)) / span) * (end - start);
}

function yTicks(seconds: readonly number[]): number[] {
  const ticks: number[] = [];
  for (
    let power = Math.floor(Math.log10(Math.min(...seconds)));
    power <= Math.ceil(Math.log10(Math.max(...seconds)));
    power++
  ) {
    ticks.push(Number((10 ** power).toPrecision(1)));
  }
  return ticks;
}
