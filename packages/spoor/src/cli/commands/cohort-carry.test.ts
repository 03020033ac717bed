/** `spoor cohort --sequential --carry`: evidence that goes on from one pull request to the next. */
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CarriedEvidence } from "@spoor/core/internal/cohort/carried-evidence";
import type { SequentialReport } from "@spoor/core/internal/cohort/sequential-cohort";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/e2e/run-spoor.ts";
import { confirms, skips, tauRun } from "../../../test/tau-runs.ts";
import { runInMemory } from "../run-in-memory.ts";

function project() {
  const folder = temporaryFolder();
  const file = join(folder, "evidence.json");
  const runs = (name: string, tasks: readonly string[], tools: readonly string[], repeats = 1) => {
    const path = join(folder, `${name}.json`);
    const all = tasks.flatMap((task) =>
      Array.from({ length: repeats }, (_, repeat) => tauRun(task, tools, `${name} ${repeat}`)),
    );
    writeFileSync(path, JSON.stringify(all));
    return path;
  };
  const carry = async (baseline: string, candidate: string, ...more: readonly string[]) => {
    const words = ["cohort", baseline, candidate, "--sequential", "--wait", "0", "--carry", file, "--format", "json"];
    const { code, out, err } = await runInMemory([...words, ...more], { stdin: "" });
    return { code, err, report: out === "" ? undefined : (JSON.parse(out) as SequentialReport) };
  };
  return { folder, file, runs, carry, saved: () => JSON.parse(readFileSync(file, "utf8")) as CarriedEvidence };
}

const four = ["t0", "t1", "t2", "t3"];

describe("pull requests one after the other", () => {
  it("add up to what one recording of all their runs says", async () => {
    const { folder, runs, carry, saved } = project();
    const baseline = runs("baseline", four, confirms, 4);
    const wealths: number[] = [];
    for (const name of ["first", "second", "third"]) {
      const { report, code } = await carry(baseline, runs(name, four, skips));
      wealths.push(report!.wealth);
      expect(code).toBe(report!.verdict === "changed" ? 1 : 0);
    }
    const all = ["first", "second", "third"].flatMap(
      (name) => JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as object[],
    );
    const together = join(folder, "together.json");
    writeFileSync(together, JSON.stringify(all));
    const words = ["cohort", baseline, together, "--sequential", "--wait", "0", "--format", "json"];
    const at = JSON.parse((await runInMemory(words, { stdin: "" })).out) as SequentialReport;
    expect(wealths.at(-1)).toBeCloseTo(at.wealth, 9);
    expect(saved().recordings.map(({ pairs }) => pairs)).toEqual([4, 4, 4]);
  });

  it("reach together what none reaches alone, and stay there", async () => {
    const { runs, carry } = project();
    const baseline = runs("baseline", four, confirms, 6);
    const verdicts: string[] = [];
    for (let request = 0; request < 5; request++)
      verdicts.push((await carry(baseline, runs(`request ${request}`, four, skips))).report!.verdict);
    expect(verdicts[0]).toBe("not_enough_evidence");
    expect(verdicts.at(-1)).toBe("changed");
    // Twelve pairs that all agree suffice, so the third of four pairs each is the first that can say it.
    expect(verdicts.indexOf("changed")).toBe(2);
  });
});

describe("the same runs", () => {
  it.each(["under the same name", "as a copy", "twice in one file"])("are never counted twice: %s", async (how) => {
    const { folder, runs, carry, saved } = project();
    const baseline = runs("baseline", four, confirms, 6);
    const candidate = runs("candidate", four, skips);
    const first = await carry(baseline, candidate);
    let again = candidate;
    if (how !== "under the same name") again = join(folder, "again.json");
    if (how === "as a copy") copyFileSync(candidate, again);
    if (how === "twice in one file") {
      const all = JSON.parse(readFileSync(candidate, "utf8")) as object[];
      writeFileSync(again, JSON.stringify([...all, ...all]));
    }
    const second = await carry(baseline, again);
    expect(second.report).toMatchObject({ pairs: first.report!.pairs, wealth: first.report!.wealth });
    expect(second.report!.carried!.countedBefore.candidate).toBeGreaterThanOrEqual(4);
    expect(saved().recordings).toHaveLength(1);
  });

  it("of the baseline are used up, and the report says what to do", async () => {
    const { runs, carry } = project();
    const baseline = runs("baseline", four, confirms, 1);
    await carry(baseline, runs("first", four, confirms));
    const { report } = await carry(baseline, runs("second", four, skips));
    expect(report).toMatchObject({ pairs: 4, waiting: { baseline: 0 } });
    expect(report!.carried!.countedBefore.baseline).toBe(4);
  });
});

describe("evidence about something else", () => {
  const begun = async () => {
    const made = project();
    const baseline = made.runs("baseline", four, confirms, 2);
    await made.carry(baseline, made.runs("first", four, skips));
    return { ...made, baseline, before: readFileSync(made.file, "utf8") };
  };

  it.each([
    [
      "another baseline",
      "another baseline: 8 of the 8 baseline runs",
      (p: ReturnType<typeof project>) => p.runs("other", four, confirms, 2),
      [],
    ],
    [
      "other scenarios",
      "its scenarios are others",
      (p: ReturnType<typeof project>) => p.runs("baseline", ["t0", "t9"], confirms, 2),
      [],
    ],
    ["another error rate", "--alpha 0.05, asked at 0.01", undefined, ["--alpha", "0.01"]],
    ["runs that are read otherwise", "--effects get_order", undefined, ["--effects", "get_order"]],
  ] as const)("is refused in words and left alone: %s", async (_, words, change, more) => {
    const made = await begun();
    const baseline = change?.(made) ?? made.baseline;
    const { code, err } = await made.carry(baseline, made.runs("second", four, skips), ...more);
    expect(code).toBe(2);
    expect(err).toContain("cohort.carry-other");
    expect(err.replaceAll(/\s+/g, " ")).toContain(words.replace("another baseline: ", ""));
    expect(readFileSync(made.file, "utf8")).toBe(made.before);
  });

  it("is what an agent of another name in the configuration means", async () => {
    const made = await begun();
    writeFileSync(join(made.folder, "spoor.config.yaml"), "agent: refunds\ntraces: runs\n");
    const config = ["--config", join(made.folder, "spoor.config.yaml")];
    const { code, err } = await made.carry(made.baseline, made.runs("second", four, skips), ...config);
    expect(code).toBe(2);
    expect(err.replaceAll(/\s+/g, " ")).toContain("the agent there is one without a name, here refunds");
  });

  it("more runs of the same baseline are no other baseline", async () => {
    const { folder, carry, runs, baseline } = await begun();
    const all = JSON.parse(readFileSync(baseline, "utf8")) as object[];
    writeFileSync(baseline, JSON.stringify([...all, ...four.map((task) => tauRun(task, confirms, "added later"))]));
    const { report } = await carry(baseline, runs("second", four, skips));
    expect(report).toMatchObject({ pairs: 8, carried: { recordings: 1, pairs: 4 } });
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it.each(["{", "{}", '{"schema":"spoor.cohort-carry/1"}', "[]"])(
    "a file that is none is refused: %s",
    async (text) => {
      const { carry, runs, file } = project();
      writeFileSync(file, text);
      const { code, err } = await carry(runs("baseline", four, confirms), runs("candidate", four, skips));
      expect(code).toBe(2);
      expect(err).toContain("cohort.carry-unreadable");
      expect(readFileSync(file, "utf8")).toBe(text);
    },
  );

  it("nothing is written when nothing could be paired, and --carry alone is refused", async () => {
    const { carry, runs, file } = project();
    const { code } = await carry(runs("baseline", four, confirms), runs("candidate", ["x"], skips));
    expect(code).toBe(2);
    expect(existsSync(file)).toBe(false);
    const alone = await runInMemory(["cohort", "a", "b", "--carry", file], { stdin: "" });
    expect(alone).toMatchObject({ code: 2 });
  });
});
