/** `spoor cohort`: what it says, how it ends, what it writes. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CohortReport } from "@spoor/core/internal/cohort/cohort-report";
import { describe, expect, it } from "vitest";
import { onShared, sharedExists, sharedFolder } from "../../../../core/test/shared.ts";
import { temporaryFolder } from "../../../test/e2e/run-spoor.ts";
import { confirms, skips, tauRun, tauRuns, twoFiles } from "../../../test/tau-runs.ts";
import { runInMemory } from "../run-in-memory.ts";

const spoor = (words: readonly string[]) => runInMemory(words, { stdin: "" });

describe("spoor cohort", () => {
  it("names the tool that is gone, and fails", async () => {
    const { folder, a, b } = twoFiles(tauRuns(8, confirms), tauRuns(8, skips));
    const { code, out } = await spoor(["cohort", a, b]);
    expect(code).toBe(1);
    expect(out.replaceAll(`${folder}/`, "")).toMatchInlineSnapshot(`
      "✗ Changed (p = 0.0078): confirm in 0 % of runs instead of 100 %, 8.0 times
        noise. Also changed: effects, turn-taking, order and effort.

        8 scenarios with 1 run a side of each: 8 baseline runs and 8 candidate runs.
        Compared with all 256 ways to relabel the runs: 0.78 % look at least as much
        like a change. "Changed" needs 5 % or fewer.
        Could have moved unseen: calls of get_order (by 31 points), calls of refund
        (by 31 points) and 1 more of 8 rates and sizes.

        aspect       size              what moved, candidate first
        tools        8.0 times noise   confirm in 0 % of runs instead of 100 %
        effects      8.0 times noise   1.0 effects in a typical run instead of 2.0
                                       confirm takes effect 0 times in a typical run
                                       instead of 1.0
        turn-taking  8.0 times noise   0.67 calls per response in a typical run
                                       instead of 0.75
                                       2.0 responses without text in a typical run
                                       instead of 3.0
                                       2.0 calls in a row without a word, at most, in
                                       a typical run instead of 3.0
        order        8.0 times noise   confirm right after get_order 0 times in a
                                       typical run instead of 1.0
                                       refund right after confirm 0 times in a typical
                                       run instead of 1.0
                                       refund right after get_order 1.0 times in a
                                       typical run instead of 0
        effort       8.0 times noise   2.0 tool calls in a typical run instead of 3.0
                                       3.0 responses in a typical run instead of 4.0
        No change found in arguments, outcome and wording.
        1.0 times noise is what relabelling the same runs gives on average. "Typical"
        is the geometric mean over runs. A change is not a verdict on better or worse.

        Candidate runs furthest from the baseline (0: same path and effects, 1:
        unrelated)
          scenario  run                     distance  among baseline
          t0        b.json task t0 trial 0      0.46  no repeats
          t1        b.json task t1 trial 0      0.46  no repeats
          t2        b.json task t2 trial 0      0.46  no repeats

        Coverage  16 traces, 56 turns and 40 tool calls read; every call has its
                  result
        Blocked by the verdict.                                            exit code 1
        Next: spoor show b.json --trace 'task t0 trial 0'
      "
    `);
  });

  it("says what could have changed unseen, that this is not a pass, and what to do", async () => {
    const { folder, a, b } = twoFiles(tauRuns(5, confirms), tauRuns(5, confirms));
    const { code, out } = await spoor(["cohort", a, b]);
    expect(code).toBe(0);
    // Where the exit code stands depends on the length of the folder's name.
    expect(out.replaceAll(`${folder}/`, "").replace(/\s+exit code/, "  exit code")).toMatchInlineSnapshot(`
      "? Not enough evidence: all runs are alike, but calls of confirm could have moved
        by 45 points unseen. About 14 runs a side would settle it (now 5).

        5 scenarios with 1 run a side of each: 5 baseline runs and 5 candidate runs.
        Compared with all 32 ways to relabel the runs: 100 % look at least as much
        like a change. "Changed" needs 5 % or fewer.
        Below six scenarios with one run a side, expect nothing: there are too few
        ways to relabel the runs.

        What could have changed unseen, widest first
          rate or size                 seen           change could be    tolerance
          calls of confirm             100 % → 100 %  −45 to +45 points        ±20
          calls of get_order           100 % → 100 %  −45 to +45 points        ±20
          calls of refund              100 % → 100 %  −45 to +45 points        ±20
          runs that end with end_turn  100 % → 100 %  −45 to +45 points        ±20

        For example 3 runs a side of each scenario instead of 1, or 14 scenarios
        instead of 5.
        Even if every run agreed, "unchanged" would need at least 14 runs a side: what
        never happened in fewer may still be common.

        This is not a pass: a change may have happened and been missed.

        Coverage  10 traces, 40 turns and 30 tool calls read; every call has its
                  result
        Next: spoor cohort plan a.json  exit code 0
      "
    `);
  });

  it("passes with one line of assurance when every interval fits", async () => {
    const { folder, a, b } = twoFiles(tauRuns(20, confirms), tauRuns(20, confirms));
    const { code, out } = await spoor(["cohort", a, b, "--seed", "42"]);
    expect(code).toBe(0);
    expect(out.replaceAll(`${folder}/`, "")).toMatchInlineSnapshot(`
      "✓ Unchanged on average: every tool within ±14 points, sizes within ±0 %
        (p = 1.00).

        20 scenarios with 1 run a side of each: 20 baseline runs and 20 candidate
        runs. Compared with 2,000 random ways to relabel the runs (seed 42): 100 %
        look at least as much like a change. "Changed" needs 5 % or fewer.
        This holds on average over scenarios; a change confined to single scenarios
        cannot be excluded without repeats.

        Coverage  40 traces, 160 turns and 120 tool calls read; every call has its
                  result
                                                                           exit code 0
      "
    `);
  });

  it.each([
    { name: "not enough evidence passes", more: [], expected: 0 },
    { name: "unless proof is required", more: ["--require", "unchanged"], expected: 1 },
  ])("$name", async ({ more, expected }) => {
    const { a, b } = twoFiles(tauRuns(5, confirms), tauRuns(5, confirms));
    expect((await spoor(["cohort", a, b, ...more])).code).toBe(expected);
  });

  it("writes the same facts as JSON, Markdown, HTML and SVG", async () => {
    const { folder, a, b } = twoFiles(tauRuns(8, confirms), tauRuns(8, skips));
    const files = ["r.json", "r.md", "r.html", "r.svg"].map((file) => join(folder, file));
    await spoor(["cohort", a, b, ...files.flatMap((file) => ["-o", file])]);
    const [json, markdown, html, svg] = files.map((file) => readFileSync(file, "utf8"));
    const report = JSON.parse(json!) as CohortReport;
    expect(report).toMatchObject({
      schema: "spoor.cohort/1",
      verdict: "changed",
      inputs: [
        { role: "baseline", traces: 8, format: "tau-bench" },
        { role: "candidate", traces: 8 },
      ],
      coverage: { traces: 16 },
      gate: { tripped: true },
    });
    for (const text of [markdown!, html!]) {
      expect(text).toContain("in 0 % of runs instead of 100 %");
      expect(text).toContain("p = 0.0078");
    }
    expect(svg).toMatch(/^<svg .*<\/svg>\n$/s);
  });

  it("candidate runs that died are what changed, exit 1", async () => {
    const died = (task: string) => ({ ...tauRun(task, []), traj: [] });
    const { a, b } = twoFiles(
      tauRuns(20, confirms),
      tauRuns(20, confirms).map((run, index) => (index < 9 ? died(run.task_id) : run)),
    );
    const { code, out } = await spoor(["cohort", a, b]);
    expect(code).toBe(1);
    expect(out).toMatch(/^✗ Changed \(p = 0\.0078\): 45 % of runs ended without an answer instead of 0 %/);
    expect(out.replaceAll(/\s+/g, " ")).toContain(
      "9 of 20 candidate runs ended without an answer (9 without any model response) and 0 of 20 baseline runs",
    );
  });

  it("draws by a seed made of the runs, whatever the order of the files, unless one is given", async () => {
    const folder = temporaryFolder();
    const write = (name: string, runs: readonly object[]) => {
      writeFileSync(join(folder, name), JSON.stringify(runs));
      return join(folder, name);
    };
    const first = write("one.json", tauRuns(8, confirms));
    write("two.json", tauRuns(16, confirms).slice(8));
    const candidate = write("candidate.json", tauRuns(16, skips));
    const relabelled = async (...more: readonly string[]) => {
      const { out } = await spoor(["cohort", ...more, "--format", "json"]);
      return (JSON.parse(out) as CohortReport).relabellings;
    };
    const all = join(folder, "{one,two}.json");
    const given = await relabelled(all, candidate);
    expect(given.exact).toBe(false);
    const other = write("other.json", [...tauRuns(16, confirms)].reverse());
    expect(await relabelled(other, candidate)).toEqual(given);
    expect(await relabelled(first, candidate)).not.toEqual(given);
    expect((await relabelled(all, candidate, "--seed", "7")).seed).toBe(7);
    expect((await spoor(["cohort", all, candidate])).out.replaceAll(/\s+/g, " ")).toContain(`(seed ${given.seed})`);
  });

  it.each([
    [["cohort", "a"], "needs two sets of runs, found 1"],
    [["cohort", "a", "b", "c"], "needs two sets of runs, found 3"],
    [["cohort", "plan"], "spoor cohort plan needs TRACES."],
    [["cohort", "a", "b", "--aspects", "tols"], 'no aspect "tols"'],
    [["cohort", "-", "b", "--sequential"], "only the candidate can come from standard input"],
  ])("%j is refused", async (words, message) => {
    const { code, err } = await spoor(words);
    expect(code).toBe(2);
    expect(err.replace(/\s+/g, " ")).toContain(message);
  });

  it("declared tools decide what an effect is", async () => {
    const { a, b } = twoFiles(tauRuns(8, confirms), tauRuns(8, skips));
    const changedAspects = async (...more: string[]) => {
      const { out } = await spoor(["cohort", a, b, "--format", "json", ...more]);
      return (JSON.parse(out) as CohortReport).aspects.filter(({ changed }) => changed).map(({ aspect }) => aspect);
    };
    expect(await changedAspects()).toContain("effects");
    expect(await changedAspects("--read-only", "confirm")).not.toContain("effects");
  });
});

describe.skipIf(!sharedExists)(onShared("two prompts on real tasks"), () => {
  it("are told apart in words that name what changed, within 80 columns", async () => {
    const folder = `${sharedFolder}corpora/tau2-retail/`;
    const { code, out } = await spoor(["cohort", `${folder}gpt4o-refined.*`, `${folder}gpt5mini-refined.*`]);
    expect(code).toBe(1);
    const text = out.replace(/\s+/g, " ");
    expect(text).toContain("list_all_product_types in 29 % of runs instead of 58 %, 13 times noise");
    expect(text).toContain("calculate in 17 % of runs instead of 3 %");
    expect(text).toContain("24 % of runs have a failed call instead of 38 %");
    // What is named as moved was seen, also where its interval is wide.
    expect(text).not.toContain("Could have moved unseen: runs with a failed call");
    for (const line of out.split("\n")) if (!line.includes("Next:")) expect(line.length).toBeLessThanOrEqual(80);
  });
});
