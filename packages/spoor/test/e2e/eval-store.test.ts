/** What `spoor eval` keeps, and what becomes of it: results that are there, runs that are stale, several processes, full disks. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runSpoor, spoorBin, temporaryFolder } from "./run-spoor.ts";

const PASSING = { name: "path", type: "tool_trajectory", mode: "in_order", expected: [{ tool: "search" }] };
const AGENT = `
import { appendFileSync } from "node:fs";
appendFileSync(process.env.COUNT, "x");
const tools = process.env.TOOLS ?? "search";
console.log(JSON.stringify({ output_messages: [
  { role: "assistant", tool_calls: tools.split(",").map((tool) => ({ tool, input: {} })) },
  { role: "assistant", content: "done" },
] }));
`;

interface Setup {
  readonly cases?: readonly object[];
  readonly target?: object;
}

function setUp({ cases, target }: Setup = {}): string {
  const folder = temporaryFolder();
  const evalcases = cases ?? [1, 2, 3].map((number) => ({ id: `c${number}`, input: "q", evaluators: [PASSING] }));
  writeFileSync(join(folder, "suite.eval.yaml"), JSON.stringify({ evalcases }));
  writeFileSync(join(folder, "agent.mjs"), AGENT);
  const command = `node ${join(folder, "agent.mjs")}`;
  writeFileSync(
    join(folder, "targets.yaml"),
    JSON.stringify({ targets: [{ name: "default", provider: "cli", command, ...target }] }),
  );
  return folder;
}

function evaluate(folder: string, options: string[], env: Record<string, string> = {}) {
  return runSpoor(["eval", "suite.eval.yaml", "--results", "r.jsonl", ...options], {
    cwd: folder,
    env: { COUNT: join(folder, "count"), ...env },
  });
}

/** How often the agent was asked so far. */
function asked(folder: string): number {
  return existsSync(join(folder, "count")) ? readFileSync(join(folder, "count"), "utf8").length : 0;
}

function records(folder: string): { eval_id: string; passed: boolean }[] {
  return readFileSync(join(folder, "r.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { eval_id: string; passed: boolean });
}

/** How a file asks for an environment variable. */
const variable = (name: string) => `\${{ ${name} }}`;
const flat = (text: string) => text.replace(/\s+/g, " ");

describe("results that are there", () => {
  it("are not replaced unless asked for", async () => {
    const folder = setUp();
    await evaluate(folder, []);
    const before = readFileSync(join(folder, "r.jsonl"), "utf8");
    const refused = await evaluate(folder, ["--filter", "c1"]);
    expect(refused.code).toBe(2);
    expect(flat(refused.stderr)).toContain("r.jsonl holds results already");
    expect(flat(refused.stderr)).toContain("--resume");
    expect(readFileSync(join(folder, "r.jsonl"), "utf8")).toBe(before);
    expect(asked(folder)).toBe(3);
    expect((await evaluate(folder, ["--filter", "c1", "--overwrite"])).code).toBe(0);
    expect(records(folder).map(({ eval_id }) => eval_id)).toEqual(["c1"]);
  });

  it("are never those that are compared with", async () => {
    const folder = setUp();
    await evaluate(folder, []);
    for (const mode of ["--overwrite", "--resume"]) {
      const refused = await evaluate(folder, [mode, "--against", "./r.jsonl"]);
      expect(refused.code).toBe(2);
      expect(flat(refused.stderr)).toContain("is the run to compare with");
    }
    expect(records(folder)).toHaveLength(3);
  });

  it("are not looked for in a file that holds something else, which stays", async () => {
    const folder = setUp();
    writeFileSync(join(folder, "r.jsonl"), "one\ntwo\n");
    expect((await evaluate(folder, ["--resume"])).code).toBe(2);
    expect(readFileSync(join(folder, "r.jsonl"), "utf8")).toBe("one\ntwo\n");
  });

  it("go to a device as they come, and the device stays", async () => {
    const folder = setUp();
    const run = await runSpoor(["eval", "suite.eval.yaml", "--results", "/dev/null"], {
      cwd: folder,
      env: { COUNT: join(folder, "count") },
    });
    expect(run.code).toBe(0);
    expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
  });
});

it("--rerun failed makes failed runs and outages again, and nothing else", async () => {
  const folder = setUp({
    cases: [
      { id: "good", input: "q", evaluators: [PASSING] },
      { id: "bad", input: "q", evaluators: [{ ...PASSING, expected: [{ tool: "other" }] }] },
    ],
  });
  expect((await evaluate(folder, [])).code).toBe(1);
  expect(asked(folder)).toBe(2);
  expect((await evaluate(folder, ["--rerun", "failed"])).code).toBe(1);
  expect(asked(folder)).toBe(3);
  expect((await evaluate(folder, ["--rerun", "failed"], { TOOLS: "other" })).code).toBe(0);
  expect(records(folder)).toMatchObject([
    { eval_id: "good", passed: true },
    { eval_id: "bad", passed: true },
  ]);
  expect((await evaluate(folder, ["--rerun", "errors"])).code).toBe(0);
  expect(asked(folder)).toBe(4);
});

describe("--resume notices", () => {
  const judge = { name: "j", type: "code_judge", command: ["node", "judge.mjs"] };
  const passes = "console.log(JSON.stringify({ score: 1 }))";

  it.each([
    {
      name: "an attached file",
      cases: [
        { id: "a", input: [{ role: "user", content: [{ type: "file", value: "note.md" }] }], evaluators: [PASSING] },
      ],
      file: "note.md",
      texts: ["one", "two"],
    },
    {
      name: "the script of a judge",
      cases: [{ id: "a", input: "q", evaluators: [judge] }],
      file: "judge.mjs",
      texts: [passes, `${passes} // changed`],
    },
    {
      name: "a file of the workspace",
      cases: [{ id: "a", input: "q", evaluators: [PASSING], workspace: { template: "work" } }],
      file: "work/deep/a.txt",
      texts: ["one", "two"],
    },
    {
      name: "the policy that judges",
      cases: [{ id: "a", input: "q", evaluators: [{ name: "p", type: "policy", file: "p.yaml" }] }],
      file: "p.yaml",
      texts: [
        "rules:\n  - id: r\n    kind: must_call_once\n    params: {tool: search}\n",
        "rules:\n  - id: r2\n    kind: must_call_once\n    params: {tool: search}\n",
      ],
    },
  ])("$name", async ({ cases, file, texts }) => {
    const folder = setUp({ cases });
    mkdirSync(join(folder, "work", "deep"), { recursive: true });
    const counts: number[] = [];
    for (const [options, text] of [
      [[], texts[0]!],
      [["--resume"], texts[0]!],
      [["--resume"], texts[1]!],
    ] as const) {
      writeFileSync(join(folder, file), text);
      const run = await evaluate(folder, [...options]);
      expect(run.code, run.stderr + run.stdout).toBe(0);
      counts.push(asked(folder));
    }
    expect(counts).toEqual([1, 1, 2]);
  });

  it("a value of the environment in a target, but not another key", async () => {
    const folder = setUp({ target: { command: `node agent.mjs ${variable("MODE")} ${variable("AGENT_KEY")}` } });
    const run = (mode: string, key: string) => evaluate(folder, ["--resume"], { MODE: mode, AGENT_KEY: key });
    const counts: number[] = [];
    for (const [mode, key] of [
      ["fast", "key-one-1"],
      ["fast", "key-two-2"],
      ["slow", "key-two-2"],
    ] as const) {
      expect((await run(mode, key)).code).toBe(0);
      counts.push(asked(folder));
    }
    expect(counts).toEqual([3, 3, 6]);
  });
});

it("two processes on one file lose nothing", async () => {
  const cases = Array.from({ length: 24 }, (_, index) => ({
    id: `${index % 2 === 0 ? "even" : "odd"}-${index}`,
    input: "q",
    evaluators: [PASSING],
  }));
  const folder = setUp({ cases, target: { provider: "mock", command: undefined, response: "x", delay_ms: 20 } });
  const [left, right] = await Promise.all(
    ["even-*", "odd-*"].map((filter) => evaluate(folder, ["--filter", filter, "--resume"])),
  );
  expect([left!.code, right!.code]).toEqual([1, 1]);
  expect(new Set(records(folder).map(({ eval_id }) => eval_id)).size).toBe(24);
  expect(readdirSync(folder).filter((name) => name.includes("r.jsonl"))).toEqual(["r.jsonl"]);
});

it("a file that may not grow is exit 2 in words, with whole lines in it", async () => {
  const cases = Array.from({ length: 60 }, (_, index) => ({ id: `c${index}`, input: "q", evaluators: [PASSING] }));
  const folder = setUp({ cases, target: { provider: "mock", command: undefined, response: "x".repeat(400) } });
  const run = spawnSync(
    "bash",
    ["-c", 'ulimit -f 16; "$0" "$@"', process.execPath, spoorBin, "eval", "suite.eval.yaml", "--results", "r.jsonl"],
    { cwd: folder, encoding: "utf8", env: { ...process.env, CI: "" } },
  );
  expect(flat(run.stderr)).toContain("larger than a file may be");
  expect(run.stderr).not.toContain("    at ");
  expect(run.status).toBe(2);
  expect(records(folder).length).toBeGreaterThan(5);
});

it("dumped traces never share a file, and go where they are told", async () => {
  const ids = ["a/b", "a_b", "../x", ".hidden", "ä"];
  const folder = setUp({ cases: ids.map((id) => ({ id, input: "q", evaluators: [PASSING] })) });
  expect((await evaluate(folder, ["--dump-traces", "--traces", "kept"])).code).toBe(0);
  const files = readdirSync(join(folder, "kept"));
  expect(files).toHaveLength(ids.length);
  expect(files.every((name) => /^[A-Za-z0-9_][A-Za-z0-9._-]*_attempt-1\.agentlog$/.test(name))).toBe(true);
  expect(files).toContain("a_b_attempt-1.agentlog");
});

it("compares with a stored run, and two stored runs, and refuses what has no case in common", async () => {
  const folder = setUp();
  const eight = ["--repeat", "8"];
  const runs = (file: string, env: Record<string, string>, ...options: string[]) =>
    runSpoor(["eval", "suite.eval.yaml", ...eight, "--results", file, ...options], {
      cwd: folder,
      env: { COUNT: join(folder, "count"), ...env },
    });
  await runs("main.jsonl", {});
  const fell = await runs("branch.jsonl", { TOOLS: "other" }, "--filter", "c1,c2", "--against", "main.jsonl");
  expect(flat(fell.stdout)).toContain("2 of 2 cases are broken");
  expect(flat(fell.stdout)).toContain("1 case of main not in this run: c3.");
  const compared = await runSpoor(["eval", "compare", "main.jsonl", "branch.jsonl", "-o", "c.json"], { cwd: folder });
  expect(compared.code).toBe(1);
  expect(compared.stdout).toMatch(/^✗ branch beside main: 2 of 2 cases got worse: c1 and c2/);
  expect(JSON.parse(readFileSync(join(folder, "c.json"), "utf8"))).toMatchObject({
    schema: "spoor.eval-compare/1",
    onlyBaseline: ["c3"],
  });
  const other = readFileSync(join(folder, "main.jsonl"), "utf8").replaceAll('"dataset":"suite"', '"dataset":"renamed"');
  writeFileSync(join(folder, "other.jsonl"), other);
  const before = asked(folder);
  const refused = await runs("new.jsonl", {}, "--against", "other.jsonl");
  expect([refused.code, asked(folder)]).toEqual([2, before]);
  expect(flat(refused.stderr)).toContain("holds none of these cases");
  expect((await runSpoor(["eval", "compare", "main.jsonl", "other.jsonl"], { cwd: folder })).code).toBe(2);
});
