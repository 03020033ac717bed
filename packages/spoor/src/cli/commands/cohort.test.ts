import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CohortReport } from "@spoor/core/internal/cohort/cohort-report";
import { describe, expect, it } from "vitest";
import { onShared, sharedExists, sharedFolder } from "../../../../core/test/shared.ts";
import { temporaryFolder } from "../../../test/e2e/run-spoor.ts";
import { runInMemory } from "../run-in-memory.ts";

const spoor = (words: readonly string[], stdin = "") => runInMemory(words, { stdin });

/** A run in the format of tau-bench: no clock, no usage. */
function tauRun(task: string, tools: readonly string[], trial = 0) {
  const traj = [
    { role: "user", content: "Please refund my order." },
    ...tools.flatMap((name, index) => [
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: `c${index}`, type: "function", function: { name, arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: `c${index}`, content: "ok" },
    ]),
    { role: "assistant", content: "Your refund is on its way." },
  ];
  return { task_id: task, trial, reward: 1, info: {}, traj };
}

const confirms = ["get_order", "confirm", "refund"];
const skips = ["get_order", "refund"];

/** Two files in a folder of their own: `a.json` and `b.json`. */
function twoFiles(baseline: readonly object[], candidate: readonly object[]): { folder: string; a: string; b: string } {
  const folder = temporaryFolder();
  const a = join(folder, "a.json");
  const b = join(folder, "b.json");
  writeFileSync(a, JSON.stringify(baseline));
  writeFileSync(b, JSON.stringify(candidate));
  return { folder, a, b };
}
const tasks = (count: number, tools: readonly string[]) =>
  Array.from({ length: count }, (_, index) => tauRun(`t${index}`, tools));

describe("spoor cohort", () => {
  it("names the tool that is gone, and fails", async () => {
    const { folder, a, b } = twoFiles(tasks(8, confirms), tasks(8, skips));
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
    const { folder, a, b } = twoFiles(tasks(5, confirms), tasks(5, confirms));
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
    const { folder, a, b } = twoFiles(tasks(20, confirms), tasks(20, confirms));
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
    const { a, b } = twoFiles(tasks(5, confirms), tasks(5, confirms));
    expect((await spoor(["cohort", a, b, ...more])).code).toBe(expected);
  });

  it("writes the same facts as JSON, Markdown, HTML and SVG", async () => {
    const { folder, a, b } = twoFiles(tasks(8, confirms), tasks(8, skips));
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

  it("keeps scenarios of one side and runs without responses out, and says so", async () => {
    const silent = { ...tauRun("t0", []), traj: [] };
    const { a, b } = twoFiles([...tasks(6, confirms), silent], [...tasks(6, confirms), tauRun("only-here", confirms)]);
    const { out } = await spoor(["cohort", a, b]);
    expect(out).toContain("1 baseline run without any model response");
    expect(out).toContain("1 scenario with runs in the candidate only left out (only-here)");
  });

  it("candidate runs that died are what changed, exit 1", async () => {
    const died = (task: string) => ({ ...tauRun(task, []), traj: [] });
    const { a, b } = twoFiles(
      tasks(20, confirms),
      tasks(20, confirms).map((run, index) => (index < 9 ? died(run.task_id) : run)),
    );
    const { code, out } = await spoor(["cohort", a, b]);
    expect(code).toBe(1);
    expect(out).toMatch(/^✗ Changed \(p = 0\.0078\): 45 % of runs ended without an answer instead of 0 %/);
    expect(out.replaceAll(/\s+/g, " ")).toContain(
      "9 of 20 candidate runs ended without an answer (9 without any model response) and 0 of 20 baseline runs",
    );
  });

  it.each([
    ["other tasks", tasks(6, confirms), [tauRun("x1", confirms), tauRun("x2", confirms)]],
    ["an empty side", [], tasks(6, confirms)],
    ["three runs, all dead", tasks(3, confirms), tasks(3, []).map((run) => ({ ...run, traj: [] }))],
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
    const { a, b } = twoFiles(
      [task(first, null)],
      [task(second, "injection_task_1"), task(second, "injection_task_2")],
    );
    const { out, code } = await spoor(["cohort", a, b, "--format", "json"]);
    const { cohort } = JSON.parse(out) as CohortReport;
    expect(cohort.scenarios).toBe(first === second ? 1 : 0);
    expect(code).toBe(first === second ? 0 : 2);
  });

  it("draws by a seed made of the runs, whatever the order of the files, unless one is given", async () => {
    const folder = temporaryFolder();
    const write = (name: string, runs: readonly object[]) => {
      writeFileSync(join(folder, name), JSON.stringify(runs));
      return join(folder, name);
    };
    const first = write("one.json", tasks(8, confirms));
    write("two.json", tasks(16, confirms).slice(8));
    const candidate = write("candidate.json", tasks(16, skips));
    const relabelled = async (...more: readonly string[]) => {
      const { out } = await spoor(["cohort", ...more, "--format", "json"]);
      return (JSON.parse(out) as CohortReport).relabellings;
    };
    const all = join(folder, "{one,two}.json");
    const given = await relabelled(all, candidate);
    expect(given.exact).toBe(false);
    const other = write("other.json", [...tasks(16, confirms)].reverse());
    expect(await relabelled(other, candidate)).toEqual(given);
    expect(await relabelled(first, candidate)).not.toEqual(given);
    expect((await relabelled(all, candidate, "--seed", "7")).seed).toBe(7);
    expect((await spoor(["cohort", all, candidate])).out.replaceAll(/\s+/g, " ")).toContain(`(seed ${given.seed})`);
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
    const { a, b } = twoFiles(tasks(6, confirms), tasks(6, skips));
    const byPattern = await spoor(["cohort", a, b, "--scenario", "task (t[0-9]+)", "--format", "json"]);
    expect((JSON.parse(byPattern.out) as CohortReport).cohort.scenarios).toBe(6);
    const byKey = await spoor(["cohort", a, b, "--scenario", "customer"]);
    expect(byKey).toMatchObject({ code: 2, out: "" });
    expect(byKey.err).toContain("cohort.no-scenario");
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
    const { a, b } = twoFiles(tasks(8, confirms), tasks(8, skips));
    const changedAspects = async (...more: string[]) => {
      const { out } = await spoor(["cohort", a, b, "--format", "json", ...more]);
      return (JSON.parse(out) as CohortReport).aspects.filter(({ changed }) => changed).map(({ aspect }) => aspect);
    };
    expect(await changedAspects()).toContain("effects");
    expect(await changedAspects("--read-only", "confirm")).not.toContain("effects");
  });
});

describe("spoor cohort plan", () => {
  it("says what the recorded repeats would find", async () => {
    const { a } = twoFiles([...tasks(8, confirms), ...tasks(8, confirms)], []);
    const { code, out } = await spoor(["cohort", "plan", a, "--rounds", "10"]);
    expect(code).toBe(0);
    expect(out).toContain("with 8 scenarios and 8 runs a side");
    expect(out).toContain("134 for 5 %, 66 for 10 %, 33 for 20 %");
    for (const line of out.split("\n")) if (!line.includes("Next:")) expect(line.length).toBeLessThanOrEqual(80);
  });

  it("asks for repeats when there are none", async () => {
    const { a } = twoFiles(tasks(8, confirms), []);
    expect((await spoor(["cohort", "plan", a])).out).toContain("Record at least two runs of each scenario");
  });

  it.each(["terminal", "markdown", "html"])("says in %s what two runs of each scenario would buy", async (format) => {
    const { a } = twoFiles([...tasks(4, confirms), ...tasks(4, confirms)], []);
    const { out } = await spoor(["cohort", "plan", a, "--rounds", "10", "--format", format]);
    const text = out.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
    expect(text).toContain("What two runs of each scenario would buy");
    expect(text).toMatch(
      /\d of 7 changes with one run of each scenario, \d with two runs of each, \d with one run of twice/,
    );
    for (const way of ["4 × 1", "4 × 2", "8 × 1"]) expect(text).toContain(way);
  });

  it("draws what would be found", async () => {
    const { folder, a } = twoFiles([...tasks(4, confirms), ...tasks(4, confirms)], []);
    const file = join(folder, "curve.svg");
    await spoor(["cohort", "plan", a, "--rounds", "10", "-o", file]);
    expect(readFileSync(file, "utf8")).toContain("<circle");
  });
});

describe("spoor cohort --sequential", () => {
  it("stops as soon as the evidence suffices and leaves the rest unread", async () => {
    const { a, b } = twoFiles(tasks(40, confirms), tasks(40, [...skips, "get_user"]));
    const { code, out } = await spoor(["cohort", a, b, "--sequential", "--wait", "0"]);
    expect(code).toBe(1);
    expect(out).toMatch(/Changed: the evidence suffices after \d+ pairs/);
  });

  it("reads a folder file by file", async () => {
    const { folder, a } = twoFiles(tasks(3, confirms), []);
    const incoming = join(folder, "incoming");
    mkdirSync(incoming);
    for (const [index, run] of tasks(3, confirms).entries())
      writeFileSync(join(incoming, `${index}.json`), JSON.stringify([run]));
    const { code, out } = await spoor(["cohort", a, incoming, "--sequential", "--wait", "0"]);
    expect(code).toBe(0);
    expect(out).toContain("Not enough evidence: 3 pairs");
    expect(out).toContain("This is not a pass");
  });

  it("reads runs and paths from standard input, one a line", async () => {
    const { folder, a } = twoFiles(tasks(3, confirms), []);
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
    const { a, b } = twoFiles(tasks(40, confirms), tasks(40, confirms).map(kill));
    const { code, out } = await spoor(["cohort", a, b, "--sequential", "--wait", "0"]);
    expect(code).toBe(1);
    expect(out).toContain("Changed: the evidence suffices");
    expect(out).toContain("Most evidence in outcome");
    const alike = twoFiles(tasks(40, confirms).map(kill), tasks(40, confirms).map(kill));
    expect((await spoor(["cohort", alike.a, alike.b, "--sequential", "--wait", "0"])).code).toBe(0);
  });

  it("compares nothing when no scenario is common: exit 2", async () => {
    const { a, b } = twoFiles(tasks(6, confirms), [tauRun("x1", confirms)]);
    const { code, out } = await spoor(["cohort", a, b, "--sequential", "--wait", "0"]);
    expect(code).toBe(2);
    expect(out.replaceAll(/\s+/g, " ")).toContain("no scenario has a run on both sides, so nothing was compared");
  });

  it("fails on a file that never becomes readable", async () => {
    const { folder, a } = twoFiles(tasks(3, confirms), []);
    const incoming = join(folder, "incoming");
    mkdirSync(incoming);
    writeFileSync(join(incoming, "broken.json"), '{"task_id": ');
    expect((await spoor(["cohort", a, incoming, "--sequential", "--wait", "0"])).code).toBe(2);
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
    for (const line of out.split("\n")) if (!line.includes("Next:")) expect(line.length).toBeLessThanOrEqual(80);
  });
});
