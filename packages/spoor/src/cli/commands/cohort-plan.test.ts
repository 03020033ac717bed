/** `spoor cohort plan`: what the recorded repeats would find, and what more runs would buy. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { confirms, tauRuns, twoFiles } from "../../../test/tau-runs.ts";
import { runInMemory } from "../run-in-memory.ts";

const spoor = (words: readonly string[]) => runInMemory(words, { stdin: "" });

it("says what the recorded repeats would find", async () => {
  const { a } = twoFiles([...tauRuns(8, confirms), ...tauRuns(8, confirms)], []);
  const { code, out } = await spoor(["cohort", "plan", a, "--rounds", "10"]);
  expect(code).toBe(0);
  expect(out).toContain("with 8 scenarios and 8 runs a side");
  expect(out).toContain("134 for 5 %, 66 for 10 %, 33 for 20 %");
  for (const line of out.split("\n")) if (!line.includes("Next:")) expect(line.length).toBeLessThanOrEqual(80);
});

it("asks for repeats when there are none", async () => {
  const { a } = twoFiles(tauRuns(8, confirms), []);
  expect((await spoor(["cohort", "plan", a])).out).toContain("Record at least two runs of each scenario");
});

it.each(["terminal", "markdown", "html"])("says in %s what two runs of each scenario would buy", async (format) => {
  const { a } = twoFiles([...tauRuns(4, confirms), ...tauRuns(4, confirms)], []);
  const { out } = await spoor(["cohort", "plan", a, "--rounds", "10", "--format", format]);
  const text = out.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  expect(text).toContain("What two runs of each scenario would buy");
  expect(text).toMatch(
    /\d of 7 changes with one run of each scenario, \d with two runs of each, \d with one run of twice/,
  );
  for (const way of ["4 × 1", "4 × 2", "8 × 1"]) expect(text).toContain(way);
});

it("draws what would be found", async () => {
  const { folder, a } = twoFiles([...tauRuns(4, confirms), ...tauRuns(4, confirms)], []);
  const file = join(folder, "curve.svg");
  await spoor(["cohort", "plan", a, "--rounds", "10", "-o", file]);
  expect(readFileSync(file, "utf8")).toContain("<circle");
});
