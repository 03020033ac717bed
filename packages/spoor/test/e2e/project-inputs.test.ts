/** Commands that are given no inputs take them from the project's configuration, from any folder of the project. */
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { runInMemory } from "../../src/cli/run-in-memory.ts";
import { temporaryFolder } from "./run-spoor.ts";

const example = fileURLToPath(new URL("../../../../examples/refund", import.meta.url));

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  cpSync(example, folder, { recursive: true });
  mkdirSync(join(folder, ".git"));
  mkdirSync(join(folder, "deep/er"), { recursive: true });
});

const inside = (...words: string[]) => inWorkingFolder(folder, words);
const deepInside = (...words: string[]) => inWorkingFolder(join(folder, "deep/er"), words);

/** Traces are found from the folder of the process, as a shell has it. */
async function inWorkingFolder(cwd: string, words: string[]) {
  const before = process.cwd();
  process.chdir(cwd);
  try {
    return await runInMemory(words, { cwd });
  } finally {
    process.chdir(before);
  }
}

/** A report without the paths of the working folder. */
const facts = (json: string) => JSON.stringify(JSON.parse(json)).replaceAll("../../", "");

describe.each([
  ["diff", ["diff", "baseline/*.agentlog", "candidate/*.agentlog", "--policy", "policies/refunds.yaml"]],
  ["check", ["check", "candidate/*.agentlog", "--policy", "policies/refunds.yaml"]],
  ["cohort", ["cohort", "baseline/*.agentlog", "candidate/*.agentlog"]],
  ["cohort plan", ["cohort", "plan", "baseline/*.agentlog"]],
  ["show", ["show", "candidate/*.agentlog"]],
  ["fingerprint", ["fingerprint", "candidate/*.agentlog"]],
  ["baseline compare", ["baseline", "compare", "candidate/*.agentlog"]],
])("spoor %s", (name, spelledOut) => {
  const bare = name.split(" ");

  it("says without arguments what it says with those of the configuration, here and further down", async () => {
    const noun = name === "diff" ? ["--noun", "ticket"] : [];
    const expected = await inside(...spelledOut, ...noun, "--format", "json");
    expect(expected.err).toBe("");
    const here = await inside(...bare, "--format", "json");
    const below = await deepInside(...bare, "--format", "json");
    expect(here.err + below.err).toBe("");
    expect(facts(here.out)).toBe(facts(expected.out));
    expect(facts(below.out)).toBe(facts(expected.out));
    expect([here.code, below.code]).toEqual([expected.code, expected.code]);
  });

  it("says what is missing where there is no configuration", async () => {
    rmSync(join(folder, "spoor.config.yaml"));
    const { code, err } = await deepInside(...bare);
    expect(code).toBe(2);
    expect(err).toMatch(/needs (TRACES|two sets of runs|a policy)/);
  });
});

describe("the configuration", () => {
  it("of another project above the repository is not taken", async () => {
    rmSync(join(folder, "spoor.config.yaml"));
    mkdirSync(join(folder, "deep/.git"));
    writeFileSync(join(folder, "spoor.config.yaml"), "traces: candidate\npolicy: { files: [policies/refunds.yaml] }\n");
    expect((await deepInside("show")).code).toBe(2);
  });

  it("gives the baseline to a comparison that is given only a candidate", async () => {
    const { out } = await inside("diff", "candidate/ticket-1042.agentlog", "--format", "json");
    const { inputs } = JSON.parse(out) as { inputs: { role: string; path: string }[] };
    expect(inputs.filter(({ role }) => role === "baseline" || role === "candidate")).toMatchObject([
      { role: "baseline", path: "baseline/*.agentlog" },
      { role: "candidate", path: "candidate/ticket-1042.agentlog", traces: 1 },
    ]);
  });

  it("without runs to compare with is an error that names the key", async () => {
    writeFileSync(join(folder, "spoor.config.yaml"), "traces: candidate\npolicy: { files: [policies/refunds.yaml] }\n");
    for (const words of [["diff"], ["cohort"], ["cohort", "plan"], ["baseline", "build"]]) {
      const { code, err } = await inside(...words);
      expect([words, code]).toEqual([words, 2]);
      expect(err).toContain("diff.baseline");
    }
  });

  it("lets a list of paths be compared; the next command names none of them", async () => {
    const sides =
      "traces: [candidate/ticket-1042.agentlog, candidate/ticket-1043.agentlog]\ndiff: { baseline: [baseline] }\n";
    writeFileSync(join(folder, "spoor.config.yaml"), sides);
    const { code, out } = await inside("diff", "--format", "json");
    expect(code).toBe(0);
    const { inputs } = JSON.parse(out) as { inputs: { role: string; path: string }[] };
    expect(inputs.map(({ path }) => path)).toEqual([
      "baseline",
      "candidate/ticket-1042.agentlog",
      "candidate/ticket-1043.agentlog",
    ]);
  });

  it("says from which severity a check blocks, unless the command line does", async () => {
    const rules = "policy: { files: [policies/refunds.yaml], failOn: none }\n";
    writeFileSync(join(folder, "spoor.config.yaml"), `traces: candidate\n${rules}`);
    expect((await inside("check")).code).toBe(0);
    expect((await inside("check", "--fail-on", "severe")).code).toBe(1);
  });

  it("names the evaluators and the pass line of a score", async () => {
    writeFileSync(
      join(folder, "budget.yaml"),
      "- { name: call-budget, type: tool_trajectory, mode: any_order, minimums: { confirm_refund_amount: 1 } }\n",
    );
    const scored = (threshold: number) =>
      `traces: candidate/ticket-1042.agentlog\ntrajectory: { evaluators: budget.yaml, threshold: ${threshold} }\n`;
    writeFileSync(join(folder, "spoor.config.yaml"), scored(0.8));
    expect((await deepInside("score")).code).toBe(1);
    writeFileSync(join(folder, "spoor.config.yaml"), scored(0));
    expect((await deepInside("score")).code).toBe(0);
    expect((await deepInside("score", "--threshold", "1")).code).toBe(1);
  });
});
