/** Names from traces stay text in every format of a cohort report. */
import type { CohortReport } from "@spoor/core/internal/cohort/cohort-report";
import { compareCohorts } from "@spoor/core/internal/cohort/compare-cohorts";
import { gateCohort } from "@spoor/core/internal/cohort/gate-cohort";
import { coverageOf } from "@spoor/core/internal/report/coverage";
import { expect, it } from "vitest";
import { cohort, run } from "../../../../core/test/cohort.ts";
import { writeGithub } from "../../write/checks/github.ts";
import { writeJunit } from "../../write/checks/junit.ts";
import { writeSvg } from "../../write/html/svg.ts";
import { writeHtml } from "../../write/html/write-html.ts";
import { createTerminalStyle } from "../../write/terminal/terminal-style.ts";
import { writeTerminal } from "../../write/terminal/write-terminal.ts";
import { writeMarkdown } from "../../write/write-markdown.ts";
import { checksOfCohort, describeCohort } from "./describe-cohort.ts";
import { cohortPlots } from "./plots.ts";

const HOSTILE = "<img src=x onerror=alert(1)>`|@team\n::error::\u001b[31m\u202e&quot;";
const result = compareCohorts(
  cohort(8, 1, (scenario, side) =>
    run(`${scenario} ${HOSTILE}`, side, side === "baseline" ? ["get"] : ["get", HOSTILE], {
      stop: HOSTILE,
      texts: [HOSTILE],
      origin: { path: `${HOSTILE}.json`, entry: HOSTILE, traceId: HOSTILE, format: HOSTILE },
    }),
  ),
);
const report: CohortReport = {
  schema: "spoor.cohort/1",
  tool: { name: "spoor", version: "0" },
  inputs: [
    { role: "baseline", path: HOSTILE },
    { role: "candidate", path: HOSTILE },
  ],
  ...result,
  coverage: coverageOf([]),
  gate: gateCohort(result),
};
const document = describeCohort(report, { exitCode: 1, verbose: true });
const checks = checksOfCohort(report);

it.each([
  ["HTML", writeHtml(document, { script: "", style: "" })],
  ["SVG", writeSvg(HOSTILE, cohortPlots(report))],
  ["JUnit", writeJunit(HOSTILE, checks)],
])("in %s", (_, text) => {
  expect(text).toContain("&lt;img");
  expect(text).not.toMatch(/<img|[\u001b\u202e]|^::error/m);
});

it("in Markdown, where a code span ends at its own fence only", () => {
  const text = writeMarkdown(document);
  const outside = text.replace(/(`+).*?\1/g, "");
  expect(text).not.toMatch(/[\u001b\u202e]/);
  expect(outside).not.toMatch(/<img|@team/);
});

it("on a terminal", () => {
  const text = writeTerminal(document, createTerminalStyle());
  expect(text).not.toMatch(/[\u001b\u202e]/);
  expect(text).toContain("\\u{202e}");
});

it("in annotations: one command a line, and it is ours", () => {
  const lines = writeGithub(checks).trimEnd().split("\n");
  expect(lines.every((line) => line.startsWith("::error title=spoor cohort"))).toBe(true);
});
