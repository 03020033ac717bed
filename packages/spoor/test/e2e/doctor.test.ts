import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { examineEnvironment } from "../../src/doctor/examine-environment.ts";
import type { Finding } from "../../src/doctor/finding.ts";
import { createTerminalStyle } from "../../src/write/terminal/terminal-style.ts";
import { runSpoor, temporaryFolder } from "./run-spoor.ts";

const nowhere = "/nowhere/at/all";
const example = fileURLToPath(new URL("../../../../examples/refund", import.meta.url));

describe("spoor doctor", () => {
  it("finds nothing wrong with the example, and says what it looked at", async () => {
    const folder = project();
    const run = await runSpoor(["doctor"], { cwd: folder });
    expect(run.code, run.stderr).toBe(0);
    expect(run.stdout).toContain("✓ Everything spoor gate needs is there.");
    expect(run.stdout).toContain("5 runs of support_agent");
    expect(run.stdout).toContain("5 pairs to compare");
    expect(run.stdout).toContain("policies/refunds.yaml: 3 rules");
    expect(run.stdout).toContain("50 runs, 3 behaviours");
  });

  it("lists every problem, not the first, each with its fix", async () => {
    const folder = project();
    const trace = join(folder, "candidate/ticket-1044.agentlog");
    // A line that ends and is no JSON: damage, not a recording that broke off.
    writeFileSync(trace, `${readFileSync(trace, "utf8").slice(0, 700)}\n`);
    rmSync(join(folder, "baselines"), { recursive: true });
    edit(folder, "policies/refunds.yaml", "must_call_before", "must_call_befor");
    edit(folder, "spoor.config.yaml", "baseline/*.agentlog", "nowhere/*.agentlog");
    const { code, findings } = await doctor(folder);
    expect(code).toBe(2);
    const problems = findings.filter(({ status }) => status === "problem");
    expect(problems.map(({ area, code }) => [area, code])).toEqual([
      ["traces", undefined],
      ["diff", "input.no-match"],
      ["policy", "policy.invalid"],
      ["baseline", "baseline.missing"],
    ]);
    for (const { fix } of problems) expect(fix).toBeTruthy();
    expect(problems[0]?.details?.[0]).toContain("candidate/ticket-1044.agentlog:2:");
    expect(problems[2]?.details?.[0]).toBe('5:11  unknown kind "must_call_befor". Did you mean must_call_before?');
    // What the doctor calls a problem does keep the gate from running.
    expect((await runSpoor(["gate"], { cwd: folder })).code).toBe(2);
  });

  it.each([
    { name: "a key nobody knows", text: "traces: candidate\npolcy: {}\n", code: "config.invalid" },
    { name: "no lens", text: "traces: candidate\n", code: "config.no-lens" },
    {
      name: "evaluators that are missing",
      text: "traces: candidate\ntrajectory: { evaluators: none.yaml }\n",
      code: "evaluators.unreadable",
    },
    {
      name: "a path out of the project",
      text: "traces: ../x\npolicy: { files: [policies/refunds.yaml] }\n",
      code: "config.outside",
    },
    {
      name: "new violations without a diff",
      text: "traces: candidate\npolicy: { files: [policies/refunds.yaml], violations: new }\n",
      code: "config.new-needs-diff",
    },
  ])("$name is a problem, exactly as for the gate", async ({ text, code }) => {
    const folder = project();
    writeFileSync(join(folder, "spoor.config.yaml"), text);
    const result = await doctor(folder);
    expect(result.code).toBe(2);
    const gate = await runSpoor(["gate"], { cwd: folder });
    expect(gate.code).toBe(2);
    const found = result.findings.filter(({ status }) => status === "problem").map((finding) => finding.code);
    expect(found).toHaveLength(1);
    expect(gate.stderr).toContain(found[0]);
    expect(found).toEqual([code]);
  });

  it("says that there is no configuration, and that init writes one", async () => {
    const { code, findings } = await doctor(temporaryFolder());
    expect(code).toBe(2);
    expect(findings.at(-1)).toMatchObject({
      area: "configuration",
      code: "config.missing",
      fix: expect.stringContaining("spoor init"),
    });
  });

  it("warns without failing: another model, few runs behind a block, runs without a partner", async () => {
    const folder = project();
    rmSync(join(folder, "candidate/ticket-1045.agentlog"));
    edit(folder, "baselines/support_agent.json", '"gpt-4.1": 50', '"gpt-4": 50');
    edit(folder, "baselines/support_agent.json", '"run_count": 50', '"run_count": 29');
    const { code, findings } = await doctor(folder);
    expect(code).toBe(0);
    expect(findings.filter(({ status }) => status === "warning").map(({ what }) => what)).toEqual([
      "4 pairs to compare; 1 run without a partner: ticket-1045",
      "It blocks unknown paths and knows only 29 runs: new paths will be common.",
      "Recorded with another model: gpt-4; now gpt-4.1.",
    ]);
  });

  it("refuses a baseline of a newer Spoor with the way to upgrade", async () => {
    const folder = project();
    edit(folder, "baselines/support_agent.json", '"hash_version": "v2"', '"hash_version": "v3"');
    const { code, findings } = await doctor(folder);
    expect(code).toBe(2);
    expect(findings.find(({ area }) => area === "baseline")).toMatchObject({
      status: "problem",
      code: "baseline.not-comparable",
      fix: expect.stringContaining("npm i"),
    });
  });
});

describe("examineEnvironment", () => {
  const environment = {
    cwd: nowhere,
    node: "22.1.0",
    platform: "linux x64",
    isTerminal: false,
    style: createTerminalStyle(),
    webFolder: nowhere,
  };

  it.each([
    { node: "18.20.4", status: "problem" },
    { node: "20.18.9", status: "problem" },
    { node: "20.19.0", status: "ok" },
    { node: "24.0.0", status: "ok" },
  ])("Node $node is $status", ({ node, status }) => {
    expect(examineEnvironment({ ...environment, node })[0]?.status).toBe(status);
  });

  it("notices parts of the HTML report that are missing", () => {
    expect(examineEnvironment(environment).at(-1)).toMatchObject({ status: "warning", code: "html.not-built" });
  });
});

function project(): string {
  const folder = temporaryFolder();
  cpSync(example, folder, { recursive: true });
  return folder;
}

function edit(folder: string, file: string, from: string, to: string): void {
  const text = readFileSync(join(folder, file), "utf8");
  expect(text).toContain(from);
  writeFileSync(join(folder, file), text.replace(from, to));
}

async function doctor(folder: string): Promise<{ code: number | null; findings: Finding[] }> {
  const run = await runSpoor(["doctor", "--format", "json"], { cwd: folder });
  return { code: run.code, findings: (JSON.parse(run.stdout) as { findings: Finding[] }).findings };
}
