/** `spoor eval` as a shell sees it: files, exit codes, results on disk, and what survives a kill. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadTrace } from "../../src/load/load-traces.ts";
import { sendJson, startServer } from "../http-server.ts";
import { runSpoor, spoorBin, temporaryFolder } from "./run-spoor.ts";

const examples = fileURLToPath(new URL("../../../../examples/evals", import.meta.url));

interface Result {
  readonly eval_id: string;
  readonly run: number;
  readonly score: number;
  readonly passed: boolean;
  readonly error?: { kind: string; message: string };
  readonly [key: string]: unknown;
}

function results(folder: string, file = "results.jsonl"): Result[] {
  return readFileSync(join(folder, file), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Result);
}

const CALLS = {
  output_messages: [
    { role: "assistant", tool_calls: [{ tool: "search", input: { q: "x" }, output: "found", duration_ms: 5 }] },
    { role: "assistant", content: "done" },
  ],
};
const PASSING = { name: "path", type: "tool_trajectory", mode: "in_order", expected: [{ tool: "search" }] };

interface Setup {
  readonly cases?: readonly object[];
  readonly targets?: readonly object[];
  readonly suite?: object;
}

/** A folder with one eval file and one targets file. JSON is YAML, so plain objects will do. */
function setUp({ cases, targets, suite }: Setup = {}): string {
  const folder = temporaryFolder();
  const evalcases = cases ?? [{ id: "one", input: "hello", evaluators: [PASSING] }];
  writeFileSync(join(folder, "suite.eval.yaml"), JSON.stringify({ ...suite, evalcases }));
  writeFileSync(
    join(folder, "targets.yaml"),
    JSON.stringify({ targets: targets ?? [{ name: "default", provider: "mock", response: CALLS }] }),
  );
  return folder;
}

/** Where a line breaks depends on the lengths of paths; the words do not. */
function flat(text: string): string {
  return text.replace(/\s+/g, " ");
}

/** How a file asks for an environment variable. */
function variable(name: string): string {
  return `\${{ ${name} }}`;
}

function evaluate(folder: string, ...options: string[]) {
  const anew = options.includes("--resume") ? [] : ["--overwrite"];
  return runSpoor(["eval", "suite.eval.yaml", "--results", "results.jsonl", ...anew, ...options], { cwd: folder });
}

describe("the guide's three complete examples, as written", () => {
  it.each(["mock_agent", undefined])("pass with target %s", async (target) => {
    const folder = temporaryFolder();
    cpSync(examples, folder, { recursive: true });
    const options = target === undefined ? [] : ["--target", target];
    const run = await runSpoor(["eval", ".", "--results", "results.jsonl", ...options], { cwd: folder });
    expect(flat(run.stdout)).toContain("3 of 3 cases pass.");
    expect(run.code).toBe(0);
    // Research: four minimums and three steps. Pipeline: four steps; with limits: four steps and three limits.
    const hits = Object.fromEntries(
      results(folder).map((result) => [result.eval_id, (result["hits"] as string[]).length]),
    );
    expect(hits).toEqual({ "comprehensive-research": 6, "data-pipeline": 4, "data-pipeline-perf": 7 });
  });

  it("are the guide's own text", () => {
    const research = readFileSync(join(examples, "research-agent.yaml"), "utf8");
    expect(research).toContain("target: codex_agent  # Provider that returns traces");
    expect(research).toContain("webSearch: 1\n            documentRead: 2\n            noteTaking: 1");
  });
});

describe("exit codes", () => {
  it("0 when every case passes, 1 when one is below the line, 0 again with --no-fail", async () => {
    const failing = { id: "two", input: "q", evaluators: [{ ...PASSING, expected: [{ tool: "never" }] }] };
    const folder = setUp({ cases: [{ id: "one", input: "q", evaluators: [PASSING] }, failing] });
    expect((await evaluate(folder, "--filter", "one")).code).toBe(0);
    const run = await evaluate(folder);
    expect(run.code).toBe(1);
    expect(run.stdout).toMatch(/^✗ 1 of 2 cases fails: two\./);
    expect(flat(run.stdout)).toContain("exit code 1");
    expect((await evaluate(folder, "--no-fail")).code).toBe(0);
    expect((await evaluate(folder, "--threshold", "0")).code).toBe(0);
  });

  it.each([
    { name: "no such file", args: ["nowhere.yaml"], code: "eval.no-files" },
    { name: "no case left by the filter", args: ["suite.eval.yaml", "--filter", "zzz"], code: "eval.no-cases" },
    { name: "an unknown target", args: ["suite.eval.yaml", "--target", "defualt"], code: "targets.unknown" },
    { name: "too many workers", args: ["suite.eval.yaml", "--workers", "51"], code: "usage.bad-argument" },
    { name: "an extension that says no format", args: ["suite.eval.yaml", "-o", "x.foo"], code: "usage.bad-argument" },
    { name: "a format that no report has", args: ["suite.eval.yaml", "--format", "nope"], code: "usage.bad-argument" },
    { name: "a picture that evals have not", args: ["suite.eval.yaml", "-o", "x.svg"], code: "usage.bad-argument" },
    { name: "no stored run", args: ["suite.eval.yaml", "--against", "nowhere.jsonl"], code: "eval.no-results" },
  ])("2 and nothing run: $name", async ({ args, code }) => {
    const folder = setUp();
    const run = await runSpoor(["eval", ...args], { cwd: folder });
    expect(flat(run.stderr)).toContain(code);
    expect(run.code).toBe(2);
    expect(run.stderr).not.toContain("    at ");
    expect(existsSync(join(folder, ".spoor"))).toBe(false);
  });

  it("2 and every problem of the file: duplicate ids, unknown keys, unknown evaluators", async () => {
    const folder = setUp({
      cases: [
        { id: "a", input: "q", evaluators: [{ type: "tool_trajectry" }] },
        { id: "a", inptu: "q" },
      ],
    });
    const run = await evaluate(folder);
    expect(run.code).toBe(2);
    expect(flat(run.stderr)).toContain("has 3 problems");
    expect(flat(run.stderr)).toContain("Did you mean tool_trajectory?");
    expect(flat(run.stderr)).toContain("Did you mean input?");
    expect(flat(run.stderr)).toContain('id "a" is already used');
  });

  it("2 under --strict for what a release accepts and ignores", async () => {
    const folder = setUp({ suite: { execution: { cache: true } } });
    const lenient = await evaluate(folder);
    expect(lenient.code).toBe(0);
    expect(lenient.stderr).toContain(
      "Warning: suite.eval.yaml:1:15 cache in execution has no effect: answers are not kept between runs.",
    );
    expect((await evaluate(folder, "--strict")).code).toBe(2);
  });

  it("2 when nobody answers, with the command that goes on, and the finished runs kept", async () => {
    const server = await startServer((_request, response, count) => {
      sendJson(response, CALLS);
      // After its second answer the agent goes down.
      if (count === 2) response.once("finish", () => void server.close());
    });
    onTestFinished(() => server.close());
    const cases = Array.from({ length: 4 }, (_, index) => ({ id: `c${index}`, input: "q", evaluators: [PASSING] }));
    const target = {
      name: "default",
      provider: "http",
      url: `${server.url}/agent`,
      max_retries: 2,
      retry_initial_delay_ms: 1,
    };
    const folder = setUp({ cases, targets: [target] });
    const run = await evaluate(folder, "--workers", "1");
    const said = flat(run.stderr);
    expect(run.code).toBe(2);
    expect(said).toContain(
      `Target default cannot be reached: POST ${server.url}/agent refused the connection (3 attempts`,
    );
    expect(said).toContain("2 of 4 runs are done and kept; 2 have not run, so there is no verdict.");
    expect(said).toContain(
      "spoor eval suite.eval.yaml --results results.jsonl --resume provider.unreachable exit code 2",
    );
    expect(results(folder).map((result) => result.eval_id)).toEqual(["c0", "c1"]);
  });

  it("2 when a program is missing, and other targets go on", async () => {
    const folder = setUp({
      cases: [
        { id: "gone", input: "q", target: "gone", evaluators: [PASSING] },
        { id: "here", input: "q", target: "here", evaluators: [PASSING] },
      ],
      targets: [
        { name: "gone", provider: "codex", executable: "./no-such-program" },
        { name: "here", provider: "mock", response: CALLS },
      ],
    });
    const run = await evaluate(folder);
    expect(run.code).toBe(2);
    expect(flat(run.stderr)).toContain("was not found");
    expect(flat(run.stderr)).toContain("provider.missing");
    expect(results(folder).map((result) => [result.eval_id, result.passed])).toEqual([["here", true]]);
  });
});

it("prints a next command that works", async () => {
  const failing = { id: "it's odd", input: "q", evaluators: [{ ...PASSING, expected: [{ tool: "never" }] }] };
  const folder = setUp({ cases: [failing], targets: [{ name: "a b", provider: "mock", response: CALLS }] });
  const run = await evaluate(folder, "--target", "a b");
  const next = /Next: spoor (.*)/.exec(run.stdout)![1]!;
  const again = spawnSync("sh", ["-c", `"$0" "$1" ${next}`, process.execPath, spoorBin], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(again.stdout).toContain("is broken: 0 of 5 runs pass.");
  expect(again.status).toBe(1);
});

it("matches arguments that a provider hands over as JSON text", async () => {
  const response = {
    output_messages: [
      {
        role: "assistant",
        tool_calls: [
          { tool: "search", input: '{"q":"x"}' },
          { tool: "odd", input: null },
        ],
      },
    ],
  };
  const expected = [{ tool: "search", args: { q: "x" } }];
  const folder = setUp({
    cases: [{ id: "one", input: "q", evaluators: [{ ...PASSING, expected }] }],
    targets: [{ name: "default", provider: "mock", response }],
  });
  expect((await evaluate(folder)).code).toBe(0);
});

it("runs a TypeScript module with what it imports", async () => {
  const folder = setUp({
    targets: [
      { name: "default", provider: "function", module: "agent.ts", export: "agent", config: { tool: "search" } },
    ],
  });
  writeFileSync(join(folder, "calls.ts"), "export const call = (tool: string) => ({ tool, output: 'found' });\n");
  writeFileSync(
    join(folder, "agent.ts"),
    `import { call } from "./calls.ts";
interface Input { readonly prompt: string; readonly config: { readonly tool: string } }
export async function agent({ prompt, config }: Input): Promise<object> {
  return { output_messages: [{ role: "assistant", tool_calls: [call(config.tool)] }, { role: "assistant", content: prompt as string }] };
}
`,
  );
  expect((await evaluate(folder)).code).toBe(0);
  expect(results(folder)[0]).toMatchObject({ candidate_answer: "hello", passed: true });
});

it("reports a setup command that fails, and does not ask the agent", async () => {
  const folder = setUp({
    cases: [{ id: "one", input: "q", workspace: { setup: "echo no >&2; exit 4" }, evaluators: [PASSING] }],
  });
  await evaluate(folder);
  expect(results(folder)[0]!.error).toEqual({
    kind: "workspace",
    message: 'the setup command "echo no >&2; exit 4" failed: no (exit code 4)',
  });
});

it("finds out before anything runs that a judge is missing", async () => {
  const folder = setUp({ cases: [{ id: "one", input: "q" }] });
  const run = await evaluate(folder);
  expect(run.code).toBe(2);
  expect(flat(run.stderr)).toContain("judge.missing");
  expect(existsSync(join(folder, "results.jsonl"))).toBe(false);
  const left = await evaluate(folder, "--no-judge");
  expect(left.code).toBe(1);
  expect(left.stdout).toContain("Not evaluated: llm_judge");
});

it("asks the judge that a target names", async () => {
  const folder = setUp({
    cases: [
      { id: "one", input: "q", expected_outcome: "It is done", evaluators: [{ name: "quality", type: "llm_judge" }] },
    ],
    targets: [
      { name: "default", provider: "mock", response: CALLS, judge_target: "judge" },
      { name: "judge", provider: "mock", response: { text: '{"score": 0.9, "reasoning": "good"}' } },
    ],
  });
  expect((await evaluate(folder)).code).toBe(0);
  expect(results(folder)[0]).toMatchObject({ score: 0.9 });
});

describe("one bad run does not stop the others", () => {
  it("reports a crash, a kill and an output that is too large, and scores the rest", async () => {
    const agent = fileURLToPath(new URL("../agents/fake-agent.mjs", import.meta.url));
    const target = (name: string) => ({ name, provider: "cli", command: [process.execPath, agent, "cli", name] });
    const names = ["crash", "killed", "too-large", "normal"];
    const folder = setUp({
      cases: names.map((name) => ({
        id: name,
        input: "q",
        target: name,
        evaluators: [{ ...PASSING, expected: [{ tool: "lookup" }] }],
      })),
      targets: names.map(target),
    });
    const run = await evaluate(folder);
    expect(run.code).toBe(1);
    expect(results(folder).map((result) => [result.eval_id, result.passed, result.error?.kind])).toEqual([
      ["crash", false, "failed"],
      ["killed", false, "failed"],
      ["too-large", false, "too-large"],
      ["normal", true, undefined],
    ]);
    expect(flat(run.stdout)).toContain("the agent broke down (exit code 3)");
  });

  it("says when a run came without a trace instead of scoring 0 in silence", async () => {
    const folder = setUp({ targets: [{ name: "default", provider: "function", module: "agent.mjs" }] });
    writeFileSync(join(folder, "agent.mjs"), "export default () => undefined;\n");
    const run = await evaluate(folder);
    expect(run.code).toBe(1);
    expect(flat(run.stdout)).toContain("1 run came without a trace");
    expect(results(folder)[0]).toMatchObject({ trace_summary: null, passed: false });
  });

  it("counts tool names such as constructor and __proto__ and keeps keys byte for byte", async () => {
    const tool_calls = ["constructor", "__proto__", "__proto__", "knowledgeSearch"].map((tool) => ({
      tool,
      input: { maxResults: 1 },
    }));
    const folder = setUp({
      targets: [
        { name: "default", provider: "mock", response: { output_messages: [{ role: "assistant", tool_calls }] } },
      ],
      cases: [
        {
          id: "one",
          input: "q",
          evaluators: [
            {
              type: "tool_trajectory",
              mode: "any_order",
              minimums: { constructor: 1, toString: 0, knowledgeSearch: 1 },
            },
          ],
        },
      ],
    });
    const run = await evaluate(folder, "--include-trace");
    expect(run.code).toBe(0);
    const line = readFileSync(join(folder, "results.jsonl"), "utf8");
    expect(line).toContain('"tool_calls_by_name":{"constructor":1,"__proto__":2,"knowledgeSearch":1}');
    expect(line).toContain('"input":{"maxResults":1}');
  });

  it("names the bad tool call of an output and scores the good ones", async () => {
    const response = { output_messages: [{ role: "assistant", tool_calls: [{ tool: "search" }, { input: {} }] }] };
    const folder = setUp({ targets: [{ name: "default", provider: "mock", response }] });
    expect((await evaluate(folder)).code).toBe(0);
    expect(results(folder)[0]!["problems"]).toEqual([
      'output_messages[0].tool_calls[1]: is not a tool call: it has no text "tool"',
    ]);
  });
});

describe("retries", () => {
  it("tries again after 429 as long as the server asks, and never makes the case green", async () => {
    const server = await startServer((_request, response, count) => {
      if (count <= 2) sendJson(response, { error: { message: "slow down" } }, 429, { "retry-after": "0" });
      else sendJson(response, CALLS);
    });
    onTestFinished(() => server.close());
    const folder = setUp({ targets: [{ name: "default", provider: "http", url: server.url }] });
    const run = await evaluate(folder);
    expect(run.code).toBe(0);
    expect(server.requests).toHaveLength(3);
    expect(results(folder)[0]!["retries"]).toEqual(
      Array(2).fill({ kind: "rate-limit", message: expect.stringContaining("answered 429: slow down") }),
    );
    const json = JSON.parse((await evaluate(folder, "--format", "json", "--resume")).stdout) as {
      totals: { retries: object };
    };
    expect(json.totals.retries).toEqual({ "rate-limit": 2 });
  });

  it("tries again when nothing was heard in time, and then counts it as a limit that was reached", async () => {
    const folder = setUp({
      targets: [{ name: "default", provider: "mock", response: CALLS, delay_ms: 60_000, retry_initial_delay_ms: 1 }],
    });
    const run = await evaluate(folder, "--timeout", "0.02", "--max-retries", "1");
    expect(run.code).toBe(1);
    expect(results(folder)[0]).toMatchObject({ limit: { kind: "timeout", at: 0.02 }, retries: [{ kind: "timeout" }] });
    expect(flat(run.stdout)).toContain("timeouts 2");
  });

  it("does not ask again when the agent itself failed", async () => {
    const folder = setUp({
      targets: [{ name: "default", provider: "mock", response: { error: "failed", message: "broken" } }],
    });
    await evaluate(folder);
    expect(results(folder)[0]!["retries"]).toBeUndefined();
  });
});

describe("traces", () => {
  it("--dump-traces writes agent logs that other commands read, of failed runs too", async () => {
    const folder = setUp({
      cases: [
        { id: "with/odd name", input: "q", evaluators: [PASSING] },
        { id: "broken", input: "q", evaluators: [PASSING] },
      ],
      targets: [{ name: "default", provider: "mock", response: CALLS, responses: { broken: { error: "failed" } } }],
    });
    await evaluate(folder, "--dump-traces", "--repeat", "2");
    const traces = join(folder, ".spoor/traces");
    // An id that is no file name is made one, with a few digits so that no two ids meet.
    const files = readdirSync(traces).sort();
    expect(files.slice(0, 2)).toEqual(["broken_attempt-1.agentlog", "broken_attempt-2.agentlog"]);
    const odd = /^(with_odd_name-[0-9a-f]{8})_attempt-1\.agentlog$/.exec(files[2]!)?.[1];
    expect(files.slice(2)).toEqual([`${odd}_attempt-1.agentlog`, `${odd}_attempt-2.agentlog`]);
    const broken = await loadTrace(join(traces, "broken_attempt-1.agentlog"));
    expect(broken).toMatchObject({ scenario: "broken", agent: "default", turns: [] });
    expect(broken.records.at(-1)).toMatchObject({ kind: "error", payload: { message: "failed" } });
    const dumped = await loadTrace(join(traces, `${odd}_attempt-2.agentlog`));
    expect(dumped).toMatchObject({ id: "with/odd name#2", scenario: "with/odd name", agent: "default" });
    expect(dumped.toolCalls).toMatchObject([{ name: "search" }]);
    expect(dumped.turns[0]!.request["messages"]).toEqual([{ role: "user", content: "q" }]);
    const shown = await runSpoor(["show", `.spoor/traces/${odd}_attempt-1.agentlog`], { cwd: folder });
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain("search");
    const verified = await runSpoor(["verify", `.spoor/traces/${odd}_attempt-1.agentlog`], { cwd: folder });
    expect(verified.code).toBe(0);
  });

  it("--include-trace puts the messages beside the summary; without it only the summary is there", async () => {
    const folder = setUp();
    await evaluate(folder);
    expect(results(folder)[0]).not.toHaveProperty("output_messages");
    await evaluate(folder, "--include-trace");
    expect(results(folder)[0]).toMatchObject({
      output_messages: CALLS.output_messages,
      trace_summary: { tool_names: ["search"] },
    });
  });
});

describe("workspaces and secrets", () => {
  it("gives every run a fresh copy, prepares and cleans it up, and leaves the template alone", async () => {
    const folder = setUp({
      cases: [
        {
          id: "one",
          input: "q",
          workspace: {
            template: "project",
            setup: "echo ready > setup.txt",
            teardown: "cat made.txt >> $LOG",
            env: { LOG: variable("LOG_FILE") },
          },
          evaluators: [{ type: "contains", value: "ready original" }],
        },
      ],
      targets: [
        {
          name: "default",
          provider: "cli",
          command:
            "echo $(cat setup.txt) $(cat file.txt) $(ls made.txt 2>/dev/null); echo made >> made.txt; echo changed > file.txt",
        },
      ],
    });
    mkdirSync(join(folder, "project"));
    writeFileSync(join(folder, "project/file.txt"), "original\n");
    const log = join(folder, "log.txt");
    const run = await runSpoor(["eval", "suite.eval.yaml", "--results", "results.jsonl", "--repeat", "3"], {
      cwd: folder,
      env: { LOG_FILE: log },
    });
    expect(run.code).toBe(0);
    expect(results(folder).map((result) => result["candidate_answer"])).toEqual(Array(3).fill("ready original"));
    expect(readFileSync(log, "utf8")).toBe("made\nmade\nmade\n");
    expect(readdirSync(join(folder, "project"))).toEqual(["file.txt"]);
    expect(readFileSync(join(folder, "project/file.txt"), "utf8")).toBe("original\n");
  });

  it("names a missing environment variable and the place that needs it", async () => {
    const folder = setUp({
      targets: [{ name: "default", provider: "openai", model: "m", api_key: variable("NO_SUCH_KEY") }],
    });
    const run = await evaluate(folder);
    expect(run.code).toBe(2);
    expect(flat(run.stderr)).toContain("the environment variable NO_SUCH_KEY is not set");
    expect(flat(run.stderr)).toContain("targets.yaml");
  });

  it("never writes a secret, not even when the agent says it", async () => {
    const secret = 'sk-very"secret/value+1';
    const server = await startServer((request, response) => {
      const said = String(request.headers.authorization);
      sendJson(response, {
        output_messages: [
          {
            role: "assistant",
            tool_calls: [
              {
                tool: "search",
                input: { [said]: said, url: encodeURIComponent(said), b64: Buffer.from(secret).toString("base64") },
                output: JSON.stringify({ said }),
              },
            ],
          },
          { role: "assistant", content: said },
        ],
      });
    });
    onTestFinished(() => server.close());
    const headers = { authorization: `Bearer ${variable("AGENT_KEY")}` };
    const folder = setUp({ targets: [{ name: "default", provider: "http", url: server.url, headers }] });
    writeFileSync(join(folder, ".env"), `AGENT_KEY='${secret}'\n`);
    const run = await evaluate(folder, "--include-trace", "--dump-traces", "-o", "report.json");
    expect(run.code).toBe(0);
    expect(server.requests[0]!.headers.authorization).toBe(`Bearer ${secret}`);
    const written = [
      readFileSync(join(folder, "results.jsonl"), "utf8"),
      readFileSync(join(folder, ".spoor/traces/one_attempt-1.agentlog"), "utf8"),
      readFileSync(join(folder, "report.json"), "utf8"),
      run.stdout,
      run.stderr,
    ];
    for (const text of written) {
      for (const form of [secret, 'very\\"secret', encodeURIComponent(secret), Buffer.from(secret).toString("base64")])
        expect(text).not.toContain(form);
    }
    expect(written[0]).toContain("[AGENT_KEY removed]");
  });
});

describe("secrets that no variable was asked for", () => {
  const key = "Zx81kQwe77LmNop3";
  const said = {
    environment: "pg-word-77",
    basic: Buffer.from(`user:${key}`).toString("base64"),
    url: Buffer.from(key).toString("base64url"),
    header: "tenant-Q7w8E9r0T1y2",
  };

  /** An agent that repeats what it was given, in its answer or in its failure. */
  async function repeating(status: number, more = "") {
    const words = `${Object.values(said).join(" ")} ${more}`;
    const server = await startServer((_, response) => {
      if (status === 200) sendJson(response, { output_messages: [{ role: "assistant", content: words }] });
      else response.writeHead(status).end(words);
    });
    onTestFinished(() => server.close());
    const headers = { authorization: `Bearer ${key}`, "x-tenant": said.header, accept: "application/json" };
    return { name: "default", provider: "http", url: server.url, headers };
  }

  it.each([200, 400])("stay out of results, dumps and every report, status %i", async (status) => {
    const home = temporaryFolder();
    const folder = setUp({ targets: [await repeating(status, `${home}/a.ts ${join(home, "b")} application/json`)] });
    const outputs = ["r.json", "r.md", "r.xml", "r.txt", "r.html"];
    const run = await runSpoor(
      ["eval", "suite.eval.yaml", "--results", "results.jsonl", "--include-trace", "--dump-traces", "--verbose"].concat(
        outputs.flatMap((file) => ["-o", file]),
      ),
      { cwd: folder, env: { PGPASSWORD: said.environment, PWD: home, OLDPWD: home, HOME: home, TMPDIR: home } },
    );
    const written = [
      readFileSync(join(folder, "results.jsonl"), "utf8"),
      readFileSync(join(folder, ".spoor/traces/one_attempt-1.agentlog"), "utf8"),
      ...outputs.map((file) => readFileSync(join(folder, file), "utf8")),
      run.stdout,
      run.stderr,
    ];
    for (const text of written) for (const secret of [key, ...Object.values(said)]) expect(text).not.toContain(secret);
    expect(written[0]).toContain(
      "[PGPASSWORD removed] [authorization removed] [authorization removed] [x-tenant removed]",
    );
    expect(written[0]).toContain(`${home}/a.ts ${join(home, "b")} application/json`);
  });

  it("do not reach the judge", async () => {
    const server = await startServer((_, response) =>
      sendJson(response, { choices: [{ message: { role: "assistant", content: '{"score": 1}' } }] }),
    );
    onTestFinished(() => server.close());
    const folder = setUp({
      cases: [{ id: "one", input: "q", evaluators: [{ name: "j", type: "llm_judge", prompt: "Good?" }] }],
      targets: [
        { ...(await repeating(200)), judge_target: "j" },
        { name: "j", provider: "openai-compatible", base_url: server.url, model: "m", api_key: key },
      ],
    });
    const run = await runSpoor(["eval", "suite.eval.yaml"], { cwd: folder, env: { PGPASSWORD: said.environment } });
    expect(run.code, run.stderr).toBe(0);
    const asked = JSON.stringify(server.requests[0]!.body);
    expect(asked).toContain("[PGPASSWORD removed]");
    for (const secret of Object.values(said)) expect(asked).not.toContain(secret);
  });
});

describe("stopped runs go on", () => {
  const cases = Array.from({ length: 12 }, (_, index) => ({
    id: `case-${index}`,
    input: "q",
    evaluators: [{ ...PASSING, expected: [{ tool: index % 3 === 0 ? "never" : "search" }] }],
  }));
  const targets = [{ name: "default", provider: "mock", response: CALLS, delay_min_ms: 5, delay_max_ms: 40 }];
  const env = { SOURCE_DATE_EPOCH: "1700000000" };
  const command = ["eval", "suite.eval.yaml", "--repeat", "3", "--workers", "4", "--results", "results.jsonl"];

  function start(folder: string): ChildProcess {
    return spawn(process.execPath, [spoorBin, ...command, "--resume"], {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: "ignore",
    });
  }

  function linesOf(folder: string): number {
    const file = join(folder, "results.jsonl");
    return existsSync(file) ? readFileSync(file, "utf8").split("\n").length - 1 : -1;
  }

  /** Kills the process, without any warning, as soon as the file has this many lines. */
  async function killAt(folder: string, lines: number): Promise<void> {
    const child = start(folder);
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    while (linesOf(folder) < lines && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 1));
    child.kill("SIGKILL");
    await ended;
  }

  it("killed at any point and resumed, the results file is the same as that of an unbroken run", async () => {
    const unbroken = setUp({ cases, targets });
    const whole = await runSpoor(command, { cwd: unbroken, env });
    expect(whole.code).toBe(1);
    const expected = readFileSync(join(unbroken, "results.jsonl"), "utf8");
    expect(expected.split("\n")).toHaveLength(37);

    // Points spread over the run by a fixed rule; which cases are finished at each is up to the scheduler.
    for (const points of [[0], [1, 3], [7, 19, 30], [35]]) {
      const folder = setUp({ cases, targets });
      for (const lines of points) await killAt(folder, lines);
      const resumed = await runSpoor([...command, "--resume"], { cwd: folder, env });
      expect(resumed.code).toBe(1);
      expect(readFileSync(join(folder, "results.jsonl"), "utf8")).toBe(expected);
      expect(resumed.stdout.replace(/[\d.]+ m?s\./, "")).toBe(whole.stdout.replace(/[\d.]+ m?s\./, ""));
    }
  });

  it("survives a torn last line", async () => {
    const folder = setUp({ cases, targets });
    await killAt(folder, 9);
    const file = join(folder, "results.jsonl");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, `${text}{"schema":"spoor.eval-run/1","eval_id":"case-1`);
    const run = await runSpoor([...command, "--resume"], { cwd: folder, env });
    expect(run.code).toBe(1);
    expect(results(folder)).toHaveLength(36);
  });

  it("makes a run again when its case has changed, and keeps the others", async () => {
    const log = "asked.txt";
    const agent = `node agent.mjs`;
    const folder = setUp({ cases: cases.slice(0, 3), targets: [{ name: "default", provider: "cli", command: agent }] });
    writeFileSync(
      join(folder, "agent.mjs"),
      `import { appendFileSync } from "node:fs"; appendFileSync("${log}", "x"); console.log(${JSON.stringify(JSON.stringify(CALLS))});`,
    );
    await evaluate(folder);
    await evaluate(folder, "--resume");
    expect(readFileSync(join(folder, log), "utf8")).toBe("xxx");
    const suite = readFileSync(join(folder, "suite.eval.yaml"), "utf8");
    writeFileSync(
      join(folder, "suite.eval.yaml"),
      suite.replace('"id":"case-1","input":"q"', '"id":"case-1","input":"other"'),
    );
    await evaluate(folder, "--resume");
    expect(readFileSync(join(folder, log), "utf8")).toBe("xxxx");
  });

  it("Ctrl-C ends the agents, keeps what is done and prints the command that goes on", async () => {
    const folder = setUp({ cases, targets: [{ ...targets[0], delay_min_ms: 500, delay_max_ms: 900 }] });
    const child = spawn(process.execPath, [spoorBin, ...command], {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let stderr = "";
    child.stderr!.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    const ended = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
    while (linesOf(folder) < 5 && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 1));
    child.kill("SIGINT");
    expect(await ended).toBe(130);
    expect(stderr).toMatch(/Stopped: \d+ of 36 runs are done and kept in\s+results\.jsonl/);
    const resume = /spoor (eval .* --resume)/.exec(stderr)![1]!.split(" ");
    const run = await runSpoor(resume, { cwd: folder, env });
    expect(run.code).toBe(1);
    expect(results(folder)).toHaveLength(36);
  });

  it("keeps the results of cases that a filter leaves out", async () => {
    const folder = setUp({ cases: cases.slice(0, 4), targets });
    await evaluate(folder);
    await evaluate(folder, "--filter", "case-2", "--repeat", "2", "--resume");
    expect(
      results(folder)
        .map(({ eval_id, run }) => `${eval_id}:${run}`)
        .sort(),
    ).toEqual(["case-0:1", "case-1:1", "case-2:1", "case-2:2", "case-3:1"]);
  });

  it("finds the latest run by itself", async () => {
    const folder = setUp({ cases: cases.slice(0, 2), targets });
    const first = await runSpoor(["eval", "suite.eval.yaml"], { cwd: folder });
    const second = await runSpoor(["eval", "suite.eval.yaml", "--resume"], { cwd: folder });
    const place = (text: string) => /Results: (\S+)/.exec(text)![1];
    expect(place(second.stdout)).toBe(place(first.stdout));
    const fresh = setUp({ cases: cases.slice(0, 2), targets });
    expect((await runSpoor(["eval", "suite.eval.yaml", "--resume"], { cwd: fresh })).stderr).toContain(
      "There is no earlier run of these files",
    );
  });
});

describe("several at once", () => {
  it("writes results in the order of the cases whatever ends first", async () => {
    const ids = ["slow", "fast", "middle"];
    const folder = setUp({
      cases: ids.map((id) => ({ id, input: "q", target: id, evaluators: [PASSING] })),
      targets: [
        { name: "slow", provider: "mock", response: CALLS, delay_ms: 6_000 },
        { name: "fast", provider: "mock", response: CALLS },
        { name: "middle", provider: "mock", response: CALLS, delay_ms: 3_000 },
      ],
    });
    const run = await evaluate(folder);
    expect(results(folder).map((result) => result.eval_id)).toEqual(ids);
    expect(
      run.stderr
        .split("\n")
        .filter(Boolean)
        .map((line) => line.split(" ")[1]),
    ).toEqual(["fast", "middle", "slow"]);
  });

  it("asks several targets for the same cases and keeps them apart", async () => {
    const folder = setUp({
      targets: [
        { name: "a", provider: "mock", response: CALLS },
        { name: "b", provider: "mock", response: { text: "no tools" } },
      ],
    });
    const run = await evaluate(folder, "--target", "a", "--target", "b");
    expect(run.code).toBe(1);
    expect(flat(run.stdout)).toContain("one on b");
    expect(results(folder).map((result) => [result["target"], result.passed])).toEqual([
      ["a", true],
      ["b", false],
    ]);
  });

  it("stops when the budget is spent and says that there is no verdict", async () => {
    const folder = setUp({
      cases: Array.from({ length: 5 }, (_, index) => ({ id: `c${index}`, input: "q", evaluators: [PASSING] })),
      targets: [{ name: "default", provider: "mock", response: { ...CALLS, cost_usd: 0.5 } }],
    });
    const run = await evaluate(folder, "--budget-usd", "1", "--workers", "1");
    expect(run.code).toBe(2);
    expect(flat(run.stdout)).toContain("the budget is spent");
    expect(results(folder)).toHaveLength(2);
  });
});
