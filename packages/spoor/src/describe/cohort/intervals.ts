/** What could have changed unseen: every rate and size with all the values that the runs allow. */
import type { Interval } from "@spoor/core/internal/cohort/intervals";
import type { Row, Table, Text } from "../../document/document.ts";
import { name, say, styled } from "../../document/text.ts";
import { integer, percent, signed } from "../../document/words.ts";

/** The most that the runs allow it to have moved, in either direction. */
export function reachOf({ low, high }: Pick<Interval, "low" | "high">): number {
  return Math.max(-low, high);
}

/** `31 points`, `16 %`: the most it can have moved. */
export function reachText(item: Interval): string {
  const reach = reachOf(item);
  return item.kind === "rate" ? `${integer(100 * Math.min(1, reach))} points` : `${integer(100 * (2 ** reach - 1))} %`;
}

export function intervalSubject({ item }: Interval): Text {
  if (item.startsWith("has:")) return say`calls of ${name(item.slice(4))}`;
  if (item.startsWith("stop:")) return say`runs that end with ${name(item.slice(5))}`;
  switch (item) {
    case "ended:no_answer":
      return ["runs that end without an answer"];
    case "failed":
      return ["runs with a failed call"];
    case "calls":
      return ["the number of tool calls"];
    case "turns":
      return ["the number of responses"];
    case "effects":
      return ["the number of effects"];
    default:
      return ["the length of the texts"];
  }
}

export function intervalTable(items: readonly Interval[]): Table {
  return {
    kind: "table",
    caption: "Every rate and size with the values that the runs allow",
    columns: [
      { title: "rate or size", max: 44 },
      { title: "seen", dropBelow: 72 },
      { title: "change could be" },
      { title: "tolerance", align: "right" },
      { title: "reading", only: ["markdown", "html"] },
    ],
    rows: items.map(intervalRow),
  };
}

function intervalRow(item: Interval): Row {
  const reading = [item.inside ? "within" : styled("strong", "beyond")];
  return {
    cells: [intervalSubject(item), [seenText(item)], [rangeText(item)], [toleranceText(item)], reading],
  };
}

function seenText({ kind, baselineMean, candidateMean }: Interval): string {
  return kind === "rate" ? `${percent(baselineMean)} → ${percent(candidateMean)}` : "";
}

/** `−45 to +45 points`, `−10 to +1 %`. */
export function rangeText({ kind, low, high }: Interval): string {
  if (kind === "rate") return `${signed(100 * Math.max(-1, low))} to ${signed(100 * Math.min(1, high))} points`;
  return `${signed(100 * (2 ** low - 1))} to ${signed(100 * (2 ** high - 1))} %`;
}

export function toleranceText({ kind, tolerance }: Pick<Interval, "kind" | "tolerance">): string {
  return kind === "rate" ? `±${integer(100 * tolerance)}` : `±${integer(100 * (2 ** tolerance - 1))} %`;
}

/** Those whose values leave out 0: moved, taken by themselves. */
export function movedAlone(items: readonly Interval[]): Interval[] {
  return items.filter(({ low, high }) => low > 0 || high < 0);
}

/** Those whose values leave their tolerance, the furthest first. */
export function beyondTolerance(items: readonly Interval[]): Interval[] {
  const excess = (item: Interval) => reachOf(item) / item.tolerance;
  return items.filter(({ inside }) => !inside).sort((left, right) => excess(right) - excess(left));
}
