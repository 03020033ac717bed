/** Eval files as scenarios: their cases are the tasks, and their expectations are checked on the recordings. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { asked, changeAgent, recordedIn, scriptedProject, spoorIn } from "./scripted-agent.ts";

const REFUNDS = `evalcases:
  - id: damaged
    input: The lamp is broken.
    evaluators:
      - { name: path, type: tool_trajectory, mode: in_order, expected: [{ tool: confirm }, { tool: refund }] }
  - id: late
    input: It is late.
    evaluators:
      - { name: kind, type: llm_judge, prompt: Is the answer kind? }
`;
const GREETINGS = `evalcases:
  - { id: hello, input: Hello! }
`;

function project(scenarios: string, others: readonly string[] = []): string {
  const folder = scriptedProject();
  writeFileSync(join(folder, "refunds.yaml"), REFUNDS);
  writeFileSync(join(folder, "greetings.yaml"), GREETINGS);
  const config = ["agent: support", `run: { command: node agent.mjs, scenarios: ${scenarios} }`, ...others];
  writeFileSync(join(folder, "spoor.config.yaml"), config.join("\n"));
  return folder;
}

describe("eval files as scenarios", () => {
  it("give the tasks and feed the trajectory lens, with no other lens at all", async () => {
    const folder = project("refunds.yaml");
    asked.length = 0;
    const good = await spoorIn(folder, ["gate", "--run", "--format", "json"]);
    expect(good.code).toBe(0);
    expect(asked.map(({ user }) => user).sort()).toEqual(["It is late.", "The lamp is broken."]);
    const report = JSON.parse(good.stdout) as { lenses: unknown; coverage: { notEvaluated: unknown } };
    expect(report.lenses).toEqual([
      { lens: "trajectory", status: "passed", facts: { code: "trajectory", scores: 1, passed: 1 } },
    ]);
    // What needs a judge is no pass.
    expect(JSON.stringify(report.coverage.notEvaluated)).toContain("kind of late");
    changeAgent(folder);
    const bad = await spoorIn(folder, ["gate", "--run"]);
    expect([bad.code, bad.stdout]).toEqual([1, expect.stringContaining("does not take the expected path") as string]);
  });

  it("come from globs and lists, and are the baseline's scenarios too", async () => {
    const folder = project("'*s.yaml'", ["diff: { baseline: recordings }", "cohort: { use: never }"]);
    expect(await spoorIn(folder, ["record", "--baseline"])).toMatchObject({ code: 0 });
    expect(recordedIn(folder)).toEqual(["damaged.run1.agentlog", "hello.run1.agentlog", "late.run1.agentlog"]);
    const listed = readFileSync(join(folder, "spoor.config.yaml"), "utf8").replace("'*s.yaml'", "[greetings.yaml]");
    writeFileSync(join(folder, "spoor.config.yaml"), listed);
    expect(await spoorIn(folder, ["record", "--baseline"])).toMatchObject({ code: 0 });
    expect(recordedIn(folder)).toHaveLength(3);
  });

  it("say what is wrong with them", async () => {
    const twice = project("[refunds.yaml, again.yaml]");
    writeFileSync(join(twice, "again.yaml"), GREETINGS.replace("hello", "late"));
    const double = await spoorIn(twice, ["gate", "--run"]);
    expect([double.code, double.stderr.replaceAll(/\s+/g, " ")]).toEqual([
      2,
      expect.stringContaining('Two cases are called "late", in refunds.yaml and in again.yaml.') as string,
    ]);
    const none = await spoorIn(project("nowhere/*.yaml"), ["gate", "--run"]);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("No eval file was found") as string]);
    // Nothing expected, nothing evaluated: no pass.
    expect(await spoorIn(project("greetings.yaml"), ["gate", "--run"])).toMatchObject({ code: 2 });
    const alike = await spoorIn(project("{ a b: Do it., a/b: Do that. }"), ["gate", "--run", "--base", "."]);
    expect([alike.code, alike.stderr.replaceAll(/\s+/g, " ")]).toEqual([
      2,
      expect.stringContaining('"a b" and "a/b" would have files of one name') as string,
    ]);
  });
});
