import { expect, it } from "vitest";
import type { Plot } from "../../document/document.ts";
import { plotStyle, svgOf, writeSvg } from "./svg.ts";

const plot: Plot = {
  title: "<b>A & B</b>",
  description: "what it shows",
  width: 100,
  height: 40,
  shapes: [
    { shape: "text", x: 1.26, y: 2, text: "<img src=x>\u001b\u202e", class: "series-0" },
    {
      shape: "curve",
      points: [
        [0, 0],
        [10.04, 5],
      ],
      class: "series-0",
    },
  ],
};

it("text of a picture stays text", () => {
  for (const svg of [svgOf(plot).text, writeSvg("<i>", [plot])]) {
    expect(svg).toContain("&lt;img src=x&gt;");
    expect(svg).not.toMatch(/<(img|b|i)[ >]|[\u001b\u202e]/);
  }
});

it("pictures of one file stand below each other", () => {
  const svg = writeSvg("two", [plot, plot]);
  expect(svg).toContain('viewBox="0 0 100 80"');
  expect(svg).toContain('<g transform="translate(0 40)">');
  expect(svg).toContain('<polyline points="0,0 10,5" class="curve series-0" stroke-width="2"/>');
});

it("a file without a picture says what there is to say", () => {
  expect(writeSvg("Only one point", [])).toMatch(/<text [^>]*>Only one point<\/text>/);
});

it("a page's reader chooses the theme, a file follows the system", () => {
  expect(plotStyle).toContain("light-dark(");
  const file = writeSvg("one", [plot]);
  expect(file).toContain("@media (prefers-color-scheme:dark)");
  expect(file).not.toContain("light-dark(");
});
