/** What must not pass by accident: hooks that fail, an `only` that stayed behind, and grades by a command. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runSpoor, temporaryFolder } from "./run-spoor.ts";

const TARGETS = "targets:\n  - { name: m, provider: mock, response: done }\n";

function project(suite: object): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "targets.yaml"), TARGETS);
  writeFileSync(join(folder, "e.yaml"), JSON.stringify({ target: "m", ...suite }));
  return folder;
}

const evaluators = [{ name: "t", type: "contains", value: "done" }];

it("a command of after_all that fails is told, in words and in JSON, without the secrets of the environment", async () => {
  const workspace = { hooks: { after_all: ["echo $DB_PASS >&2; exit 3"] } };
  const cwd = project({ workspace, evaluators, cases: [{ id: "a", input: "x" }] });
  const env = { DB_PASS: "hunter2-hunter2" };
  const run = await runSpoor(["eval", "e.yaml", "-o", "r.json", "-o", "r.md"], { cwd, env });
  expect(run.code, run.stderr).toBe(0);
  expect(run.stdout.replaceAll(/\s+/g, " ")).toContain("after_all");
  expect(run.stdout).toContain("exit code 3");
  const json = await runSpoor(["report", "r.json", "--format", "json"], { cwd });
  const { notEvaluated } = JSON.parse(json.stdout).coverage;
  expect(notEvaluated).toEqual([{ what: "after_all", why: expect.stringContaining("exit code 3") }]);
  expect(run.stdout + json.stdout).not.toContain("hunter2");
});

it.each([
  ["CI", { CI: "true" }, [], 2],
  ["another CI", { CI: "1" }, ["--quiet"], 2],
  ["CI where it is meant", { CI: "true" }, ["--allow-only"], 0],
  ["no CI", { CI: "false" }, [], 0],
  ["a desk", {}, [], 0],
  ["a desk that is strict", {}, ["--strict"], 2],
] as const)("an only that stayed behind: %s", async (_name, env, options, code) => {
  const cwd = project({
    evaluators,
    cases: [
      { id: "a", input: "x", only: true },
      { id: "b", input: "x" },
    ],
  });
  const run = await runSpoor(["eval", "e.yaml", ...options], { cwd, env: { ...env } });
  expect(run.code, run.stderr).toBe(code);
  expect(run.stderr.replaceAll(/\s+/g, " ")).toContain("says only: 1 of 2 cases are left out");
  if (code === 2) expect(run.stderr).toContain("--allow-only");
});

it("a code_judge is graded again where the agent had no folder of its own", async () => {
  const judge = (score: number) => ({
    name: "own",
    type: "code_judge",
    script: ["node", "-e", `console.log(JSON.stringify({ score: ${score}, hits: [], misses: [] }))`],
  });
  const cases = [{ id: "a", input: "x" }];
  const cwd = project({ evaluators: [judge(1)], cases });
  const first = await runSpoor(["eval", "e.yaml", "--results", "r.jsonl", "--include-trace"], { cwd });
  expect(first.code, first.stderr).toBe(0);
  writeFileSync(join(cwd, "e.yaml"), JSON.stringify({ target: "m", evaluators: [judge(0.2)], cases }));
  const again = await runSpoor(["eval", "e.yaml", "--results", "r.jsonl", "--regrade"], { cwd });
  expect(again.code, again.stderr).toBe(1);
  expect(again.stdout).toContain("scores 0.20");
});

it("a longer --timeout makes again what the shorter one ended, and nothing else", async () => {
  const folder = temporaryFolder();
  writeFileSync(
    join(folder, "targets.yaml"),
    `targets:\n  - { name: m, provider: cli, command: ["sh", "-c", "echo {EVAL_ID} >> asked; echo done"] }\n`,
  );
  const cases = [
    { id: "quick", input: "x" },
    { id: "slow", input: "x" },
  ];
  writeFileSync(join(folder, "e.yaml"), JSON.stringify({ target: "m", evaluators, cases }));
  const run = (...more: string[]) =>
    runSpoor(["eval", "e.yaml", "--results", "r.jsonl", "--workers", "1", ...more], { cwd: folder });
  const first = await run();
  expect(first.code, first.stderr).toBe(0);
  // As if one of them had been ended by a limit of two seconds, and the other had taken a millisecond.
  const [quick, slow] = readFileSync(join(folder, "r.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const ended = { ...slow, status: "failed", passed: false, ended: "limit", limit: { kind: "timeout", at: 2 } };
  const lines = [{ ...quick, duration_ms: 1 }, ended].map((record) => `${JSON.stringify(record)}\n`);
  writeFileSync(join(folder, "r.jsonl"), lines.join(""));
  const same = await run("--timeout", "2", "--resume");
  expect(same.code, same.stderr).toBe(1);
  expect(readFileSync(join(folder, "asked"), "utf8")).toBe("quick\nslow\n");
  const longer = await run("--timeout", "250", "--resume");
  expect(longer.code, longer.stderr).toBe(0);
  expect(readFileSync(join(folder, "asked"), "utf8")).toBe("quick\nslow\nslow\n");
});

it("a hook runs where its cwd says, however its command ends", async () => {
  const workspace = {
    setup: ["mkdir -p 'sub dir/deep'", { command: "touch one; touch two # and no more", cwd: "sub dir" }],
    hooks: { after_each: { command: ["sh", "-c", "ls >> $SEEN"], cwd: "sub dir/deep/.." } },
  };
  const cwd = project({ workspace, evaluators, cases: [{ id: "a", input: "x" }] });
  const run = await runSpoor(["eval", "e.yaml"], { cwd, env: { SEEN: join(cwd, "seen") } });
  expect(run.code, run.stderr).toBe(0);
  expect(readFileSync(join(cwd, "seen"), "utf8")).toBe("deep\none\ntwo\n");
  const lost = project({
    workspace: { setup: { command: "true", cwd: "nowhere" } },
    evaluators,
    cases: [{ id: "a", input: "x" }],
  });
  // A folder that cannot be made ready is never a pass.
  expect((await runSpoor(["eval", "e.yaml", "--max-retries", "0"], { cwd: lost })).code).toBe(2);
});
