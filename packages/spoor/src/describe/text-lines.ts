/** Names in a plot, on as many lines as they need. */
import type { Shape } from "../document/document.ts";

/** From one line of text to the next. */
export const LINE = 14;

type Place = Omit<Extract<Shape, { shape: "text" }>, "shape" | "text" | "y"> & { readonly middle: number };

/** One below the other, around their middle. */
export function textLines(lines: readonly string[], { middle, ...place }: Place): Shape[] {
  const first = middle + 4 - ((lines.length - 1) * LINE) / 2;
  return lines.map((text, at) => ({ shape: "text", ...place, y: first + at * LINE, text }));
}

/** Rows below each other from `top` on, each higher than `row` by the lines that its name has more than one. */
export function stackRows(
  names: readonly (readonly string[])[],
  top: number,
  row: number,
): { readonly middles: readonly number[]; readonly bottom: number } {
  let bottom = top;
  const middles = names.map(({ length }) => {
    const high = row + (length - 1) * LINE;
    bottom += high;
    return bottom - high / 2;
  });
  return { middles, bottom };
}
