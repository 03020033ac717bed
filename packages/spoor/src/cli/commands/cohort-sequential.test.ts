/** `spoor cohort --sequential`: runs are judged while they arrive. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { confirms, skips, tauRun, tauRuns, twoFiles } from "../../../test/tau-runs.ts";
import { runInMemory } from "../run-in-memory.ts";

const spoor = (words: readonly string[], stdin = "") => runInMemory(words, { stdin });

it("stops as soon as the evidence suffices and leaves the rest unread", async () => {
  const { a, b } = twoFiles(tauRuns(40, confirms), tauRuns(40, [...skips, "get_user"]));
  const { code, out } = await spoor(["cohort", a, b, "--sequential", "--wait", "0"]);
  expect(code).toBe(1);
  expect(out).toMatch(/Changed: the evidence suffices after \d+ pairs/);
});

it("reads a folder file by file", async () => {
  const { folder, a } = twoFiles(tauRuns(3, confirms), []);
  const incoming = join(folder, "incoming");
  mkdirSync(incoming);
  for (const [index, run] of tauRuns(3, confirms).entries())
    writeFileSync(join(incoming, `${index}.json`), JSON.stringify([run]));
  const { code, out } = await spoor(["cohort", a, incoming, "--sequential", "--wait", "0"]);
  expect(code).toBe(0);
  expect(out).toContain("Not enough evidence: 3 pairs");
  expect(out).toContain("This is not a pass");
});

it("reads runs and paths from standard input, one a line", async () => {
  const { folder, a } = twoFiles(tauRuns(3, confirms), []);
  const file = join(folder, "one.json");
  writeFileSync(file, JSON.stringify([tauRun("t2", confirms)]));
  const lines = [JSON.stringify(tauRun("t0", confirms)), JSON.stringify(tauRun("t1", confirms)), file];
  const { out } = await spoor(["cohort", a, "-", "--sequential"], `${lines.join("\n")}\n`);
  expect(out).toContain("Not enough evidence: 3 pairs");
});

it.each([
  ["no response at all", (run: object) => ({ ...run, traj: [] })],
  ["a question that nobody answered", (run: object) => ({ ...run, traj: [{ role: "user", content: "Hello?" }] })],
])("counts candidate runs with %s, also while they arrive", async (_, kill) => {
  const { a, b } = twoFiles(tauRuns(40, confirms), tauRuns(40, confirms).map(kill));
  const { code, out } = await spoor(["cohort", a, b, "--sequential", "--wait", "0"]);
  expect(code).toBe(1);
  expect(out).toContain("Changed: the evidence suffices");
  expect(out).toContain("Most evidence in outcome");
  const alike = twoFiles(tauRuns(40, confirms).map(kill), tauRuns(40, confirms).map(kill));
  expect((await spoor(["cohort", alike.a, alike.b, "--sequential", "--wait", "0"])).code).toBe(0);
});

it("compares nothing when no scenario is common: exit 2", async () => {
  const { a, b } = twoFiles(tauRuns(6, confirms), [tauRun("x1", confirms)]);
  const { code, out } = await spoor(["cohort", a, b, "--sequential", "--wait", "0"]);
  expect(code).toBe(2);
  expect(out.replaceAll(/\s+/g, " ")).toContain("no scenario has a run on both sides, so nothing was compared");
});

it("fails on a file that never becomes readable", async () => {
  const { folder, a } = twoFiles(tauRuns(3, confirms), []);
  const incoming = join(folder, "incoming");
  mkdirSync(incoming);
  writeFileSync(join(incoming, "broken.json"), '{"task_id": ');
  expect((await spoor(["cohort", a, incoming, "--sequential", "--wait", "0"])).code).toBe(2);
});
