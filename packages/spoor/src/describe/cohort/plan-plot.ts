/** What a plan buys, drawn: one row per change, a dot per way to spend runs. */
import type { CohortPlanReport } from "@spoor/core/internal/cohort/plan-cohort";
import type { PlanWay } from "@spoor/core/internal/cohort/simulate-plan";
import { foldName } from "@spoor/core/internal/text/columns";
import type { Plot, Shape } from "../../document/document.ts";
import { percent } from "../../document/words.ts";
import { stackRows, textLines } from "../text-lines.ts";

const WIDTH = 720;
const LEFT = 330;
const RIGHT = 30;
const TOP = 76;
const ROW = 26;
/** Of a change on one line. */
const LETTERS = 48;
const LEGEND = 140;

const SERIES: Readonly<Record<PlanWay, "series-0" | "series-1" | "series-2">> = {
  one_run: "series-0",
  two_runs: "series-1",
  twice_the_scenarios: "series-2",
};

/** Without repeats there is nothing to draw. */
export function powerPlots({ simulation }: CohortPlanReport): Plot[] {
  if (simulation === null) return [];
  const { changes, scenarios } = simulation;
  const x = (share: number) => LEFT + (WIDTH - LEFT - RIGHT) * share;
  const names = changes.map((change) => foldName(change.words, LETTERS));
  const { middles, bottom } = stackRows(names, TOP, ROW);
  const title = "How often a change in every run would be found";
  const words: Readonly<Record<PlanWay, string>> = {
    one_run: `${scenarios} × 1 run`,
    two_runs: `${scenarios} × 2 runs`,
    twice_the_scenarios: `${2 * scenarios} × 1 run`,
  };
  const ways = changes[0]?.byWay.map(({ way }) => way) ?? [];
  const shapes: Shape[] = [{ shape: "text", x: 12, y: 20, text: title }];
  for (const [index, way] of ways.entries()) {
    const at = LEFT + index * LEGEND;
    shapes.push(
      { shape: "dot", x: at, y: 40, class: SERIES[way], radius: 4.5 },
      { shape: "text", x: at + 10, y: 44, text: words[way], class: "dim" },
    );
  }
  for (const share of [0, 0.5, 0.8, 1])
    shapes.push(
      { shape: "text", x: x(share), y: TOP - 8, text: percent(share), anchor: "middle", class: "dim" },
      { shape: "line", x1: x(share), y1: TOP, x2: x(share), y2: bottom, class: share === 0 ? "axis" : "grid" },
    );
  for (const [index, { byWay }] of changes.entries()) {
    const y = middles[index]!;
    const shares = byWay.map(({ found }) => found);
    shapes.push(
      ...textLines(names[index]!, { x: LEFT - 12, middle: y, anchor: "end" }),
      { shape: "line", x1: x(Math.min(...shares)), y1: y, x2: x(Math.max(...shares)), y2: y, class: "grid" },
      // Where two ways find it equally often, both dots are seen: the first is drawn larger.
      ...byWay.map(
        ({ way, found }, order): Shape => ({
          shape: "dot",
          x: x(found),
          y,
          class: SERIES[way],
          radius: 6 - 1.5 * order,
        }),
      ),
    );
  }
  const description = changes
    .map(
      ({ words: change, byWay }) =>
        `${change}: ${byWay.map(({ way, found }) => `${percent(found)} with ${words[way]}`).join(", ")}.`,
    )
    .join(" ");
  return [{ title, description, width: WIDTH, height: bottom + 18, shapes }];
}
