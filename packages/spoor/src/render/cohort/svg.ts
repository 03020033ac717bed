/** What the gate's own page still takes; goes with it. */
import type { Plot } from "../../document/document.ts";
import { svgOf } from "../../write/html/svg.ts";

export { plotStyle } from "../../write/html/svg.ts";

export function renderSvg(plot: Plot, _withStyle: false): string {
  return svgOf(plot).text;
}
