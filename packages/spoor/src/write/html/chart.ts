/** A bar as SVG: positions are shares of the width, and -1 and 1, where severe begins, stand at 18 and 82 %. */
import type { Bar } from "../../document/document.ts";
import { plainText } from "../../document/text.ts";
import { type Html, html } from "./html.ts";

export function chart({ point, low, high, says }: Bar): Html {
  const at = (position: number) => `${(50 + 32 * Math.max(-1.5, Math.min(1.5, position))).toFixed(1)}%`;
  const still = low === high && point === 0;
  const left =
    low < -1.5
      ? html`<svg x="${at(low)}" y="10" width="9" height="12" overflow="visible"><path class="arrow" d="M2 0-7 6 2 12z"/></svg>`
      : html`<line class="cap" x1="${at(low)}" x2="${at(low)}" y1="11.5" y2="20.5"/>`;
  const right =
    high > 1.5
      ? html`<svg x="${at(high)}" y="10" width="9" height="12" overflow="visible"><path class="arrow" d="M-2 0 7 6-2 12z"/></svg>`
      : html`<line class="cap" x1="${at(high)}" x2="${at(high)}" y1="11.5" y2="20.5"/>`;
  const interval = still
    ? ""
    : html`<line class="iv" x1="${at(low)}" x2="${at(high)}" y1="16" y2="16"/>${left}${right}`;
  return html`<svg height="32" role="img" aria-label="${plainText(says)}"><rect class="zone" x="0" y="6" width="18%" height="20" rx="3"/><rect class="zone" x="82%" y="6" width="18%" height="20" rx="3"/><line class="sev" x1="18%" x2="18%" y1="4" y2="28"/><line class="sev" x1="82%" x2="82%" y1="4" y2="28"/><line class="mid" x1="50%" x2="50%" y1="4" y2="28"/>${interval}<circle class="pt${still ? " still" : ""}" cx="${at(point)}" cy="16" r="${still ? "3.5" : "4.5"}"/></svg>`;
}

/** The scale above a column of charts. */
export function chartHead(): Html {
  return html`<span class="vh">Change with 95 % interval</span><svg height="16" aria-hidden="true"><text x="18%" y="12" text-anchor="middle">severe</text><text x="50%" y="12" text-anchor="middle">no change</text><text x="82%" y="12" text-anchor="middle">severe</text></svg>`;
}
