import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parsePolicy } from "@spoor/core/internal/policy/parse-policy";
import type { JsonObject } from "@spoor/core/internal/trace/json";
import type { TraceRecord } from "@spoor/core/internal/trace/record";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type ModelServer, startModelServer } from "../../test/model-server/model-server.ts";
import { createGuard } from "../guard.ts";
import { createRecorder, type RecorderOptions } from "./recorder.ts";

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "spoor-recorder-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function recorderIn(options: RecorderOptions = {}) {
  const dir = join(temporaryFolder(), "recording");
  const problems: string[] = [];
  const recorder = createRecorder({ dir, onProblem: ({ code }) => problems.push(code), ...options });
  onTestFinished(() => void recorder.close());
  return { recorder, dir, problems };
}

function recordsIn(dir: string): Record<string, TraceRecord[]> {
  const names = existsSync(dir) ? readdirSync(dir).filter((name) => name.endsWith(".agentlog")) : [];
  return Object.fromEntries(
    names.sort().map((name) => {
      const lines = readFileSync(join(dir, name), "utf8").trim().split("\n");
      return [name, lines.map((line) => JSON.parse(line) as TraceRecord)];
    }),
  );
}

const kinds = (records: readonly TraceRecord[]) => records.map(({ kind }) => kind);
const payloads = (records: readonly TraceRecord[], kind: string) =>
  records.filter((record) => record.kind === kind).map(({ payload }) => payload as JsonObject);

const TOOLS = [{ type: "function", function: { name: "get_weather", parameters: { type: "object" } } }];

/** An agent of the plainest kind: asks, runs what it is told to run, asks again. */
async function runAgent(
  fetch: typeof globalThis.fetch,
  prompt: string,
  tools: { get_weather(input: object): unknown },
) {
  const messages: object[] = [{ role: "user", content: prompt }];
  for (let round = 0; round < 5; round++) {
    const response = await fetch(`${server.url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: "Bearer sk-secret" },
      body: JSON.stringify({ model: "m", messages, tools: TOOLS }),
    });
    const { choices } = (await response.json()) as { choices: { message: Record<string, unknown> }[] };
    const { message } = choices[0]!;
    messages.push(message);
    const calls = (message["tool_calls"] ?? []) as { id: string; function: { arguments: string } }[];
    if (calls.length === 0) return message["content"];
    for (const { id, function: called } of calls) {
      const content = JSON.stringify(await tools.get_weather(JSON.parse(called.arguments) as object));
      messages.push({ role: "tool", tool_call_id: id, content });
    }
  }
  throw new Error("no end");
}

const weather = { get_weather: async ({ city }: { city?: string }) => `${city}: 12 degrees` };

describe("createRecorder", () => {
  it("writes one trace per session: calls, tools that ran, the end", async () => {
    const { recorder, dir, problems } = recorderIn({ agent: "support", tags: { team: "a" } });
    const fetch = recorder.wrapFetch();
    const tools = recorder.wrapTools(weather);
    await Promise.all(
      ["rain", "sun"].map((scenario) =>
        recorder.session({ scenario, run: 1, tags: { k: "v" } }, () => runAgent(fetch, `${scenario} PARALLEL`, tools)),
      ),
    );
    const summary = recorder.close();
    expect(summary).toMatchObject({ dir, runs: 2, requests: 4, responses: 4, toolsRun: 4, toolsTold: 0, missing: {} });
    const files = recordsIn(dir);
    expect(Object.keys(files)).toEqual(["rain.run1.agentlog", "sun.run1.agentlog"]);
    for (const [name, records] of Object.entries(files)) {
      expect(records[0]).toMatchObject({
        kind: "metadata",
        payload: { agent: "support", tags: { team: "a", k: "v" }, scenario_id: name.split(".")[0], door: "fetch" },
      });
      expect(payloads(records, "tool_result").map(({ output }) => output)).toEqual([
        "Oslo: 12 degrees",
        "Roma 🌍: 12 degrees",
      ]);
      expect(records.at(-1)).toMatchObject({
        kind: "harness_event",
        payload: { category: "recording", name: "closed" },
      });
    }
    expect(JSON.stringify(files)).not.toContain("sk-secret");
    expect(problems).toEqual([]);
  });

  it("has the request on disk before it is sent, and the answer before the application has it", async () => {
    const { recorder, dir } = recorderIn();
    const seen: string[][] = [];
    const look = () => seen.push(Object.values(recordsIn(dir)).flatMap(kinds));
    const fetch = recorder.wrapFetch(async (...args) => {
      look();
      return globalThis.fetch(...args);
    });
    await runAgent(fetch, "TEXT", weather);
    look();
    expect(seen).toEqual([
      ["metadata", "chat_request"],
      ["metadata", "chat_request", "chat_response"],
    ]);
  });

  it("records nothing inside pause, nothing of other hosts, and keeps whole runs of a sample", async () => {
    const { recorder, dir } = recorderIn();
    await recorder.pause(() => runAgent(recorder.wrapFetch(), "quiet", recorder.wrapTools(weather)));
    expect(recordsIn(dir)).toEqual({});

    const other = recorderIn({ hosts: ["api.example.com", "*.example.org"] });
    await runAgent(other.recorder.wrapFetch(), "elsewhere TEXT", weather);
    expect(other.recorder.close().requests).toBe(0);

    const half = recorderIn({ sample: 0.5 });
    const fetch = half.recorder.wrapFetch();
    const ids = Array.from({ length: 20 }, (_, index) => `session-${index}`);
    for (const id of ids) await half.recorder.session({ id, scenario: id, run: 1 }, () => runAgent(fetch, id, weather));
    half.recorder.close();
    const kept = Object.values(recordsIn(half.dir));
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length).toBeLessThan(ids.length);
    for (const records of kept) expect(kinds(records)).toContain("metadata");
    for (const records of kept) expect(payloads(records, "chat_response")).toHaveLength(2);
  });

  it("wraps clients by their shape, and says what to do with others", async () => {
    const { recorder, dir } = recorderIn();
    const client = { baseURL: server.url, fetch: globalThis.fetch, chat: {} };
    expect(recorder.wrapClient(client)).toBe(client);
    recorder.wrapClient(client);
    await runAgent(client.fetch, "client TEXT", weather);
    const mcp = recorder.wrapClient({
      callTool: async ({ name }: { name: string }) => ({ content: [{ text: name }] }),
    });
    await mcp.callTool({ name: "lookup" });
    const records = Object.values(recordsIn(dir)).flat();
    expect(payloads(records, "chat_request")).toHaveLength(1);
    expect(payloads(records, "tool_call")).toMatchObject([{ tool_name: "lookup" }]);

    const wrap = (value: object) => () => recorder.wrapClient(value);
    expect(wrap({ models: { generateContent() {} } })).toThrow(
      expect.objectContaining({ code: "record.client-shape" }),
    );
    for (const [value, hint] of [
      [{ models: { generateContent() {} } }, /Google.*register/],
      [{ languageModel() {} }, /createOpenAI\(\{ fetch: recorder\.wrapFetch\(\) \}\)/],
      [{ anything: 1 }, /OpenAI, Anthropic and MCP/],
    ] as const)
      expect(wrap(value)).toThrow(expect.objectContaining({ hint: expect.stringMatching(hint) as string }));
  });

  it("is once, however often tools and fetch are wrapped", async () => {
    const { recorder, dir } = recorderIn();
    const fetch = recorder.wrapFetch(recorder.wrapFetch());
    const tools = recorder.wrapTools(recorder.wrapTools(recorder.wrapTools(weather)));
    await runAgent(fetch, "twice", tools);
    const records = Object.values(recordsIn(dir)).flat();
    expect(payloads(records, "chat_response")).toHaveLength(2);
    expect(payloads(records, "tool_call")).toHaveLength(1);

    const second = recorderIn();
    await runAgent(second.recorder.wrapFetch(fetch), "second recorder TEXT", weather);
    expect(payloads(Object.values(recordsIn(dir)).flat(), "chat_response")).toHaveLength(2);
    expect(second.recorder.close().requests).toBe(1);
  });

  it("goes on when tools cannot be read or recorded, and counts it", async () => {
    const { recorder, problems } = recorderIn();
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    const wrapped = recorder.wrapTools({
      odd: 5 as unknown,
      list: ["no tool"],
      run: (input: unknown) => input === circle,
    });
    expect(wrapped).toMatchObject({ odd: 5, list: ["no tool"] });
    expect(wrapped.run(circle)).toBe(true);
    const thrown = new TypeError("no");
    const fails = recorder.wrapTools({
      fails() {
        throw thrown;
      },
    });
    expect(() => fails.fails()).toThrow(thrown);
    expect(problems.length).toBeGreaterThan(0);
    expect(recorder.close().missing).not.toEqual({});
  });

  it("goes on when nothing can be written", async () => {
    const { recorder, problems } = recorderIn({ dir: "/dev/null/recording" });
    expect(await runAgent(recorder.wrapFetch(), "unwritable", recorder.wrapTools(weather))).toContain("done");
    expect(problems).toContain("unwritable");
    expect(recorder.close().missing["unwritable"]).toBeGreaterThan(3);
  });

  it("joins the recording that is under way around the program, unless it names a folder", async () => {
    const dir = join(temporaryFolder(), "outer");
    const around = { SPOOR_DIR: dir, SPOOR_SCENARIO: "outer", SPOOR_AGENT: "support", SPOOR_PROXY: server.url };
    Object.assign(process.env, around);
    onTestFinished(() => {
      for (const name of Object.keys(around)) delete process.env[name];
    });
    const joined = createRecorder({ tags: { k: "v" } });
    await runAgent(joined.wrapFetch(), "joined TEXT", weather);
    expect(joined.close()).toMatchObject({ dir, requests: 1 });
    expect(recordsIn(dir)["outer.run1.agentlog"]![0]).toMatchObject({
      payload: { agent: "support", tags: { k: "v" } },
    });
    expect(server.exchanges.at(-1)!.headers["x-spoor-skip"]).toBe("1");
    const own = recorderIn();
    await runAgent(own.recorder.wrapFetch(), "own TEXT", weather);
    expect(own.recorder.close().dir).toBe(own.dir);
    expect(server.exchanges.at(-1)!.headers["x-spoor-skip"]).toBeUndefined();
  });

  it("a listener that throws changes nothing", async () => {
    const onProblem = () => {
      throw new Error("listener");
    };
    const { recorder } = recorderIn({ dir: "/dev/null/recording", onProblem });
    expect(await runAgent(recorder.wrapFetch(), "listener TEXT", weather)).toContain("done");
  });

  it("follows generators to their end", async () => {
    const { recorder, dir } = recorderIn();
    const tools = recorder.wrapTools({
      async *progress() {
        yield "half";
        yield "all";
      },
    });
    const got: unknown[] = [];
    for await (const part of tools.progress()) got.push(part);
    expect(got).toEqual(["half", "all"]);
    expect(payloads(Object.values(recordsIn(dir)).flat(), "tool_result")).toMatchObject([{ output: "all" }]);
  });
});

describe("with a guard", () => {
  const rule = { id: "no-refunds", kind: "no_call", params: { tool: "issue_refund" } };
  const policy = parsePolicy(JSON.stringify([rule]), { file: "policy.json" });

  it.each(["replace", "raise"] as const)("refusals are recorded, and nothing runs: %s", async (mode) => {
    const { recorder, dir } = recorderIn({ guard: createGuard(policy, { mode }) });
    let ran = 0;
    const tools = recorder.wrapTools({
      issue_refund: async () => ++ran,
      get_weather: weather.get_weather,
    });
    await recorder.session({ id: "s1" }, async () => {
      const refused = tools.issue_refund();
      if (mode === "raise") await expect(refused).rejects.toThrow(/no-refunds/);
      else expect(await refused).toContain("blocked by policy");
      await tools.get_weather({ city: "Oslo" });
    });
    const records = Object.values(recordsIn(dir)).flat();
    expect(ran).toBe(0);
    expect(payloads(records, "tool_call").map(({ tool_name }) => tool_name)).toEqual(["get_weather"]);
    expect(payloads(records, "harness_event")).toMatchObject([
      { category: "guardrail", name: "refused", attributes: { tool: "issue_refund", rules: ["no-refunds"] } },
    ]);
  });

  it("a recording that cannot be written never opens it, nor does one that throws", async () => {
    let ran = 0;
    for (const options of [{ dir: "/dev/null/recording" }, { dir: "/dev/full" }]) {
      const { recorder } = recorderIn({ ...options, guard: createGuard(policy) });
      const tools = recorder.wrapTools({ issue_refund: () => ++ran, get_weather: () => "fine" });
      expect(tools.issue_refund()).toContain("blocked by policy");
      expect(tools.get_weather()).toBe("fine");
    }
    expect(ran).toBe(0);
  });

  it("a guard that cannot judge lets nothing run, and that is recorded", async () => {
    const guard = createGuard(policy);
    const { recorder, dir } = recorderIn({ guard });
    const tools = recorder.wrapTools({ get_weather: weather.get_weather });
    await recorder.session({ id: "closed" }, async () => {
      const session = guard.session("closed");
      const broken = { ...guard, session: () => ({ ...session }) };
      const other = recorderIn({ guard: broken });
      const never = other.recorder.wrapTools({ get_weather: async () => "ran" });
      await expect(never.get_weather()).rejects.toThrow(/nothing runs/);
      expect(payloads(Object.values(recordsIn(other.dir)).flat(), "harness_event")).toMatchObject([
        { category: "guardrail", name: "could_not_judge" },
      ]);
      expect(await tools.get_weather({ city: "Oslo" })).toContain("Oslo");
    });
    expect(payloads(Object.values(recordsIn(dir)).flat(), "tool_call")).toHaveLength(1);
  });

  it.each([
    ["withheld", "replace", "deny", /blocked|withheld/i],
    ["thrown away", "raise", "deny", /no-keys/],
    ["made unreadable", "replace", "redact", /REDACTED by no-keys/],
  ] as const)("a result that is %s is not in the recording either", async (_how, mode, then, seen) => {
    const rule = { id: "no-keys", kind: "no_result", params: { matching: ["sk_live_[a-z]+"] }, then };
    const guard = createGuard(parsePolicy(JSON.stringify([rule]), { file: "policy.json" }), { mode });
    const { recorder, dir } = recorderIn({ guard, redact: false });
    const tools = recorder.wrapTools({
      read_log: async (_input: object) => "the key is sk_live_marzipan",
      list: async function* (_input: object) {
        yield "first";
        yield "then sk_live_marzipan";
      },
    });
    await recorder.session({ id: "s1" }, async () => {
      await tools.read_log({}).catch(() => undefined);
      try {
        for await (const _piece of tools.list({}));
      } catch {
        // Thrown in mode raise.
      }
    });
    recorder.close();
    const records = Object.values(recordsIn(dir)).flat();
    expect(payloads(records, "tool_call").map(({ tool_name }) => tool_name)).toEqual(["read_log", "list"]);
    expect(payloads(records, "tool_result")).toHaveLength(2);
    for (const result of payloads(records, "tool_result")) expect(JSON.stringify(result)).toMatch(seen);
    expect(JSON.stringify(records)).not.toContain("marzipan");
  });

  it("what is no tool is an error: it would run unjudged", () => {
    const { recorder } = recorderIn({ guard: createGuard(policy) });
    expect(() => recorder.wrapTools({ odd: { type: "function" } })).toThrow(
      expect.objectContaining({ code: "guard.tool-shape" }),
    );
  });
});
