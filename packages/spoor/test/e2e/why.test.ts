/** `spoor why` with real processes: both agents are run, inputs are exchanged in what they send, and the one that matters is named. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { WhyReport } from "@spoor/core/internal/why/why-report";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runSpoor, temporaryFolder } from "./run-spoor.ts";
import {
  agentProgram,
  type PartName,
  partNames,
  type ScriptedModel,
  startScriptedModel,
  whyProject,
} from "./why-agent.ts";

let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel(1);
});
afterAll(() => model.close());

function projects(changed: readonly PartName[], client?: "fetch" | "http") {
  const folder = temporaryFolder();
  return {
    base: whyProject(join(folder, "base"), [], client),
    project: whyProject(join(folder, "new"), changed, client),
  };
}

async function why(folder: string, words: readonly string[]) {
  const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "none" };
  const run = await runSpoor(["why", ...words, "-o", "why.json"], { cwd: folder, env });
  const read = () => JSON.parse(readFileSync(join(folder, "why.json"), "utf8")) as WhyReport;
  return { ...run, report: read };
}

describe("spoor why --base", () => {
  it("names the one of four changed inputs that the model heeds", async () => {
    const { base, project } = projects(partNames);
    model.heeds = ["prompt"];
    const { code, stdout, stderr, report } = await why(project, ["--base", base, "--repeat", "4"]);
    expect(stderr).toContain("at most 96 runs in all");
    expect(stdout).toContain('The line "Be quick." of the system prompt moves what the agent does');
    expect(code).toBe(0);
    const { outcome, changedInputs, named, configurations, runs } = report();
    expect(changedInputs.map((input) => input.code)).toEqual(["prompt", "model", "tool", "setting"]);
    expect(outcome).toBe("named");
    expect(named).toEqual([expect.objectContaining({ kind: "alone", inputs: ["input-1"] })]);
    expect(configurations.every(({ status }) => status === "tested")).toBe(true);
    // Base, candidate, all exchanged, each alone: 3 scenarios, 4 times each.
    expect(runs).toEqual({ perConfiguration: 12, made: 7 * 12, atMost: 8 * 12 });
  });

  it("exchanges through the proxy what a program sends without fetch", async () => {
    const { base, project } = projects(["tool"], "http");
    model.heeds = ["tool"];
    const { code, report } = await why(project, ["--base", base, "--repeat", "4"]);
    const { changedInputs, named, configurations } = report();
    expect(changedInputs).toEqual([expect.objectContaining({ code: "tool", tool: "refund" })]);
    expect(named).toEqual([expect.objectContaining({ kind: "alone", inputs: ["input-1"], restores: true })]);
    expect(configurations.map(({ program, reverted }) => [program, reverted.length])).toEqual([
      ["base", 0],
      ["candidate", 0],
      ["candidate", 1],
    ]);
    expect(code).toBe(0);
  });

  it("has nothing to explain where the model heeds nothing, and makes no more than two sets of runs", async () => {
    const { base, project } = projects(partNames);
    model.heeds = [];
    const { code, report } = await why(project, ["--base", base, "--repeat", "2"]);
    const { outcome, named, runs } = report();
    expect(named).toEqual([]);
    expect(runs.made).toBe(12);
    expect([outcome, code]).toEqual(outcome === "unchanged" ? ["unchanged", 0] : ["not_enough_runs", 2]);
  });

  it("an input that was not exchanged is not called innocent", async () => {
    const { base, project } = projects(["model"]);
    model.heeds = ["model"];
    // A program that notices, and asks for yet another model: its requests never hold the one that is to be exchanged.
    const program = agentProgram(["model"]).replace('const body = { model: "m-2",', "const body = { model: MODEL,");
    const chosen = 'const MODEL = process.env.SPOOR_EXCHANGE ? "m-3" : "m-2";\n';
    expect(program).toContain("model: MODEL");
    writeFileSync(join(project, "agent.mjs"), chosen + program);
    const { code, stdout, report } = await why(project, ["--base", base, "--repeat", "4"]);
    const { outcome, notExchanged, named, configurations } = report();
    expect(notExchanged).toEqual([{ input: "input-1", why: "not_found" }]);
    expect(configurations.at(-1)).toMatchObject({ reverted: ["input-1"], status: "not_exchanged" });
    expect([outcome, code, named]).toEqual(["not_found", 2, []]);
    expect(stdout).toContain("not exchanged");
  });
});

describe("spoor why without runs", () => {
  it("says what first differed going in, what changed, and what it would run", async () => {
    const { base, project } = projects(partNames);
    model.heeds = ["prompt"];
    const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "none" };
    for (const folder of [base, project]) {
      const words = ["record", "--to", "rec", "--scenario", "lamp", "--", "node", "agent.mjs"];
      const run = await runSpoor(words, { cwd: folder, env, stdin: "The lamp is broken." });
      expect(run.code).toBe(0);
    }
    const { code, stdout, report } = await why(project, [join(base, "rec"), "rec", "--repeat", "4"]);
    expect(code).toBe(0);
    expect(stdout.replace(/\s+/g, " ")).toContain("line 2 of the system prompt");
    expect(stdout.replace(/\s+/g, " ")).toContain(
      "24 when nothing changed, usually 84 when one input matters, at most 96",
    );
    expect(report().outcome).toBe("not_run");
    expect(report().changedInputs).toHaveLength(4);
  });
});
