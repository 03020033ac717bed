import type { Json } from "@spoor/core";
import type { RunRecord } from "@spoor/core/internal/evals/run-record";
import { describe, expect, it } from "vitest";
import type { Target } from "./load-targets.ts";
import type { PlannedRun } from "./plan-runs.ts";
import { type AgentAnswer, type AgentRequest, type FailureKind, ProviderError } from "./providers/provider.ts";
import { type RunEvalsOptions, runEvals } from "./run-evals.ts";
import { filterMatcher } from "./select-cases.ts";

type Ask = (request: AgentRequest, signal: AbortSignal) => Promise<AgentAnswer> | AgentAnswer;

function target(name: string, ask: Ask, limits: { workers?: number; maxWorkers?: number } = {}): Target {
  return {
    name,
    providerName: "test",
    provider: {
      ask: async (request, { signal }) => ask(request, signal),
      ...(limits.maxWorkers === undefined ? {} : { maxWorkers: limits.maxWorkers }),
    },
    ...(limits.workers === undefined ? {} : { workers: limits.workers }),
    retry: { initialDelayMs: 0, maxDelayMs: 0, backoffFactor: 1 },
    digest: name,
  };
}

function runs(on: Target, count: number, timeoutMs = 60_000): PlannedRun[] {
  return Array.from({ length: count }, (_, index) => ({
    suite: { file: "f.yaml", name: "f", targets: [], cases: [], diagnostics: [] },
    case: { id: `${on.name}-${index}`, input: [], expectedMessages: [], evaluators: [], at: {}, digest: "" },
    evaluators: [],
    target: on,
    env: {},
    run: 1,
    threshold: 0.8,
    timeoutMs,
    index,
    key: `${on.name}-${index}`,
    inputKey: "",
  }));
}

async function run(planned: readonly PlannedRun[], options: Partial<RunEvalsOptions> = {}) {
  const finished: RunRecord[] = [];
  const numbered = planned.map((entry, index) => ({ ...entry, index }));
  const outcome = await runEvals(numbered, {
    cwd: "/",
    signal: new AbortController().signal,
    maxRetries: 2,
    includeTrace: false,
    keepWorkspaces: false,
    workers: 4,
    now: () => new Date(0),
    clock: () => 0,
    evaluate: async () => [
      { name: "e", type: "t", weight: 1, score: 1, aspects: 1, checks: [], status: "passed", passLine: 0.8 },
    ],
    onActivity: () => undefined,
    onFinish: (_run, { record }) => {
      finished.push(record);
    },
    ...options,
  });
  return { outcome, finished };
}

const answer: AgentAnswer = { output: { text: "done" } };

describe("runEvals", () => {
  it("never has more runs under way than workers, than the target allows, or than the provider can", async () => {
    const most = { all: 0, a: 0, b: 0 };
    const now = { all: 0, a: 0, b: 0 };
    const busy = (name: "a" | "b") => async () => {
      now.all++;
      now[name]++;
      most.all = Math.max(most.all, now.all);
      most[name] = Math.max(most[name], now[name]);
      await new Promise((resolve) => setTimeout(resolve, 2));
      now.all--;
      now[name]--;
      return answer;
    };
    const planned = [
      ...runs(target("a", busy("a"), { workers: 2 }), 10),
      ...runs(target("b", busy("b"), { maxWorkers: 1 }), 5),
    ];
    const { finished } = await run(planned, { workers: 4 });
    expect(finished).toHaveLength(15);
    expect(most).toEqual({ all: 3, a: 2, b: 1 });
  });

  it("hears Ctrl-C between agents that answer at once", async () => {
    const stop = new AbortController();
    setImmediate(() => stop.abort());
    const { outcome, finished } = await run(
      runs(
        target("a", () => answer),
        500,
      ),
      { workers: 1, signal: stop.signal },
    );
    expect(outcome.interrupted).toBe(true);
    expect(finished.length).toBeLessThan(10);
  });

  it("makes the other runs when those of one target must wait", async () => {
    const order: string[] = [];
    const noted: Ask = async ({ caseId }) => {
      order.push(caseId);
      await new Promise((resolve) => setTimeout(resolve, 1));
      return answer;
    };
    const planned = [...runs(target("a", noted, { workers: 1 }), 2), ...runs(target("b", noted), 2)];
    const { finished } = await run(planned, { workers: 3 });
    expect(order.slice(0, 3)).toEqual(["a-0", "b-0", "b-1"]);
    expect(finished.map(({ eval_id }) => eval_id).sort()).toEqual(["a-0", "a-1", "b-0", "b-1"]);
  });

  it("retries what may pass and records each attempt", async () => {
    const flaky = target("a", ({ attempt }) => {
      if (attempt < 3) throw new ProviderError("rate-limit", `attempt ${attempt}`);
      return answer;
    });
    const { finished } = await run(runs(flaky, 1));
    expect(finished[0]).toMatchObject({
      passed: true,
      retries: [
        { kind: "rate-limit", message: "attempt 1" },
        { kind: "rate-limit", message: "attempt 2" },
      ],
    });
  });

  it.each(["rate-limit", "unavailable", "bad-output", "workspace"] as const)(
    "counts %s, once every attempt is spent, as an outage",
    async (kind) => {
      const out = target("a", () => {
        throw new ProviderError(kind, "not today");
      });
      const { finished } = await run(runs(out, 1));
      expect(finished[0]).toMatchObject({ status: "outage", passed: false, ended: "error", error: { kind } });
    },
  );

  it.each([
    ["timeout", "error"],
    ["turns", "error_max_turns"],
  ])("scores what an agent did until its limit (%s), and asks it no second time", async (kind) => {
    let asked = 0;
    const call = { id: "1", type: "command_execution", command: "ls", aggregated_output: "a", exit_code: 0 };
    const lines = [
      { value: { type: "item.completed", item: call } as Json },
      { value: { type: "turn.completed", usage: { input_tokens: 70, cached_input_tokens: 20, output_tokens: 9 } } },
    ];
    const looping = target("a", () => {
      asked++;
      const failure = new ProviderError(kind as FailureKind, "stopped", { limit: { kind: kind as "turns", at: 3 } });
      return { output: { format: "codex-exec", lines }, failure };
    });
    const { finished } = await run(runs(looping, 1));
    expect(asked).toBe(1);
    expect(finished[0]).toMatchObject({
      status: "passed",
      ended: "limit",
      limit: { kind, at: 3 },
      score: 1,
      trace_summary: { tool_calls_by_name: { command_execution: 1 } },
      token_usage: { input: 50, output: 9, cached: 20 },
    });
    expect(finished[0]!.error).toBeUndefined();
  });

  it("does not retry an agent that failed", async () => {
    let asked = 0;
    const broken = target("a", () => {
      asked++;
      throw new ProviderError("failed", "no");
    });
    const { finished } = await run(runs(broken, 1));
    expect(asked).toBe(1);
    expect(finished[0]).toMatchObject({
      passed: false,
      score: 0,
      error: { kind: "failed", message: "no" },
      misses: ["Error: no"],
      candidate_answer: "Error occurred: no",
    });
  });

  it("asks a target no more once nobody answers there, and goes on with the others", async () => {
    let asked = 0;
    const gone = target("gone", () => {
      asked++;
      throw new ProviderError("missing", "not installed");
    });
    const { outcome, finished } = await run(
      [
        ...runs(gone, 20),
        ...runs(
          target("here", () => answer),
          3,
        ),
      ],
      { workers: 1 },
    );
    expect(asked).toBe(1);
    expect(outcome.stopped).toEqual([
      { target: "gone", kind: "missing", message: "not installed", attempts: 1, elapsedMs: 0 },
    ]);
    expect(finished.map((record) => record.target)).toEqual(["here", "here", "here"]);
  });

  it("ends a run whose provider ignores the clock", async () => {
    const deaf = target("a", () => new Promise<never>(() => undefined));
    const { finished } = await run(runs(deaf, 1, 5), { maxRetries: 0 });
    expect(finished[0]).toMatchObject({
      status: "failed",
      ended: "limit",
      limit: { kind: "timeout", at: 0.005 },
      misses: ["Error: no answer within 0.005 s"],
    });
  });

  it("stops at once when it is told to, and keeps what is done", async () => {
    const stop = new AbortController();
    const slow = target("a", ({ caseId }) => {
      if (caseId !== "a-2") return answer;
      stop.abort(new Error("stopped"));
      return new Promise<never>(() => undefined);
    });
    const { outcome, finished } = await run(runs(slow, 9), { workers: 1, signal: stop.signal });
    expect(outcome.interrupted).toBe(true);
    expect(finished.map((record) => record.eval_id)).toEqual(["a-0", "a-1"]);
  });

  it("does not hide a bug of its own as a failed run", async () => {
    const buggy = target("a", () => {
      throw new TypeError("our mistake");
    });
    await expect(run(runs(buggy, 1))).rejects.toThrow("our mistake");
  });

  it("is an error, never a pass, when an evaluator breaks", async () => {
    const { finished } = await run(
      runs(
        target("a", () => answer),
        1,
      ),
      {
        evaluate: async () => [
          {
            name: "judge",
            type: "llm_judge",
            weight: 1,
            score: 1,
            aspects: 1,
            checks: [],
            status: "passed",
            passLine: 0.8,
            error: { code: "judge.failed", message: "no answer" },
          },
        ],
      },
    );
    expect(finished[0]).toMatchObject({
      status: "outage",
      passed: false,
      ended: "answered",
      error: { kind: "evaluator", message: "evaluator judge: no answer" },
    });
  });

  it("keeps what an agent did before it failed", async () => {
    const value = (item: object) => ({ value: { type: "item.completed", item } as Json });
    const lines = [
      value({ id: "1", type: "command_execution", command: "ls", aggregated_output: "a", exit_code: 0 }),
      { value: { type: "turn.failed", error: { message: "the model gave up" } } },
    ];
    const { finished } = await run(
      runs(
        target("a", () => ({ output: { format: "codex-exec", lines } })),
        1,
      ),
      { includeTrace: true },
    );
    expect(finished[0]).toMatchObject({
      status: "failed",
      ended: "error",
      score: 1,
      verdict: "fail",
      evaluator_results: [{ name: "e", score: 1 }],
      error: { kind: "failed", message: "the model gave up" },
      trace_summary: { tool_calls_by_name: { command_execution: 1 } },
      output_messages: [{ tool_calls: [{ tool: "command_execution", output: "a", status: "ok" }] }],
    });
  });

  it("says when there is no trace", async () => {
    const { finished } = await run(
      runs(
        target("a", () => ({})),
        1,
      ),
    );
    expect(finished[0]).toMatchObject({ trace_summary: null, problems: [expect.stringContaining("no trace")] });
  });
});

it.each([
  ["refund*", "refund-1", true],
  ["refund*", "other", false],
  ["a?c", "abc", true],
  ["a.c", "abc", false],
  ["one, two", "two", true],
  ["[x]", "[x]", true],
])("the filter %s on %s is %s", (pattern, id, expected) => {
  expect(filterMatcher(pattern)(id)).toBe(expected);
});
