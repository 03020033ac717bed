/** `spoor gate` on the refund story: one verdict, the same figures on every surface, and never a pass without an answer. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { runSpoor, temporaryFolder } from "./run-spoor.ts";

const refund = fileURLToPath(new URL("../../../../examples/refund/", import.meta.url));

function project(config?: string): string {
  const folder = temporaryFolder();
  cpSync(refund, folder, { recursive: true });
  if (config !== undefined) writeFileSync(join(folder, "spoor.config.yaml"), config);
  return folder;
}

const CONFIG = `agent: support_agent
noun: ticket
traces: candidate/*.agentlog
diff: { baseline: baseline/*.agentlog }
policy: { files: [policies/refunds.yaml] }
baseline: { file: baselines/support_agent.json }
trajectory: { evaluators: path.yaml }
`;
const PATH = `- name: refund-path
  type: tool_trajectory
  mode: any_order
  minimums: { lookup_order: 1 }
`;

describe("spoor gate", () => {
  it("blocks with the consequence first, and says the same on every surface", async () => {
    const folder = project(CONFIG);
    writeFileSync(join(folder, "path.yaml"), PATH);
    const files = ["r.json", "r.md", "r.html", "r.xml", "r.sarif", "r.ctrf.json", "r.intoto.json"];
    const run = await runSpoor(["gate", ...files.flatMap((file) => ["-o", file])], { cwd: folder });
    expect(run.code, run.stderr).toBe(1);
    const [json, markdown, html, junit, sarif, ctrf, intoto] = files.map((file) =>
      readFileSync(join(folder, file), "utf8"),
    ) as [string, string, string, string, string, string, string];
    expect(run.stdout.split("\n")[0]).toBe(
      "✗ Blocked: issue_refund now runs without confirm_refund_amount before it, in 2",
    );
    // Figures worked out by hand from the ten traces: 4 of 17 turns, 2 violations, 1 warning, 2 of 5 runs unknown.
    for (const text of [run.stdout, markdown, html]) {
      for (const figure of ["4 of 17", "2 violations", "1 warning", "2 of 5 runs", "1294370c8cae45db"])
        expect(text).toContain(figure);
    }
    const report = JSON.parse(json);
    expect(report).toMatchObject({
      schema: "spoor.gate/1",
      status: "blocked",
      lead: "policy",
      gate: { tripped: true },
      reports: { diff: { structure: { changed: 4, turns: 17 } } },
    });
    expect(report.lenses.map((lens: { lens: string; status: string }) => `${lens.lens} ${lens.status}`)).toEqual([
      "policy failed",
      "diff failed",
      "baseline failed",
      "trajectory passed",
    ]);
    expect(
      markdown.startsWith(
        "<!-- spoor:gate:support_agent -->\n### ✗ Blocked: `issue_refund` now runs without `confirm_refund_amount`",
      ),
    ).toBe(true);
    expect(junit).toContain(
      '<testcase classname="spoor.policy" name="confirm-before-refund" file="policies/refunds.yaml" line="4"><failure',
    );
    expect(JSON.parse(sarif).runs[0].results[0]).toMatchObject({
      ruleId: "policy/confirm-before-refund",
      level: "error",
      locations: [
        { physicalLocation: { artifactLocation: { uri: "policies/refunds.yaml" }, region: { startLine: 4 } } },
      ],
    });
    expect(JSON.parse(ctrf).results.summary.failed).toBe(
      report.checks.filter((check: { status: string }) => check.status === "failed").length,
    );
    const statement = JSON.parse(intoto);
    expect(statement.predicate.result).toBe("FAILED");
    expect(statement.subject.map((subject: { name: string }) => subject.name)).toEqual(
      expect.arrayContaining([
        "policies/refunds.yaml",
        "baselines/support_agent.json",
        "candidate/ticket-1042.agentlog",
      ]),
    );
  });

  it("passes in one line once the regression is undone", async () => {
    const folder = project();
    cpSync(join(folder, "baseline"), join(folder, "candidate"), { recursive: true });
    const run = await runSpoor(["gate", "-o", "r.md"], { cwd: folder });
    expect(run.code, run.stderr).toBe(0);
    expect(run.stdout).toMatch(/^✓ No change in behaviour: 17 of 17 turns do the same/);
    expect(readFileSync(join(folder, "r.md"), "utf8")).toContain("### ✓ No change in behaviour");
  });

  it("warns without blocking in mode warn", async () => {
    const run = await runSpoor(["gate", "--mode", "warn"], { cwd: project() });
    expect(run.code).toBe(0);
    expect(run.stdout).toContain("Would block");
    expect(run.stdout).toContain("does not block");
  });

  it("prints annotations and a step summary on GitHub", async () => {
    const folder = project();
    writeFileSync(join(folder, "summary.md"), "");
    const run = await runSpoor(["gate"], {
      cwd: folder,
      env: { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: join(folder, "summary.md") },
    });
    expect(run.stderr).toMatch(
      /^::error file=policies\/refunds\.yaml,title=spoor policy%3A confirm-before-refund,line=4,col=5::/m,
    );
    expect(readFileSync(join(folder, "summary.md"), "utf8")).toContain("Blocked");
  });

  it("judges some traces by another threshold", async () => {
    const overrides = `overrides: [{ traces: "ticket-104[24]", policy: { failOn: none }, diff: { failOn: none } }]\n`;
    const config = CONFIG.replace(/baseline: \{ file.*\n|trajectory.*\n/g, "") + overrides;
    const run = await runSpoor(["gate", "--format", "json"], { cwd: project(config) });
    expect(run.code, run.stderr).toBe(0);
    expect(JSON.parse(run.stdout).status).toBe("warned");
  });

  it("blocks on new violations of runs with scenario ids, and the page shows them at their turns", async () => {
    const config = `traces: candidate\ndiff: { baseline: baseline, failOn: none }\npolicy: { files: [policies/refunds.yaml], violations: new }\n`;
    const folder = project(config);
    for (const side of ["baseline", "candidate"]) {
      for (const [index, name] of readdirSync(join(folder, side)).sort().entries()) {
        const file = join(folder, side, name);
        const [first, ...rest] = readFileSync(file, "utf8").split("\n");
        const record = JSON.parse(first!);
        // As the importers of tau-bench, Inspect and AgentV and the eval runner give them; two runs share a task.
        const named = { ...record, meta: { ...record.meta, scenario_id: Math.min(index, 3) } };
        writeFileSync(file, [JSON.stringify(named), ...rest].join("\n"));
      }
    }
    const run = await runSpoor(["gate", "-o", "r.html", "-o", "r.json"], { cwd: folder });
    expect(run.code, run.stderr).toBe(1);
    expect(run.stdout).toMatch(/^✗ Blocked: issue_refund now runs without confirm_refund_amount/);
    expect(run.stdout).toContain("2 violations, 1 warning; 3 new");
    const places = JSON.parse(readFileSync(join(folder, "r.json"), "utf8")).checks[0].places;
    const html = readFileSync(join(folder, "r.html"), "utf8");
    const data = JSON.parse(/id="comparison-data">(.*?)<\/script>/s.exec(html)![1]!);
    const found = data.traces.flatMap(
      (trace: { key: string; rows: { candidate?: { turn: number; findings?: { rule: string }[] } }[] }) =>
        trace.rows.flatMap(({ candidate }) =>
          (candidate?.findings ?? []).map(({ rule }) => `${rule} ${trace.key}:${candidate!.turn}`),
        ),
    );
    expect(places).toHaveLength(2);
    for (const { key, turnIndex } of places) {
      expect(found).toContain(`confirm-before-refund ${key}:${turnIndex + 1}`);
      expect(html).toContain(`href="#${encodeURIComponent(`${key}:${turnIndex + 1}`)}"`);
    }
  });

  it("scores the traces that the cases name, and says which ones none names", async () => {
    const folder = project("agent: a\ntraces: candidate\ntrajectory: { evaluators: evaluators.yaml }\n");
    const run = await runSpoor(["gate", "--format", "json"], { cwd: folder });
    expect(run.code, run.stderr).toBe(1);
    const report = JSON.parse(run.stdout);
    expect(report.reports.trajectory.results.map((result: { trace: string }) => result.trace)).toEqual(["ticket-1042"]);
    expect(report.coverage.notEvaluated).toContainEqual({ what: "trajectory", why: "no case names 4 other traces" });
  });

  it("takes a TypeScript and a JSON configuration", async () => {
    for (const [name, text] of [
      [
        "spoor.config.ts",
        `import type { x } from "./nothing.ts";\nexport default { traces: "candidate", policy: { files: ["policies/refunds.yaml"] } } satisfies object;\n`,
      ],
      ["spoor.config.json", `{ "traces": "candidate", "policy": { "files": ["policies/refunds.yaml"] } }`],
    ] as const) {
      const folder = project();
      rmSync(join(folder, "spoor.config.yaml"));
      writeFileSync(join(folder, name), text);
      const run = await runSpoor(["gate"], { cwd: folder });
      expect(run.code, run.stderr).toBe(1);
    }
  });

  it.each([
    { name: "no configuration", config: "", code: "config.invalid" },
    { name: "no lens", config: "traces: candidate\n", code: "config.no-lens" },
    {
      name: "no such traces",
      config: "traces: nowhere\npolicy: { files: [policies/refunds.yaml] }\n",
      code: "input.missing",
    },
    {
      name: "a policy that is not there",
      config: "traces: candidate\npolicy: { files: [none.yaml] }\n",
      code: "policy.unreadable",
    },
    {
      name: "a baseline that is not there",
      config: "traces: candidate\nbaseline: { file: none.json }\n",
      code: "baseline.missing",
    },
    {
      name: "evaluators that are not there",
      config: "traces: candidate\ntrajectory: { evaluators: none.yaml }\n",
      code: "",
    },
    {
      name: "new violations without a diff",
      config: "traces: candidate\npolicy: { files: [policies/refunds.yaml], violations: new }\n",
      code: "config.new-needs-diff",
    },
    {
      name: "a path out of the project",
      config: "traces: ../candidate\npolicy: { files: [policies/refunds.yaml] }\n",
      code: "config.outside",
    },
  ])("does not pass without an answer: $name", async ({ config, code }) => {
    const run = await runSpoor(["gate", "-o", "r.json"], { cwd: project(config) });
    expect(run, run.stderr).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain(code);
    expect(run.stderr).not.toMatch(/\n\s+at /);
  });

  it("cuts a comment that would be too long, and says what it cut", async () => {
    const folder = project(
      "agent: a\ntraces: candidate\ndiff: { baseline: baseline }\npolicy: { files: [many.yaml] }\n",
    );
    const rules = Array.from(
      { length: 400 },
      (_, index) => `  - { id: rule-${index}-${"x".repeat(150)}, kind: no_call, params: { tool: lookup_order } }`,
    );
    writeFileSync(join(folder, "many.yaml"), `rules:\n${rules.join("\n")}\n`);
    const run = await runSpoor(["gate", "--format", "markdown"], { cwd: folder });
    expect(run.code, run.stderr).toBe(1);
    expect(run.stdout.length).toBeLessThan(65_536);
    expect(run.stdout).toContain("Cut for length: the findings");
    expect(run.stdout).toContain("| ✗ Policy |");
  });
});

describe("spoor demo", () => {
  it("tells the story with the figures of the real commands, and leaves files that work", async () => {
    const folder = temporaryFolder();
    const run = await runSpoor(["demo", "--keep"], { cwd: folder });
    expect(run.code, run.stderr).toBe(0);
    expect(Math.max(...run.stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    for (const text of [
      "in 2 of 5",
      "4 of 17 turns differ (24 %; 7 to 50 % is plausible)",
      "40 → 89",
      "2 violations",
      "50 recorded runs",
      "Blocked: 1 rule broken, 4 turns differ, 1 unknown path.",
    ]) {
      expect(run.stdout).toContain(text);
    }
    const commands = run.stdout
      .split("\n")
      .flatMap((line) => /\$ spoor (.*)$/.exec(line)?.[1]?.split(" ") ?? [])
      .join(" ");
    expect(commands).toContain("gate");
    const story = join(folder, "spoor-demo");
    expect(await runSpoor(["diff", "baseline", "candidate"], { cwd: story })).toMatchObject({ code: 0 });
    expect(await runSpoor(["check", "candidate", "--policy", "policies/refunds.yaml"], { cwd: story })).toMatchObject({
      code: 1,
    });
    expect(await runSpoor(["baseline", "compare", "candidate"], { cwd: story })).toMatchObject({ code: 1 });
    expect(await runSpoor(["gate"], { cwd: story })).toMatchObject({ code: 1 });
    expect(readFileSync(join(story, "report.html"), "utf8")).toContain("comparison-data");
    expect(await runSpoor(["demo", "--keep"], { cwd: folder })).toMatchObject({ code: 2 });
  });

  it("keeps to ASCII when asked", async () => {
    const { stdout } = await runSpoor(["demo", "--ascii"], { cwd: temporaryFolder() });
    expect(stdout).toMatch(/^[\x20-\x7e\n]*$/);
  });
});

describe("an exact path in the gate", () => {
  it("blocks on a call too many, though the score reaches the line, and names evaluator and call", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "runs"));
    const calls = ["loadData", "validate", "transform", "export", "deleteEverything"];
    const messages = calls.map((tool) => ({ role: "assistant", tool_calls: [{ tool, output: "ok" }] }));
    writeFileSync(join(folder, "runs/one.json"), JSON.stringify({ output_messages: messages }));
    const exact = { name: "pipeline", type: "tool_trajectory", mode: "exact", expected: calls.slice(0, 4) };
    writeFileSync(join(folder, "path.yaml"), JSON.stringify([exact]));
    writeFileSync(
      join(folder, "spoor.config.json"),
      JSON.stringify({ traces: "runs", trajectory: { evaluators: "path.yaml" } }),
    );
    const run = await runSpoor(["gate"], { cwd: folder });
    expect(run.stderr).toBe("");
    expect(run.code).toBe(1);
    expect(run.stdout).toContain("pipeline 0.80, ruled out");
    const page = await runSpoor(["gate", "--format", "html"], { cwd: folder });
    expect(page.stdout).toContain("deleteEverything");
  });
});
