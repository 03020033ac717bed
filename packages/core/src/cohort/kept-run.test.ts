import { expect, it } from "vitest";
import { run } from "../../test/cohort.ts";
import { createRandom } from "../stats/random.ts";
import { compareCohorts, createCohort } from "./compare-cohorts.ts";
import { type KeptRun, keepRun } from "./kept-run.ts";
import type { CohortRun } from "./run.ts";
import { createSequentialCohort } from "./sequential-cohort.ts";

/** Runs that differ in everything a run can differ in; the candidate confirms less and says other words. */
function someRuns(): CohortRun[] {
  const random = createRandom(5);
  const runs: CohortRun[] = [];
  for (const side of ["baseline", "candidate"] as const) {
    for (let index = 0; index < 24; index++) {
      const isNew = side === "candidate";
      const names = ["look up", ...(isNew || random.below(9) === 0 ? [] : ["confirm"]), "refund", "a.b"];
      const calls = names.map((name, at) => ({
        name,
        args: { id: random.below(3), reason: `because of reason ${random.below(4)}`, nested: { at: [at] } },
        ...(random.below(8) === 0 ? { error: true } : {}),
      }));
      const texts = [
        `Héllo ${isNew ? "valued friend" : "there"} ${index % 3}`,
        random.below(2) === 0 ? "Done?\n- yes" : "ok",
      ];
      runs.push(
        run(`s${index % 8}`, side, [], {
          calls,
          texts,
          textsAfter: [0, calls.length],
          turns: index === 7 ? 0 : 1 + random.below(4),
          ...(index === 9 ? { ended: "cut_off" as const } : {}),
          outputTokens: random.below(900),
          origin: { key: `${side}-${index}`, format: "agentlog", startedAt: `2026-01-0${1 + (index % 9)}` },
        }),
      );
    }
  }
  return runs;
}

/** As it lies in a database. */
const kept = ({ side: _, ...rest }: CohortRun) => JSON.parse(JSON.stringify(keepRun(rest))) as KeptRun;

it("what was kept of runs is compared with the same numbers as the runs, and words where texts are lent", () => {
  const runs = someRuns();
  const cohort = createCohort();
  for (const one of runs) cohort.addKept(kept(one), one.side, one.texts);
  const expected = compareCohorts(runs);
  expect(expected.verdict).toBe("changed");
  expect(expected.aspects.find(({ aspect }) => aspect === "text")!.words!.length).toBeGreaterThan(0);
  expect(cohort.compare()).toEqual(expected);
});

it("the sequential test takes it too", () => {
  const whole = createSequentialCohort(0.05);
  const fromKept = createSequentialCohort(0.05);
  for (const one of someRuns()) expect(fromKept.addKept(kept(one), one.side)).toBe(whole.add(one));
  expect(fromKept.state()).toEqual(whole.state());
  expect(whole.state().pairs).toBeGreaterThan(0);
});

it("nothing that was said or passed to a tool can be read from it", () => {
  const [first] = someRuns();
  const text = JSON.stringify(kept(first!));
  for (const said of ["Héllo", "there", "because", "reason 0"]) expect(text).not.toContain(said);
});
