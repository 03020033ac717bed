/** Conversations from an eval file to its results, with the providers themselves and agents that a script plays. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json, Trace } from "@spoor/core";
import type { SpoorError } from "@spoor/core/internal/errors";
import type { RunRecord } from "@spoor/core/internal/evals/run-record";
import { userTexts } from "@spoor/core/internal/trace/user-text";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { startModelServer } from "../../../../record/test/model-server/model-server.ts";
import type { Model } from "../../../../record/test/model-server/said.ts";
import { planRuns } from "../plan-runs.ts";
import { prepareEvals } from "../prepare-evals.ts";
import { runEvals } from "../run-evals.ts";

const folder = mkdtempSync(join(tmpdir(), "spoor-conversation-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ran {
  readonly record: RunRecord;
  readonly trace: Trace | undefined;
}

let projects = 0;

/** The only case, run. `files` are written beside the eval file. */
async function run(
  evalCase: Readonly<Record<string, Json>>,
  targets: readonly Json[],
  { files = {}, suite = {} }: { files?: Record<string, string>; suite?: Record<string, Json> } = {},
): Promise<Ran> {
  const home = join(folder, String(++projects));
  mkdirSync(home);
  writeFileSync(join(home, "package.json"), "{}");
  writeFileSync(join(home, "targets.yaml"), JSON.stringify({ targets }));
  const document = { execution: { target: "agent" }, tests: [{ id: "talk", ...evalCase }], ...suite };
  writeFileSync(join(home, "talk.eval.yaml"), JSON.stringify(document));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), text);
  const { signal } = new AbortController();
  const common = { cwd: home, targets: [], dryRun: false, withoutJudge: true, env: process.env, strict: true };
  const prepared = prepareEvals(
    ["talk.eval.yaml"].map((name) => join(home, name)),
    common,
  );
  const { runs } = planRuns(prepared.suites, {});
  let ran: Ran | undefined;
  await runEvals(runs, {
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
    onFinish: (_run, { record, trace }) => {
      ran = { record, trace };
    },
  });
  return ran!;
}

const scores = ({ record }: Ran) => (record.evaluator_results ?? []).map(({ name, score }) => [name, score]);
const contains = (value: string, more: Record<string, Json> = {}) => ({
  name: value,
  type: "contains",
  value,
  ...more,
});
const calls = (...names: string[]): Json => ({
  output_messages: [
    {
      role: "assistant",
      tool_calls: names.map((tool) => ({ tool, input: { tool }, output: `${tool} done`, id: "c1" })),
    },
    { role: "assistant", content: `Used ${names.join(" and ")}.` },
  ],
});

describe("turns that are written down", () => {
  const agent = {
    name: "agent",
    provider: "mock",
    response: { turns: [calls("lookup"), "Which one?", calls("refund")] },
  };

  it("are one trace, with the user's turns in their places and every call once", async () => {
    const ran = await run(
      {
        turns: ["Where is my order?", "Then refund it.", { user: "The first." }],
        evaluators: [
          {
            type: "tool_trajectory",
            mode: "exact",
            expected: [{ tool: "lookup" }, { tool: "refund", args: { tool: "refund" } }],
          },
          contains("Used lookup."),
          contains("Used refund."),
        ],
      },
      [agent],
    );
    expect(ran.record).toMatchObject({ ended: "answered", passed: true });
    expect(userTexts(ran.trace!)).toEqual(["Where is my order?", "Then refund it.", "The first."]);
    expect(ran.trace!.toolCalls.map(({ name, output }) => [name, output])).toEqual([
      ["lookup", "lookup done"],
      ["refund", "refund done"],
    ]);
    expect(ran.trace!.sessions).toHaveLength(1);
    expect((ran.record.output_messages as { role: string }[]).filter(({ role }) => role === "user")).toHaveLength(3);
  });

  it("have expectations of their own, which see nothing of other turns", async () => {
    const ran = await run(
      {
        turns: [
          {
            input: "Where is my order?",
            assertions: [{ type: "tool_trajectory", mode: "any_order", minimums: { lookup: 1 } }],
          },
          { input: "Then refund it.", evaluators: [contains("Which one?"), { type: "equals", value: "Which one?" }] },
          {
            input: "The first.",
            evaluators: [{ type: "tool_trajectory", mode: "any_order", maximums: { lookup: 0 } }],
          },
        ],
        evaluators: [
          contains("Used lookup.", { turn: 1 }),
          contains("Used refund.", { turn: "last" }),
          contains("Used refund.", { name: "too early", turn: 2 }),
          contains("Used refund.", { name: "never", turn: 4 }),
          { name: "nothing forbidden", type: "tool_trajectory", mode: "any_order", maximums: { refund: 0 }, turn: 4 },
        ],
      },
      [agent],
    );
    expect(scores(ran)).toEqual([
      ["Used lookup.", 1],
      ["Used refund.", 1],
      ["too early", 0],
      ["never", 0],
      ["nothing forbidden", 0],
      ["turn 1: tool_trajectory", 1],
      ["turn 2: Which one?", 1],
      ["turn 2: equals", 1],
      ["turn 3: tool_trajectory", 1],
    ]);
  });

  it("follow an input that already asks something", async () => {
    const input = [
      { role: "system", content: "Be kind." },
      { role: "user", content: "Where is my order?" },
    ];
    const turns = [{ input: "Then refund it.", evaluators: [{ type: "equals", value: "Which one?" }] }];
    const ran = await run({ input, turns }, [agent]);
    expect(userTexts(ran.trace!)).toEqual(["Where is my order?", "Then refund it."]);
    expect(scores(ran)).toEqual([["turn 2: equals", 1]]);
  });

  it("end at max_turns, and what was done is scored", async () => {
    const ran = await run({ turns: ["a", "b", "c"], max_turns: 2, evaluators: [contains("Which one?")] }, [agent]);
    expect(ran.record).toMatchObject({ ended: "limit", limit: { kind: "turns", at: 2 } });
    expect(scores(ran)).toEqual([["Which one?", 1]]);
  });

  it("keep what was done before a turn in which the agent breaks down", async () => {
    const breaks = { turns: [calls("lookup"), { error: "failed", message: "broke down" }] };
    const ran = await run({ turns: ["a", "b"], evaluators: [contains("Used lookup.")] }, [
      { name: "agent", provider: "mock", response: breaks },
    ]);
    expect(ran.record).toMatchObject({ ended: "error", passed: false });
    expect(ran.trace!.toolCalls.map(({ name }) => name)).toEqual(["lookup"]);
  });

  it("take variables", async () => {
    const ran = await run(
      { vars: { order: "A-1" }, turns: ["Order {{ order }}", "Thanks"], evaluators: [contains("Used")] },
      [agent],
    );
    expect(userTexts(ran.trace!)).toEqual(["Order A-1", "Thanks"]);
  });
});

describe("agents that are told all of it every time", () => {
  it("a function hears the new words as its prompt and everything in messages", async () => {
    const agent = `export default ({ prompt, messages, turn }) =>
      "turn " + turn + ": " + prompt + " after " + messages.map((m) => m.role[0] + ":" + m.content).join("|");`;
    const ran = await run(
      {
        turns: ["one", "two"],
        evaluators: [{ type: "equals", value: "turn 2: two after u:one|a:turn 1: one after u:one|u:two", turn: 2 }],
      },
      [{ name: "agent", provider: "function", module: "agent.mjs" }],
      { files: { "agent.mjs": agent } },
    );
    expect(scores(ran)).toEqual([["equals", 1]]);
  });

  it("a command reads the conversation from a file", async () => {
    const agent = `import { readFileSync } from "node:fs";
      const messages = JSON.parse(readFileSync(process.argv[2], "utf8"));
      console.log(JSON.stringify({ text: messages.length + " messages, the last: " + messages.at(-1).content }));`;
    const ran = await run(
      { turns: ["one", "two"], evaluators: [{ type: "equals", value: "3 messages, the last: two", turn: "last" }] },
      [{ name: "agent", provider: "cli", command: "node agent.mjs {MESSAGES_FILE}" }],
      { files: { "agent.mjs": agent } },
    );
    expect(scores(ran)).toEqual([["equals", 1]]);
  });
});

describe.each([
  ["openai-compatible", "/v1"],
  ["anthropic", ""],
])("a model of %s", (provider, path) => {
  it("goes on where it was, tools and their results included", async () => {
    const usage = { fresh: 90, cached: 10, output: 20 };
    const model: Model = ({ userTexts: said, callsSoFar }) =>
      callsSoFar < said.length
        ? { calls: [{ name: "lookup", input: { n: said.length } }], usage }
        : { calls: [], text: `After ${said.length} messages and ${callsSoFar} calls.`, usage };
    const server = await startModelServer(model);
    onTestFinished(() => server.close());
    const tools = [{ name: "lookup", description: "Looks", result: "found" }];
    const settings = {
      base_url: `${server.url}${path}`,
      api_key: "sk-scripted-key",
      model: "m",
      tools,
      max_tokens: 100,
    };
    const ran = await run(
      {
        turns: ["one", "two", "three"],
        evaluators: [
          { type: "equals", value: "After 3 messages and 3 calls.", turn: 3 },
          { type: "tool_trajectory", mode: "exact", expected: [{ tool: "lookup", args: { n: 2 } }], turn: 2 },
          { type: "tool_trajectory", mode: "exact", expected: [1, 2, 3].map((n) => ({ tool: "lookup", args: { n } })) },
        ],
      },
      [{ name: "agent", provider, ...settings }],
    );
    expect(scores(ran).map(([, score]) => score)).toEqual([1, 1, 1]);
    expect(userTexts(ran.trace!)).toEqual(["one", "two", "three"]);
    // Six requests of 90 fresh and 10 cached tokens, and 20 that came out.
    expect(ran.record.token_usage).toEqual({ input: 540, output: 120, cached: 60 });
  });
});

describe("a user who is played", () => {
  const agent = { name: "agent", provider: "mock", response: { turns: ["Your name?", calls("find"), "It is gone."] } };

  it("by a target, who hears the conversation from the other side and ends it with the stop words", async () => {
    const heard = `import { appendFileSync } from "node:fs";
      export default ({ messages }) => {
        appendFileSync(new URL("heard.jsonl", import.meta.url), JSON.stringify(messages) + "\\n");
        return ["My lamp broke.", "Mei.", "Thanks, ###STOP###"][messages.filter((m) => m.role === "assistant").length];
      };`;
    const user = { name: "user", provider: "function", module: "user.mjs" };
    const simulated_user = { persona: "in a hurry", goal: "a new lamp", target: "user" };
    const ran = await run({ simulated_user, evaluators: [contains("Used find.")] }, [agent, user], {
      files: { "user.mjs": heard },
    });
    expect(userTexts(ran.trace!)).toEqual(["My lamp broke.", "Mei."]);
    expect(ran.record).toMatchObject({ ended: "answered", passed: true });
    const lines = readFileSync(join(folder, String(projects), "heard.jsonl"), "utf8")
      .trim()
      .split("\n");
    const last = (JSON.parse(lines.at(-1)!) as { role: string; content: string }[]).slice(1);
    expect(last.map(({ role, content }) => `${role}: ${content}`).slice(1)).toEqual([
      "assistant: My lamp broke.",
      "user: Your name?",
      "assistant: Mei.",
      "user: Used find.",
    ]);
    expect(lines[0]).toContain("in a hurry");
    expect(lines[0]).toContain("a new lamp");
  });

  it.each([
    ["words", 'console.log(n === 0 ? "Hello" : "")', ["Hello"]],
    ["a message", 'console.log(JSON.stringify(n < 2 ? { message: "Nr. " + n } : { stop: true }))', ["Nr. 0", "Nr. 1"]],
    ["stop words of its own", 'console.log(n === 0 ? "Hello" : "BYE now")', ["Hello"]],
  ])("by a command that prints %s", async (_, print, said) => {
    const source = `import { text } from "node:stream/consumers";
      const { conversation, goal } = JSON.parse(await text(process.stdin));
      const n = conversation.filter(({ role }) => role === "user").length;
      if (goal !== "a new lamp") throw new Error("no goal");
      ${print};`;
    const simulated_user = { goal: "a new lamp", stop: "BYE", command: ["node", "user.mjs"] };
    const ran = await run({ simulated_user, evaluators: [contains("Your name?")] }, [agent], {
      files: { "user.mjs": source },
    });
    expect(userTexts(ran.trace!)).toEqual(said);
  });

  it("goes on after the turns that are written down, from settings of the whole file, until the turns are used up", async () => {
    const user = { name: "user", provider: "mock", response: "And then?" };
    const defaults = { simulated_user: { target: "user" }, max_turns: 3 };
    const ran = await run(
      {
        turns: ["My lamp broke."],
        simulated_user: { goal: "a new lamp", first_message: "never said" },
        evaluators: [contains("gone")],
      },
      [agent, user],
      { suite: { defaults } },
    );
    expect(userTexts(ran.trace!)).toEqual(["My lamp broke.", "And then?", "And then?"]);
    expect(ran.record).toMatchObject({ ended: "limit", limit: { kind: "turns", at: 3 }, score: 1 });
  });

  it.each([
    ["breaks down", { name: "user", provider: "mock", response: { error: "failed", message: "no more" } }],
    ["is not reached", { name: "user", provider: "mock", response: { error: "unavailable", message: "out" } }],
  ])("is an outage, not the agent's failure, when they %s", async (_, user) => {
    const simulated_user = { goal: "a new lamp", target: "user", first_message: "My lamp broke." };
    const ran = await run({ simulated_user, evaluators: [contains("Your name?")] }, [agent, user]);
    expect(ran.record).toMatchObject({ status: "outage", passed: false });
    expect(ran.record.error!.message).toContain("the simulated user, target user");
  });

  it("is an outage when their command fails", async () => {
    const simulated_user = { goal: "a new lamp", command: "exit 4" };
    const ran = await run({ simulated_user, evaluators: [contains("Your name?")] }, [agent]);
    expect(ran.record).toMatchObject({ status: "outage", passed: false });
  });
});

describe("what cannot be a conversation is refused before anything is run", () => {
  const mock = { name: "agent", provider: "mock", response: "hi" };
  it.each<[string, Record<string, Json>, Json, RegExp]>([
    [
      "an editor",
      { turns: ["a", "b"] },
      { name: "agent", provider: "vscode" },
      /provider vscode\) takes one question at a time/,
    ],
    [
      "a command that reads one prompt",
      { turns: ["a"] },
      { name: "agent", provider: "cli", command: "cat" },
      /provider cli\)/,
    ],
    [
      "a body without messages",
      { turns: ["a"] },
      { name: "agent", provider: "http", url: "http://x", body: { q: "{{ prompt }}" } },
      /provider http\)/,
    ],
    ["nobody who plays the user", { simulated_user: { goal: "x" } }, mock, /needs a target .* or a command/],
    [
      "two who play the user",
      { simulated_user: { goal: "x", target: "agent", command: "y" } },
      mock,
      /has a target and a command/,
    ],
    ["a user without a goal", { simulated_user: { target: "agent" } }, mock, /needs a goal or a persona/],
    ["a target that is not there", { simulated_user: { goal: "x", target: "nobody" } }, mock, /has no target "nobody"/],
    ["a turn without words", { turns: [{ evaluators: [] }] }, mock, /input/],
  ])("%s", async (_, evalCase, agent, message) => {
    const refused = await run({ evaluators: [contains("x")], ...evalCase }, [agent]).then(
      () => "it ran",
      (error: SpoorError) => [error.message, ...(error.problems ?? []).map((one) => one.message)].join("\n"),
    );
    expect(refused).toMatch(message);
  });
});

it("a recording of a conversation has its turns", async () => {
  const messages = [
    { role: "user", content: "one" },
    { role: "assistant", content: "First." },
    { role: "user", content: "two" },
    { role: "assistant", content: "Second." },
  ];
  const ran = await run(
    {
      turns: [{ input: "one", evaluators: [{ type: "equals", value: "First." }] }, "two"],
      evaluators: [{ type: "equals", value: "Second.", turn: 2 }, contains("First.")],
    },
    [{ name: "agent", provider: "replay", traces: "recording.json" }],
    { files: { "recording.json": JSON.stringify({ model: "m", messages }) } },
  );
  expect(scores(ran).map(([, score]) => score)).toEqual([1, 1, 1]);
});

it("a turn that hangs ends the conversation at its time, and the turns before it are kept", async () => {
  const agent = `export default ({ turn }) => (turn === 1 ? { text: "First." } : new Promise(() => undefined));`;
  const ran = await run(
    { turns: ["one", "two"], execution: { timeout_seconds: 0.4 }, evaluators: [contains("First.")] },
    [{ name: "agent", provider: "function", module: "agent.mjs" }],
    { files: { "agent.mjs": agent } },
  );
  expect(ran.record).toMatchObject({ ended: "limit", limit: { kind: "timeout" } });
  expect(scores(ran)).toEqual([["First.", 1]]);
});
