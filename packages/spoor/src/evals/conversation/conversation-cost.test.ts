/** What a conversation may use up, and what it costs with whoever plays its user. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "@spoor/core";
import { spentOn } from "@spoor/core/internal/evals/run-cost";
import type { RunRecord } from "@spoor/core/internal/evals/run-record";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/e2e/run-spoor.ts";
import { planRuns } from "../plan-runs.ts";
import { prepareEvals } from "../prepare-evals.ts";
import { runEvals } from "../run-evals.ts";

/** Says where it is, and uses 100 tokens for it. */
const SPEAKER = `export default ({ turn, messages }) => ({
  output_messages: [{ role: "assistant", content: "answer " + (turn ?? messages.length) }],
  token_usage: { input: 90, output: 10 },
  cost_usd: 0.01,
});`;
const USER = `export default ({ messages }) => ({
  output_messages: [{ role: "assistant", content: messages.length > 5 ? "STOP" : "and then?" }],
  token_usage: { input: 20, output: 5 },
  cost_usd: 0.002,
});`;

async function run(
  evalCase: Readonly<Record<string, Json>>,
  more: Readonly<Record<string, Json>> = {},
): Promise<RunRecord> {
  const home = temporaryFolder();
  mkdirSync(join(home, "evals"));
  writeFileSync(join(home, "agent.mjs"), SPEAKER);
  writeFileSync(join(home, "user.mjs"), USER);
  const targets = [
    { name: "agent", provider: "function", module: "agent.mjs", ...more },
    { name: "player", provider: "function", module: "user.mjs" },
  ];
  writeFileSync(join(home, "targets.yaml"), JSON.stringify({ targets }));
  const document = { execution: { target: "agent" }, tests: [{ id: "talk", evaluators: [ANSWERS], ...evalCase }] };
  const file = join(home, "evals", "talk.eval.yaml");
  writeFileSync(file, JSON.stringify(document));
  const { signal } = new AbortController();
  const prepared = prepareEvals([file], {
    cwd: home,
    targets: [],
    dryRun: false,
    withoutJudge: true,
    env: process.env,
    strict: true,
  });
  let record: RunRecord | undefined;
  await runEvals(planRuns(prepared.suites, {}).runs, {
    cwd: home,
    signal,
    maxRetries: 0,
    includeTrace: true,
    keepWorkspaces: false,
    workers: 1,
    now: () => new Date(0),
    clock: () => performance.timeOrigin + performance.now(),
    evaluate: (one, subject, where) => prepared.evaluate(one, subject, where, { signal }),
    onActivity: () => undefined,
    onFinish: (_run, outcome) => {
      record = outcome.record;
    },
  });
  return record!;
}

const ANSWERS = { name: "answers", type: "contains", value: "answer" };
const turns = ["one", "two", "three", "four", "five"];

describe("limits hold for the whole conversation", () => {
  it.each([
    // Each turn has 100 tokens and costs a cent: the third goes past 250, and past two and a half cents.
    ["tokens", { tokens: 250 }, { kind: "tokens", at: 250 }, 3],
    ["cost", { cost_usd: 0.025 }, { kind: "cost", at: 0.025 }, 3],
    ["turns", { turns: 2 }, { kind: "turns", at: 2 }, 3],
  ] as const)("of %s", async (_name, limits, limit, made) => {
    const record = await run({ turns, execution: { limits } });
    expect(record).toMatchObject({ ended: "limit", limit, trace_summary: { llm_call_count: made } });
    expect(record.token_usage).toEqual({ input: 90 * made, output: 10 * made });
  });

  it("and one that the whole stays within changes nothing", async () => {
    const record = await run({ turns, execution: { limits: { tokens: 500, cost_usd: 0.05, turns: 5 } } });
    expect(record).toMatchObject({ ended: "answered", passed: true, cost_usd: expect.closeTo(0.05, 9) });
  });
});

describe("who plays the user", () => {
  it("is paid too, beside what the agent costs", async () => {
    const record = await run({
      simulated_user: { target: "player", stop: "STOP", goal: "to hear more" },
      max_turns: 9,
    });
    // It was asked until it said STOP: each time with two messages more, the first time with two.
    expect(record.user_usage).toEqual({
      questions: 3,
      token_usage: { input: 60, output: 15 },
      cost_usd: expect.closeTo(0.006, 9),
    });
    expect(record).toMatchObject({ cost_usd: expect.closeTo(0.02, 9), token_usage: { input: 180, output: 20 } });
    expect(spentOn(record)).toBeCloseTo(0.026, 9);
  });

  it("costs nothing where turns are written down", async () => {
    expect((await run({ turns: ["one"] })).user_usage).toBeUndefined();
  });
});
