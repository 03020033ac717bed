/** Which runs `spoor cohort` takes for runs of one scenario, and what it does with those that it cannot compare. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CohortReport } from "@spoor/core/internal/cohort/cohort-report";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/e2e/run-spoor.ts";
import { confirms, skips, tauRun, tauRuns, twoFiles } from "../../../test/tau-runs.ts";
import { runInMemory } from "../run-in-memory.ts";

const spoor = (words: readonly string[]) => runInMemory(words, { stdin: "" });

it("keeps scenarios of one side and runs without responses out, and says so", async () => {
  const silent = { ...tauRun("t0", []), traj: [] };
  const { a, b } = twoFiles(
    [...tauRuns(6, confirms), silent],
    [...tauRuns(6, confirms), tauRun("only-here", confirms)],
  );
  const { out } = await spoor(["cohort", a, b]);
  expect(out).toContain("1 baseline run without any model response");
  expect(out).toContain("1 scenario with runs in the candidate only left out (only-here)");
});

it.each([
  ["other tasks", tauRuns(6, confirms), [tauRun("x1", confirms), tauRun("x2", confirms)]],
  ["an empty side", [], tauRuns(6, confirms)],
  ["three runs, all dead", tauRuns(3, confirms), tauRuns(3, []).map((run) => ({ ...run, traj: [] }))],
])("compares nothing when no scenario is common (%s): exit 2, and what to do", async (_, baseline, candidate) => {
  const { a, b } = twoFiles(baseline, candidate);
  const { code, out, err } = await spoor(["cohort", a, b]);
  expect(code).toBe(2);
  expect(`${out}${err}`.replaceAll(/\s+/g, " ")).toMatch(/nothing was compared|no trace/i);
});

it("AgentDojo runs with and without an attack are runs of one task", async () => {
  const dojo = (task: number, attack: string | null) => ({
    suite_name: "slack",
    pipeline_name: "gpt-y",
    user_task_id: `user_task_${task}`,
    injection_task_id: attack === null ? null : "injection_task_1",
    attack_type: attack,
    utility: true,
    security: false,
    messages: [
      { role: "user", content: "Send it." },
      { role: "assistant", content: "Sent." },
    ],
  });
  const six = (attack: string | null) => Array.from({ length: 6 }, (_, task) => dojo(task, attack));
  const { a, b } = twoFiles(six(null), six("important_instructions"));
  const { out, code } = await spoor(["cohort", a, b]);
  expect(out).toContain("6 scenarios with 1 run a side of each");
  expect(code).toBe(0);
});

it.each([
  ["AgentDojo tasks of two suites", "banking", "slack"],
  ["AgentDojo tasks of one suite", "slack", "slack"],
])("%s share numbers, not scenarios", async (_, first, second) => {
  const task = (suite: string, injection: string | null) => ({
    suite_name: suite,
    pipeline_name: "gpt-y",
    user_task_id: "user_task_0",
    injection_task_id: injection,
    attack_type: injection === null ? null : "important_instructions",
    utility: true,
    security: false,
    messages: [
      { role: "user", content: "Send it." },
      { role: "assistant", content: "Sent." },
    ],
  });
  const { a, b } = twoFiles([task(first, null)], [task(second, "injection_task_1"), task(second, "injection_task_2")]);
  const { out, code } = await spoor(["cohort", a, b, "--format", "json"]);
  const { cohort } = JSON.parse(out) as CohortReport;
  expect(cohort.scenarios).toBe(first === second ? 1 : 0);
  expect(code).toBe(first === second ? 0 : 2);
});

it("six numbered files a side are six tasks, for the command as for the gate", async () => {
  const folder = temporaryFolder();
  for (const side of ["before", "after"]) {
    mkdirSync(join(folder, side));
    for (const number of [1, 2, 3, 4, 5, 6]) {
      const messages = [
        { role: "user", content: "Refund, please." },
        { role: "assistant", content: `Done, ${number}.` },
      ];
      writeFileSync(join(folder, side, `ticket-${number}.json`), JSON.stringify({ messages }));
    }
  }
  const { out } = await spoor(["cohort", join(folder, "before"), join(folder, "after"), "--format", "json"]);
  expect((JSON.parse(out) as CohortReport).cohort).toMatchObject({ scenarios: 6, runsBaseline: 6 });
});

it("finds scenarios by a metadata key or a pattern, and refuses what finds none", async () => {
  const { a, b } = twoFiles(tauRuns(6, confirms), tauRuns(6, skips));
  const byPattern = await spoor(["cohort", a, b, "--scenario", "task (t[0-9]+)", "--format", "json"]);
  expect((JSON.parse(byPattern.out) as CohortReport).cohort.scenarios).toBe(6);
  const byKey = await spoor(["cohort", a, b, "--scenario", "customer"]);
  expect(byKey).toMatchObject({ code: 2, out: "" });
  expect(byKey.err).toContain("cohort.no-scenario");
});
