/** `spoor eval` and everything that is asked of a model's server: judges, budgets, the cache, and servers that refuse. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type Answer, sendJson, startServer } from "../http-server.ts";
import { runSpoor, temporaryFolder } from "./run-spoor.ts";

interface Result {
  readonly [key: string]: unknown;
}

function results(folder: string): Result[] {
  const lines = readFileSync(join(folder, "results.jsonl"), "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Result);
}

const JUDGED = [{ name: "good", type: "llm_judge" }];

function setUp(targets: readonly object[], cases: number, evaluators: readonly object[] = JUDGED): string {
  const folder = temporaryFolder();
  const evalcases = Array.from({ length: cases }, (_, index) => ({ id: `c${index}`, input: `q${index}`, evaluators }));
  writeFileSync(join(folder, "suite.eval.yaml"), JSON.stringify({ evalcases }));
  writeFileSync(join(folder, "targets.yaml"), JSON.stringify({ targets }));
  return folder;
}

async function serve(answer: Answer) {
  const server = await startServer(answer);
  onTestFinished(() => server.close());
  return server;
}

function evaluate(folder: string, ...args: string[]) {
  return runSpoor(["eval", "suite.eval.yaml", "--results", "results.jsonl", ...args], {
    cwd: folder,
    env: { SOURCE_DATE_EPOCH: "0", COLUMNS: "80" },
  });
}

function says(text: string, usage = { prompt_tokens: 1000, completion_tokens: 100 }) {
  return { choices: [{ finish_reason: "stop", message: { role: "assistant", content: text } }], usage };
}

const flat = (text: string) => text.replace(/\s+/g, " ");
const pricing = { input: 2, output: 8 };
/** 1,000 tokens in and 100 out at 2 and 8 dollars a million. */
const PRICE = 0.0028;

it("asks a judge that was out again, and the agent no more", async () => {
  let isOut = true;
  const judge = await serve((_request, response) =>
    isOut ? sendJson(response, {}, 500) : sendJson(response, says('{"score": 1}')),
  );
  const agent = await serve((_request, response) => sendJson(response, { text: "done", cost_usd: 0.01 }));
  const folder = setUp(
    [
      { name: "default", provider: "http", url: agent.url, judge_target: "j" },
      { name: "j", provider: "openai-compatible", base_url: judge.url, model: "m", retry_initial_delay_ms: 1, pricing },
    ],
    2,
  );
  const first = await evaluate(folder);
  expect(first.code).not.toBe(0);
  expect(judge.requests).toHaveLength(6);
  expect(results(folder)).toMatchObject(Array(2).fill({ status: "outage", error: { kind: "evaluator" } }));
  isOut = false;
  const second = await evaluate(folder, "--resume");
  expect(second.code).toBe(0);
  expect(agent.requests).toHaveLength(2);
  expect(results(folder)).toMatchObject(
    Array(2).fill({ status: "passed", cost_usd: 0.01, judge_usage: { questions: 1, cost_usd: PRICE } }),
  );
  expect(flat(second.stdout)).toContain("Judges: 2 questions, 2.2k tok, $0.00560.");
});

it("asks the judge anew with --regrade and the agent not: the new judging has its own cost, the old one is not forgotten", async () => {
  let score = 1;
  const judge = await serve((_request, response) =>
    score < 0 ? sendJson(response, {}, 500) : sendJson(response, says(JSON.stringify({ score }))),
  );
  const agent = await serve((_request, response) => sendJson(response, { text: "done", cost_usd: 0.01 }));
  const folder = setUp(
    [
      { name: "default", provider: "http", url: agent.url, judge_target: "j" },
      { name: "j", provider: "openai-compatible", base_url: judge.url, model: "m", retry_initial_delay_ms: 1, pricing },
    ],
    2,
  );
  expect((await evaluate(folder, "--dump-traces")).code).toBe(0);
  score = 0;
  expect((await evaluate(folder, "--regrade")).code).toBe(1);
  const judged = { cost_usd: 0.01, judge_usage: { questions: 1, cost_usd: PRICE }, earlier_cost_usd: PRICE };
  expect(results(folder)).toMatchObject(Array(2).fill({ status: "failed", ...judged }));
  score = -1;
  expect((await evaluate(folder, "--regrade")).code).not.toBe(0);
  expect(results(folder)).toMatchObject(Array(2).fill({ status: "outage", passed: false, cost_usd: 0.01 }));
  score = 1;
  expect((await evaluate(folder, "--regrade")).code).toBe(0);
  expect(results(folder)).toMatchObject(Array(2).fill({ status: "passed", cost_usd: 0.01 }));
  expect(agent.requests).toHaveLength(2);
});

it("retries a judge and ends one that never answers", async () => {
  const judge = await serve((_request, response, count) => {
    if (count === 1) return sendJson(response, {}, 500);
    if (count === 2) return sendJson(response, {}, 429, { "retry-after-ms": "1" });
    if (count === 3) sendJson(response, says('{"score": 1}'));
  });
  const targets = [
    { name: "default", provider: "mock", response: { text: "done" }, judge_target: "j" },
    { name: "j", provider: "openai-compatible", base_url: judge.url, model: "m", retry_initial_delay_ms: 1 },
  ];
  const folder = setUp(targets, 1);
  expect((await evaluate(folder)).code).toBe(0);
  const slow = setUp([targets[0]!, { ...targets[1]!, timeout_seconds: 0.05, max_retries: 0 }], 1);
  await evaluate(slow);
  expect(results(slow)[0]).toMatchObject({ status: "outage", passed: false });
  expect(JSON.stringify(results(slow)[0]!["error"])).toContain("no answer within 0.05 s");
});

it("answers from the cache: neither model nor judge is asked twice, and repeats stay apart", async () => {
  const server = await serve((request, response, count) =>
    sendJson(
      response,
      says(JSON.stringify(request.body).includes("candidate_answer") ? '{"score": 1}' : `done ${count}`),
    ),
  );
  const folder = setUp(
    [{ name: "default", provider: "openai-compatible", base_url: server.url, model: "m", pricing }],
    2,
  );
  const first = await evaluate(folder, "--cache", "--repeat", "2", "--workers", "1");
  expect(first.code).toBe(0);
  expect(server.requests).toHaveLength(8);
  const answers = results(folder).map((result) => result["candidate_answer"]);
  expect(new Set(answers).size).toBe(4);
  const again = await evaluate(folder, "--cache", "--repeat", "2", "--overwrite", "--budget-usd", "0.0001");
  expect(server.requests).toHaveLength(8);
  expect(results(folder).map((result) => result["candidate_answer"])).toEqual(answers);
  expect(flat(again.stdout)).toContain("From the cache: 8 answers.");
  expect(again.code).toBe(0);
  await evaluate(folder, "--cache=elsewhere", "--overwrite");
  expect(server.requests).toHaveLength(12);
});

it("keeps to a budget with many workers and over --resume, judges included", async () => {
  const server = await serve((request, response) =>
    sendJson(response, says(JSON.stringify(request.body).includes("candidate_answer") ? '{"score": 1}' : "done")),
  );
  const folder = setUp(
    [{ name: "default", provider: "openai-compatible", base_url: server.url, model: "m", pricing }],
    20,
  );
  // A run and its judge cost 0.0056; 0.03 is enough for five.
  const first = await evaluate(folder, "--budget-usd", "0.03", "--workers", "20");
  expect(first.code).toBe(2);
  expect(results(folder)).toHaveLength(5);
  expect(flat(first.stdout)).toContain("the budget is spent: $0.03 of $0.03");
  await evaluate(folder, "--budget-usd", "0.03", "--workers", "20", "--resume");
  expect(results(folder)).toHaveLength(5);
  await evaluate(folder, "--budget-usd", "0.045", "--workers", "20", "--resume");
  expect(results(folder)).toHaveLength(8);
});

it("refuses a budget that nobody could keep", async () => {
  const unpriced = { provider: "openai-compatible", base_url: "http://127.0.0.1:9", model: "m" };
  const own = await evaluate(setUp([{ name: "default", ...unpriced }], 1, []), "--budget-usd", "1");
  expect(own.code).toBe(2);
  expect(flat(own.stderr)).toContain("Target default (provider openai-compatible) has no prices");
  const codex = setUp([{ name: "default", provider: "codex", executable: "./none" }], 1, []);
  expect(flat((await evaluate(codex, "--budget-usd", "1")).stderr)).toContain("(provider codex) has no prices");
  const judged = setUp(
    [
      { name: "default", provider: "mock", response: "x", judge_target: "j" },
      { name: "j", ...unpriced },
    ],
    1,
  );
  expect(flat((await evaluate(judged, "--budget-usd", "1")).stderr)).toContain("The judge, target j, has no prices");
  const silent = setUp([{ name: "default", provider: "cli", command: "echo done" }], 3, [
    { type: "contains", value: "done" },
  ]);
  const stopped = await evaluate(silent, "--budget-usd", "1");
  expect(stopped.code).toBe(2);
  expect(results(silent)).toHaveLength(1);
  expect(flat(stopped.stdout)).toContain("it does not say what a run costs");
});

it("brings fifty workers through a server that takes ten requests at a time, without an error or a warning", async () => {
  let taken = 0;
  let opensAt = 0;
  const server = await serve((_request, response) => {
    const now = performance.now();
    if (taken === 10 && opensAt > 0 && now >= opensAt) {
      taken = 0;
      opensAt = 0;
    }
    if (taken++ < 10) return sendJson(response, says("done"));
    taken = 10;
    if (opensAt === 0) opensAt = now + 50;
    sendJson(response, { error: { message: "slow down" } }, 429, {
      "retry-after-ms": String(Math.ceil(opensAt - now) + 1),
    });
  });
  const target = {
    name: "default",
    provider: "openai-compatible",
    base_url: server.url,
    model: "m",
    timeout_seconds: 20,
  };
  const folder = setUp([target], 60, [{ type: "contains", value: "done" }]);
  const run = await evaluate(folder, "--workers", "50");
  expect(run.code).toBe(0);
  expect(run.stderr).not.toContain("Warning");
  expect(results(folder)).toHaveLength(60);
  expect(results(folder).every((result) => result["passed"])).toBe(true);
  expect(server.requests.length).toBeGreaterThan(60);
});
