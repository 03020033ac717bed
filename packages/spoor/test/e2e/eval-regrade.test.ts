/** `spoor eval --regrade`: stored runs get new judgements, and the agent, which would break down, is never asked. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runSpoor, temporaryFolder } from "./run-spoor.ts";

const AGENT = `
import { appendFileSync } from "node:fs";
appendFileSync(process.env.COUNT, "x");
if (process.env.HANG) setInterval(() => {}, 1000);
else {
  console.log(JSON.stringify({ cost_usd: 0.5, token_usage: { input: 7, output: 3 }, output_messages: [
    { role: "assistant", tool_calls: [{ tool: "search", input: { q: "x" } }] },
    { role: "assistant", content: "done" },
  ] }));
  if (process.env.BREAK) process.exit(3);
}
`;

interface Case {
  readonly id?: string;
  readonly input?: string;
  readonly tool?: string;
  readonly [more: string]: unknown;
}

const path = (tool: string) => ({ name: "path", type: "tool_trajectory", mode: "in_order", expected: [{ tool }] });

function writeSuite(folder: string, cases: readonly Case[]): void {
  const evalcases = cases.map(({ id = "c1", input = "q", tool = "search", ...more }) => ({
    id,
    input,
    evaluators: [path(tool)],
    ...more,
  }));
  writeFileSync(join(folder, "suite.eval.yaml"), JSON.stringify({ evalcases }));
}

function setUp(cases: readonly Case[] = [{}]): string {
  const folder = temporaryFolder();
  writeSuite(folder, cases);
  writeFileSync(join(folder, "agent.mjs"), AGENT);
  const targets = [{ name: "default", provider: "cli", command: `node ${join(folder, "agent.mjs")}` }];
  writeFileSync(join(folder, "targets.yaml"), JSON.stringify({ targets }));
  return folder;
}

function run(folder: string, options: readonly string[], env: Record<string, string> = {}) {
  return runSpoor(["eval", "suite.eval.yaml", ...options], {
    cwd: folder,
    env: { COUNT: join(folder, "count"), ...env },
  });
}

/** The agent has no place to count in any more: asked, it breaks down. */
async function regrade(folder: string, options: readonly string[] = ["--results", "r.jsonl"]) {
  const before = asked(folder);
  const done = await run(folder, ["--regrade", ...options], { COUNT: join(folder, "nowhere", "count") });
  expect(asked(folder)).toBe(before);
  return { ...done, said: `${done.stdout} ${done.stderr}`.replace(/\s+/g, " ") };
}

function asked(folder: string): number {
  return existsSync(join(folder, "count")) ? readFileSync(join(folder, "count"), "utf8").length : 0;
}

type Stored = Record<string, unknown> & { eval_id: string; passed: boolean; status: string; run: number };

function records(folder: string, file = "r.jsonl"): Stored[] {
  const lines = readFileSync(join(folder, file), "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Stored);
}

const whole = (folder: string) => readFileSync(join(folder, "r.jsonl"), "utf8");

/** Everything but the judgement, and the key, which speaks of the evaluators too. */
function ofAgent(record: Stored | undefined) {
  const {
    key: _k,
    status: _s,
    passed: _p,
    score: _c,
    threshold: _t,
    verdict: _v,
    hits: _h,
    misses: _m,
    evaluator_results: _e,
    ...rest
  } = record!;
  return rest;
}

describe.each([["--include-trace"], ["--dump-traces"]])("with a trace kept by %s", (keep) => {
  it("an evaluator that changed flips the verdict, there and back, and what the agent did stays", async () => {
    const folder = setUp();
    expect((await run(folder, ["--results", "r.jsonl", keep])).code).toBe(0);
    const [before] = records(folder);
    writeSuite(folder, [{ tool: "other" }]);
    expect((await regrade(folder)).code).toBe(1);
    const [failed] = records(folder);
    expect(failed).toMatchObject({ passed: false, score: 0, cost_usd: 0.5, token_usage: { input: 7, output: 3 } });
    expect(ofAgent(failed)).toEqual(ofAgent(before));
    writeSuite(folder, [{}]);
    expect((await regrade(folder)).code).toBe(0);
    expect(records(folder)).toEqual([before]);
    // The new judgement is the one that --resume goes on from.
    expect((await run(folder, ["--results", "r.jsonl", "--resume"])).code).toBe(0);
    expect(asked(folder)).toBe(1);
  });

  it("every stored run of a repeated case is graded, and a threshold counts", async () => {
    const folder = setUp([{ evaluators: [path("search"), { ...path("other"), name: "two" }] }]);
    expect((await run(folder, ["--results", "r.jsonl", "--repeat", "3", keep])).code).toBe(1);
    expect((await regrade(folder, ["--results", "r.jsonl", "--threshold", "0.5"])).code).toBe(0);
    expect(records(folder).map(({ run: number, passed }) => [number, passed])).toEqual([
      [1, true],
      [2, true],
      [3, true],
    ]);
  });

  it("an agent that broke down never passes, whatever the evaluators say now", async () => {
    const folder = setUp([{ tool: "other" }]);
    await run(folder, ["--results", "r.jsonl", "--max-retries", "0", keep], { BREAK: "1" });
    const [before] = records(folder);
    expect(before).toMatchObject({ status: "failed", ended: "error" });
    writeSuite(folder, [{}]);
    expect((await regrade(folder)).code).toBe(1);
    const [after] = records(folder);
    expect(after).toMatchObject({ status: "failed", passed: false, score: 1, error: before!["error"] });
    expect(ofAgent(after)).toEqual(ofAgent(before));
  });
});

it("a run that was ended before it did anything has nothing to grade and stays failed", async () => {
  const folder = setUp();
  await run(folder, ["--results", "r.jsonl", "--timeout", "1", "--max-retries", "0"], { HANG: "1" });
  const [before] = records(folder);
  expect(before).toMatchObject({ ended: "limit", trace_summary: null });
  writeSuite(folder, [{ tool: "other" }]);
  expect((await regrade(folder)).code).toBe(1);
  expect(ofAgent(records(folder)[0])).toEqual(ofAgent(before));
  expect(records(folder)).toMatchObject([{ status: "failed", score: 0 }]);
});

describe("what is left open is no pass", () => {
  it("a run without a trace: exit 2, in words, and the file stays", async () => {
    const folder = setUp([{ id: "kept" }, { id: "bare" }]);
    await run(folder, ["--results", "r.jsonl"]);
    const before = whole(folder);
    const { code, said } = await regrade(folder);
    expect(code).toBe(2);
    expect(said).toContain("kept, bare: its trace was not kept");
    expect(said).toContain("Run once with --include-trace or --dump-traces");
    expect(whole(folder)).toBe(before);
  });

  it("one of several: the others get their judgement, and it is exit 2 all the same", async () => {
    const folder = setUp([{ id: "bare" }, { id: "kept" }]);
    await run(folder, ["--results", "r.jsonl", "--filter", "bare"]);
    await run(folder, ["--results", "r.jsonl", "--filter", "kept", "--resume", "--include-trace"]);
    const [bare] = records(folder);
    writeSuite(folder, [
      { id: "bare", tool: "other" },
      { id: "kept", tool: "other" },
    ]);
    const { code, said } = await regrade(folder, ["--results", "r.jsonl", "--no-fail"]);
    expect(code).toBe(2);
    expect(said).toContain("exit code 2");
    expect(said).not.toMatch(/exit code [01]/);
    expect(said).toContain("1 of 2 runs could not be graded again. bare: its trace was not kept");
    expect(records(folder)).toEqual([bare, expect.objectContaining({ eval_id: "kept", passed: false })]);
  });

  it("a case whose input changed is stale, and a case that is new has no run: --resume makes them", async () => {
    const folder = setUp([{ id: "same" }, { id: "asked" }]);
    await run(folder, ["--results", "r.jsonl", "--include-trace"]);
    const [, stale] = records(folder);
    writeSuite(folder, [{ id: "same" }, { id: "asked", input: "another question" }, { id: "added" }]);
    const { code, said } = await regrade(folder);
    expect(code).toBe(2);
    expect(said).toContain("asked: stale");
    expect(said).toContain("added: no run of it is stored");
    expect(said).toContain("spoor eval suite.eval.yaml --results r.jsonl --resume");
    expect(records(folder)[1]).toEqual(stale);
  });

  it.each([
    ["is damaged", (file: string) => writeFileSync(file, readFileSync(file, "utf8").replace("search", "other"))],
    ["is damaged", (file: string) => writeFileSync(file, readFileSync(file, "utf8").slice(0, -20))],
    ["is gone", (file: string) => rmSync(file)],
  ])("a dump: it %s", async (word, harm) => {
    const folder = setUp();
    await run(folder, ["--results", "r.jsonl", "--dump-traces"]);
    const before = whole(folder);
    harm(join(folder, ".spoor", "traces", "c1_attempt-1.agentlog"));
    writeSuite(folder, [{ tool: "other" }]);
    const { code, said } = await regrade(folder);
    expect(code).toBe(2);
    expect(said).toContain(word);
    expect(whole(folder)).toBe(before);
  });

  it("an evaluator that may look at the agent's folder, also inside another", async () => {
    const judge = { name: "look", type: "code_judge", command: "echo '{\"score\": 1}'" };
    const nested = { name: "both", type: "composite", evaluators: [judge], aggregator: { type: "weighted_average" } };
    for (const evaluators of [[judge], [nested]]) {
      const folder = setUp([{ evaluators }]);
      await run(folder, ["--results", "r.jsonl", "--include-trace"]);
      const { code, said } = await regrade(folder);
      expect(code).toBe(2);
      expect(said).toContain(`evaluator ${evaluators[0]!.name} may look at the folder the agent worked in`);
    }
  });

  it("an outage stays one", async () => {
    const folder = setUp([{ id: "out" }, { id: "well" }]);
    await run(folder, ["--results", "r.jsonl", "--filter", "well", "--include-trace"]);
    const [well] = records(folder);
    const out = {
      ...well,
      eval_id: "out",
      status: "outage",
      passed: false,
      ended: "error",
      error: { kind: "rate", message: "429" },
    };
    writeFileSync(join(folder, "r.jsonl"), `${JSON.stringify(out)}\n${JSON.stringify(well)}\n`);
    expect((await regrade(folder)).code).toBe(2);
    expect(records(folder)).toEqual([out, well]);
    expect((await regrade(folder, ["--results", "r.jsonl", "--filter", "out"])).said).toContain("taken by an outage");
  });
});

it("cases that are no longer in the file, and lines that are no results, stand where they stood", async () => {
  const folder = setUp([{ id: "gone" }, { id: "here" }]);
  await run(folder, ["--results", "r.jsonl", "--include-trace"]);
  const [gone] = whole(folder).split("\n");
  writeFileSync(join(folder, "r.jsonl"), `# a note\n${whole(folder)}`);
  writeSuite(folder, [{ id: "here", tool: "other" }]);
  expect((await regrade(folder)).code).toBe(1);
  const lines = whole(folder).trimEnd().split("\n");
  expect(lines.slice(0, 2)).toEqual(["# a note", gone]);
  expect(JSON.parse(lines[2]!)).toMatchObject({ eval_id: "here", passed: false });
  expect(readdirSync(folder).filter((name) => name.startsWith(".r.jsonl"))).toEqual([]);
});

it("another file gets the new judgements, and the old ones stay to be compared with", async () => {
  const folder = setUp();
  await run(folder, ["--include-trace"]);
  const [name] = readdirSync(join(folder, ".spoor", "runs"));
  const source = join(".spoor", "runs", name!);
  const before = readFileSync(join(folder, source), "utf8");
  writeSuite(folder, [{ tool: "other" }]);
  expect((await regrade(folder, ["--results", "r.jsonl", "--against", source])).code).toBe(1);
  expect(records(folder)).toMatchObject([{ passed: false }]);
  expect(readFileSync(join(folder, source), "utf8")).toBe(before);
  const refused = await run(folder, [`--regrade=${source}`, "--results", "r.jsonl"]);
  expect(refused.code).toBe(2);
  expect(refused.stderr.replace(/\s+/g, " ")).toContain("r.jsonl holds results already");
  expect((await regrade(folder, [])).code).toBe(1);
  expect(records(folder, source)).toMatchObject([{ passed: false }]);
});

it("without a stored run there is nothing to grade", async () => {
  const folder = setUp();
  mkdirSync(join(folder, ".spoor", "runs"), { recursive: true });
  const { code, said } = await regrade(folder, []);
  expect(code).toBe(2);
  expect(said).toContain("nothing can be graded again");
});

it.each([
  ["--repeat", "2"],
  ["--workers", "2"],
  ["--timeout", "5"],
  ["--rerun", "failed"],
  ["--resume"],
  ["--overwrite"],
  ["--dry-run"],
  ["--dump-traces"],
  ["--include-trace"],
  ["--keep-workspaces"],
])("%s is refused beside it", async (...options) => {
  const { code, said } = await regrade(setUp(), options);
  expect(code).toBe(2);
  expect(said).toContain(`--regrade and ${options[0]} contradict each other`);
});
