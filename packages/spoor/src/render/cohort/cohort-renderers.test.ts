import type { CohortReport } from "@spoor/core/cohort/cohort-report";
import { compareCohorts } from "@spoor/core/cohort/compare-cohorts";
import { gateCohort } from "@spoor/core/cohort/gate-cohort";
import type { CohortRun, Side } from "@spoor/core/cohort/run";
import { coverageOf } from "@spoor/core/report/coverage";
import { describe, expect, it } from "vitest";
import { cohort, run } from "../../../../core/test/cohort.ts";
import { createTerminalStyle } from "../../write/terminal/terminal-style.ts";
import { codeSpan } from "../text/markdown.ts";
import { renderCohortFragment, renderCohortHtml } from "./html.ts";
import { renderCohortMarkdown } from "./markdown.ts";
import { renderCohortPlot } from "./plots.ts";
import { renderCohortTerminal } from "./terminal.ts";

function reportOf(runs: readonly CohortRun[]): CohortReport {
  const result = compareCohorts(runs);
  return {
    schema: "spoor.cohort/1",
    tool: { name: "spoor", version: "0" },
    inputs: [
      { role: "baseline", path: "a" },
      { role: "candidate", path: "b" },
    ],
    ...result,
    coverage: coverageOf([]),
    gate: gateCohort(result),
  };
}

const HOSTILE = "<img src=x onerror=alert(1)>`|@team\u001b[31m\u202e&quot;";
const hostile = reportOf(
  cohort(8, 1, (scenario: string, side: Side) => {
    const origin = { path: `${HOSTILE}.json`, entry: HOSTILE, traceId: HOSTILE, format: "test" };
    return run(`${scenario} ${HOSTILE}`, side, side === "baseline" ? ["get"] : ["get", HOSTILE], {
      stop: HOSTILE,
      texts: [HOSTILE],
      origin,
    });
  }),
);

describe("names from traces", () => {
  it("cannot leave their place in HTML or SVG", () => {
    for (const text of [renderCohortHtml(hostile), renderCohortPlot(hostile)]) {
      expect(text).not.toContain("<img");
      expect(text).not.toContain("\u001b");
      expect(text).not.toContain("\u202e");
      expect(text).toContain("&lt;img");
    }
  });

  it("cannot end their code span or a table cell in Markdown", () => {
    const text = renderCohortMarkdown(hostile);
    expect(text).not.toContain("\u001b");
    expect(codeSpan("a`|b")).toBe("``a`\\|b``");
    expect(codeSpan("`x`")).toBe("`` `x` ``");
    const outside = text.replace(/(`+).*?\1/g, "");
    expect(outside).not.toContain("<img");
    expect(outside).not.toContain("@team");
  });

  it("cannot move the cursor of a terminal", () => {
    const text = renderCohortTerminal(hostile, createTerminalStyle());
    expect(text).not.toContain("\u001b");
    expect(text).toContain("\\u{1b}[31m\\u{202e}");
  });
});

describe("the page", () => {
  const page = renderCohortHtml(hostile);

  it("allows its style by hash and nothing else", () => {
    expect(page).toMatch(/default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='/);
    expect(page).not.toMatch(/<script|<link|https?:\/\/(?!www\.w3\.org)/);
  });

  it("holds the fragment that other pages can take", () => {
    expect(page).toContain(renderCohortFragment(hostile));
  });

  it("draws the signals against noise and the intervals against their tolerances", () => {
    expect(page.match(/<svg /g)).toHaveLength(2);
    expect(page).toContain("Signals against noise");
    expect(page).toContain("What could have changed unseen");
  });
});

describe("plain ASCII", () => {
  const few = reportOf(cohort(5, 1, (scenario, side) => run(scenario, side, ["get", "refund"])));

  it("is all there is when asked for", () => {
    expect(renderCohortTerminal(few, createTerminalStyle({ ascii: true }))).toMatch(/^[\x20-\x7e\n]*$/);
  });

  it("says the same words in colour", () => {
    const plain = renderCohortTerminal(few, createTerminalStyle());
    expect(renderCohortTerminal(few, createTerminalStyle({ color: true })).replace(/\u001b\[\d+m/g, "")).toBe(plain);
  });
});

it.each([60, 80, 120])("keeps every line of prose within %i columns", (columns) => {
  const report = reportOf(
    cohort(8, 1, (scenario, side) => run(scenario, side, side === "baseline" ? ["get", "confirm"] : ["get"])),
  );
  for (const line of renderCohortTerminal(report, createTerminalStyle({ columns })).split("\n")) {
    if (!line.includes("Next:")) expect(line.length).toBeLessThanOrEqual(columns);
  }
});
