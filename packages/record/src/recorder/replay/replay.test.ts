/** A program in a recorded world, in one process: what is served, what is refused, and that nothing else runs. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parsePolicy } from "@spoor/core/internal/policy/parse-policy";
import { expandRequests } from "@spoor/core/internal/trace/expand-requests";
import { type JsonObject, member } from "@spoor/core/internal/trace/json";
import type { TraceRecord } from "@spoor/core/internal/trace/record";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type ModelServer, startModelServer } from "../../../test/model-server/model-server.ts";
import { createGuard } from "../../guard.ts";
import { createRecorder, type RecorderOptions } from "../recorder.ts";

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "spoor-replay-"));
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

function recordsIn(dir: string): TraceRecord[] {
  const names = existsSync(dir) ? readdirSync(dir).filter((name) => name.endsWith(".agentlog")) : [];
  return names.sort().flatMap((name) => {
    const lines = readFileSync(join(dir, name), "utf8").trim().split("\n");
    return [...expandRequests(lines.map((line) => JSON.parse(line) as TraceRecord))];
  });
}

/** What a run did, without what differs from run to run: ids, times, how it is known. */
function doneIn(dir: string): JsonObject[] {
  const VARYING = new Set(["latency_ms", "stream_timings", "attributes"]);
  return recordsIn(dir)
    .filter(({ kind }) => kind !== "metadata")
    .map(({ kind, payload }) => ({
      kind,
      payload: Object.fromEntries(Object.entries(payload as JsonObject).filter(([key]) => !VARYING.has(key))),
    }));
}

const TOOLS = [{ type: "function", function: { name: "get_weather", parameters: { type: "object" } } }];

/** An agent of the plainest kind: asks, runs what it is told to run, asks again. */
async function runAgent(
  fetch: typeof globalThis.fetch,
  prompt: string,
  tools: Readonly<Record<string, (input: object) => unknown>>,
  options: { readonly system?: string; readonly stream?: boolean; readonly offers?: readonly object[] } = {},
) {
  const { system, stream, offers = TOOLS } = options;
  const messages: object[] = [
    ...(system === undefined ? [] : [{ role: "system", content: system }]),
    { role: "user", content: prompt },
  ];
  for (let round = 0; round < 5; round++) {
    const response = await fetch(`${server.url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: "Bearer sk-secret" },
      body: JSON.stringify({ model: "m", messages, tools: offers, ...(stream ? { stream } : {}) }),
    });
    if (!response.ok) return { status: response.status, error: (await response.json()) as JsonObject };
    const message = stream ? await streamed(response) : wholeMessage(await response.json());
    messages.push(message);
    const calls = (message["tool_calls"] ?? []) as { id: string; function: { name: string; arguments: string } }[];
    if (calls.length === 0) return { text: message["content"], messages };
    const results = await Promise.all(
      calls.map(async ({ id, function: called }) => {
        const output = await tools[called.name]!(JSON.parse(called.arguments) as object);
        return { role: "tool", tool_call_id: id, content: JSON.stringify(output) };
      }),
    );
    messages.push(...results);
  }
  throw new Error("no end");
}

function wholeMessage(body: unknown): Record<string, unknown> {
  return (body as { choices: { message: Record<string, unknown> }[] }).choices[0]!.message;
}

async function streamed(response: Response): Promise<Record<string, unknown>> {
  const events = (await response.text()).split("\n\n").flatMap((event) => event.replace(/^data: /, ""));
  let content = "";
  const calls: { id: string; type: string; function: { name: string; arguments: string } }[] = [];
  for (const event of events) {
    if (!event.startsWith("{")) continue;
    const delta = (JSON.parse(event) as { choices: { delta: JsonObject }[] }).choices[0]?.delta;
    content += (delta?.["content"] as string | null) ?? "";
    for (const call of (delta?.["tool_calls"] ?? []) as unknown as {
      index: number;
      id?: string;
      function: { name?: string; arguments?: string };
    }[]) {
      calls[call.index] ??= { id: call.id!, type: "function", function: { name: call.function.name!, arguments: "" } };
      calls[call.index]!.function.arguments += call.function.arguments ?? "";
    }
  }
  return { role: "assistant", content, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
}

const weather = { get_weather: async (input: object) => ({ ...input, degrees: 12 }) };

/** A recording of one run, and what the model was asked for it. */
async function record(prompt: string, tools: Record<string, (input: object) => unknown> = weather, stream = false) {
  const { recorder, dir } = recorderIn();
  const fetch = recorder.wrapFetch();
  await recorder.session({ scenario: "s" }, () => runAgent(fetch, prompt, recorder.wrapTools(tools), { stream }));
  recorder.close();
  return dir;
}

/** A tool that must never run, and whether it did. */
function canary() {
  const ran: unknown[] = [];
  return { ran, run: (input: unknown) => void ran.push(input) };
}

describe.each([
  { form: "whole", stream: false },
  { form: "stream", stream: true },
])("both recorded, $form", ({ stream }) => {
  it.each(["What is the weather?", "PARALLEL weather", "PARALLEL ROUNDS2 weather", "TEXT only", "FLAKY429 weather"])(
    "%s: the same run again, without the model and without the tool",
    async (prompt) => {
      const from = await record(prompt, weather, stream);
      const asked = server.exchanges.length;
      const never = canary();
      const { recorder, dir } = recorderIn({ replay: { from, model: "recorded" } });
      const tools = recorder.wrapTools({ get_weather: async (input: object) => never.run(input) });
      await recorder.session({ scenario: "s" }, () => runAgent(recorder.wrapFetch(), prompt, tools, { stream }));
      recorder.close();
      expect(doneIn(dir)).toEqual(doneIn(from));
      expect(server.exchanges.length).toBe(asked);
      expect(never.ran).toEqual([]);
      expect(member(recordsIn(dir)[0]!.payload, "replayed")).toEqual({ model: true, tools: true });
      const results = recordsIn(dir).filter(({ kind }) => kind === "tool_result");
      expect(results.map(({ meta }) => member(meta, "evidence"))).toEqual(results.map(() => "replayed"));
    },
  );
});

describe("model live, tools recorded", () => {
  it("serves what was recorded although the prompt is another one, and refuses a call that was not", async () => {
    const from = await record("PARALLEL weather");
    const never = canary();
    const { recorder, dir } = recorderIn({ replay: { from } });
    const tools = recorder.wrapTools({ get_weather: async (input: object) => never.run(input) });
    const fetch = recorder.wrapFetch();
    await recorder.session({ scenario: "s" }, () =>
      runAgent(fetch, "PARALLEL ROUNDS2 weather", tools, { system: "Be short." }),
    );
    recorder.close();
    const results = recordsIn(dir).filter(({ kind }) => kind === "tool_result");
    expect(results.map(({ meta }) => member(meta, "stand_in") ?? member(meta, "evidence"))).toEqual([
      "replayed",
      "replayed",
      "refused",
      "refused",
    ]);
    expect(results.slice(0, 2).map(({ payload }) => member(payload, "output"))).toEqual([
      { city: "Oslo", days: 1, degrees: 12 },
      { city: "Roma 🌍", days: 2, degrees: 12 },
    ]);
    expect(results[2]!.payload).toMatchObject({
      is_error: true,
      output: expect.stringContaining("get_weather was not run") as string,
    });
    expect(never.ran).toEqual([]);
  });
});

const REFUND = [{ type: "function", function: { name: "issue_refund", parameters: { type: "object" } } }];

/** A world in which nobody ever refunded anything. */
async function worldWithoutRefunds() {
  return record("What is the weather?");
}

describe("an effect never runs", () => {
  it.each([
    { how: "an async function", make: (run: (input: unknown) => void) => async (input: object) => run(input) },
    { how: "a function", make: (run: (input: unknown) => void) => (input: object) => run(input) },
    {
      how: "an async generator",
      make: (run: (input: unknown) => void) =>
        async function* (input: object) {
          run(input);
          yield 1;
        },
    },
    {
      how: "a generator",
      make: (run: (input: unknown) => void) =>
        function* (input: object) {
          run(input);
          yield 1;
        },
    },
    {
      how: "one that throws",
      make: (run: (input: unknown) => void) => (input: object) => {
        run(input);
        throw new Error("ran");
      },
    },
  ])("wrapped, as $how: each of two parallel calls is refused", async ({ make }) => {
    const from = await worldWithoutRefunds();
    for (const miss of ["refuse", "live-reads"] as const) {
      const never = canary();
      const { recorder, dir } = recorderIn({ replay: { from, miss } });
      const tools = recorder.wrapTools({ issue_refund: make(never.run) as (input: object) => unknown });
      const used = async (input: object) => {
        const given = tools.issue_refund(input);
        if (typeof (given as { next?: unknown }).next !== "function") return given;
        let last: unknown;
        for await (const value of given as AsyncIterable<unknown>) last = value;
        return last;
      };
      const fetch = recorder.wrapFetch();
      await recorder.session({ scenario: "s" }, () =>
        runAgent(fetch, "PARALLEL refund", { issue_refund: used }, { offers: REFUND }),
      );
      recorder.close();
      expect(never.ran).toEqual([]);
      const results = recordsIn(dir).filter(({ kind }) => kind === "tool_result");
      expect(results.map(({ meta, payload }) => [member(meta, "stand_in"), member(payload, "is_error")])).toEqual([
        ["refused", true],
        ["refused", true],
      ]);
    }
  });

  it.each(["live", "recorded"] as const)(
    "not wrapped, model %s: the answer that asks for it is not handed on",
    async (model) => {
      const from = await record("PARALLEL weather", weather);
      const { recorder } = recorderIn({ replay: { from, model } });
      const asked = server.exchanges.length;
      const never = canary();
      const tools = { get_weather: async (input: object) => never.run(input) };
      const fetch = recorder.wrapFetch();
      const run = () => runAgent(fetch, "PARALLEL weather", tools);
      const first = await recorder.session({ id: "a", scenario: "s" }, run);
      // Clients try again: the model is not asked a second time.
      await recorder.session({ id: "a", scenario: "s" }, run);
      expect(first).toMatchObject({
        status: 502,
        error: { error: { message: expect.stringContaining("get_weather") as string } },
      });
      expect(JSON.stringify(first)).toContain("replay.tools-open");
      expect(server.exchanges.length - asked).toBe(model === "live" ? 1 : 0);
      expect(never.ran).toEqual([]);
    },
  );

  it("a stream that asks for it is held back as well", async () => {
    const from = await worldWithoutRefunds();
    const never = canary();
    const { recorder } = recorderIn({ replay: { from } });
    const fetch = recorder.wrapFetch();
    const tools = { issue_refund: async (input: object) => never.run(input) };
    const done = await recorder.session({ scenario: "s" }, () =>
      runAgent(fetch, "refund", tools, { stream: true, offers: REFUND }),
    );
    expect(done).toMatchObject({ status: 502 });
    expect(never.ran).toEqual([]);
  });

  it("of a framework that nobody knows: it cannot be wrapped, which is said at once", async () => {
    const { recorder } = recorderIn({ replay: { from: await worldWithoutRefunds() } });
    expect(() => recorder.wrapTools({ issue_refund: { type: "exotic", perform() {} } })).toThrow(
      /no tool that can be guarded/,
    );
  });

  it("whose arguments cannot be read does not run", async () => {
    const never = canary();
    const { recorder } = recorderIn({ replay: { from: await worldWithoutRefunds() } });
    const tools = recorder.wrapTools({ issue_refund: async (input: object) => never.run(input) });
    const circle: Record<string, unknown> = {};
    circle["again"] = circle;
    await recorder.session({ scenario: "s" }, () => expect(tools.issue_refund(circle)).rejects.toThrow());
    expect(never.ran).toEqual([]);
  });

  it("that the configuration calls live needs to be allowed", async () => {
    const from = await worldWithoutRefunds();
    const toolRules = { issue_refund: { live: true } };
    expect(() => createRecorder({ replay: { from, toolRules } })).toThrow(/issue_refund may change the world/);
    const once = canary();
    const { recorder } = recorderIn({ replay: { from, toolRules, allowEffects: true } });
    const tools = recorder.wrapTools({ issue_refund: async (input: object) => once.run(input) });
    await recorder.session({ scenario: "s" }, () => tools.issue_refund({ amount: 1 }));
    expect(once.ran).toEqual([{ amount: 1 }]);
  });

  it("of an MCP client: its calls are refused in its own form, its recorded ones are served", async () => {
    const ran: string[] = [];
    const client = {
      async callTool({ name }: { name: string; arguments?: object }) {
        ran.push(name);
        return { content: [{ type: "text", text: `${name} ran` }] };
      },
      async listTools() {
        return { tools: [{ name: "get_stock" }, { name: "issue_refund" }] };
      },
    };
    const recorded = recorderIn();
    const before = recorded.recorder.wrapTools(client);
    await recorded.recorder.session({ scenario: "s" }, () =>
      before.callTool({ name: "get_stock", arguments: { sku: 1 } }),
    );
    recorded.recorder.close();
    ran.length = 0;
    const { recorder } = recorderIn({ replay: { from: recorded.dir } });
    const tools = recorder.wrapTools(client);
    const call = (name: string, args: object) =>
      recorder.session({ id: "r", scenario: "s" }, () => tools.callTool({ name, arguments: args }));
    expect(await call("get_stock", { sku: 1 })).toEqual({ content: [{ type: "text", text: "get_stock ran" }] });
    expect(await call("issue_refund", { amount: 1 })).toMatchObject({ isError: true });
    expect(ran).toEqual([]);
    // What it lists is what stands behind the replay.
    await tools.listTools();
    const offered = await recorder.session({ id: "m", scenario: "s" }, () =>
      runAgent(
        recorder.wrapFetch(),
        "refund",
        { issue_refund: (input) => call("issue_refund", input) },
        { offers: REFUND },
      ),
    );
    expect(offered).toHaveProperty("text");
    expect(ran).toEqual([]);
  });
});

describe("misses", () => {
  it("live-reads runs what only reads", async () => {
    const from = await worldWithoutRefunds();
    const ran: string[] = [];
    const { recorder } = recorderIn({ replay: { from, miss: "live-reads" } });
    const tools = recorder.wrapTools({
      get_stock: async () => ran.push("get_stock"),
      cancel_order: async () => ran.push("cancel_order"),
      frobnicate: async () => ran.push("frobnicate"),
    });
    await recorder.session({ scenario: "s" }, async () => {
      await tools.get_stock();
      await tools.cancel_order();
      await tools.frobnicate();
    });
    expect(ran).toEqual(["get_stock"]);
  });

  it("stop ends the run: neither tool nor model answers any more", async () => {
    const from = await record("What is the weather?");
    const { recorder } = recorderIn({ replay: { from, miss: "stop" } });
    const tools = recorder.wrapTools({ get_weather: async () => 1 });
    const fetch = recorder.wrapFetch();
    await recorder.session({ id: "x", scenario: "s" }, async () => {
      await expect(tools.get_weather()).rejects.toThrow(/no call of get_weather with these arguments/);
      await expect((tools.get_weather as (input: object) => unknown)({ city: "Oslo", days: 1 })).rejects.toThrow();
      expect(await runAgent(fetch, "What is the weather?", {})).toMatchObject({ status: 400 });
    });
  });

  it("a model's request that was not recorded fails with what differs, in the API's own form, and is not tried again", async () => {
    const from = await record("What is the weather?");
    const { recorder } = recorderIn({ replay: { from, model: "recorded" } });
    const tools = recorder.wrapTools(weather);
    const fetch = recorder.wrapFetch();
    const done = await recorder.session({ scenario: "s" }, () =>
      runAgent(fetch, "What is the weather?", tools, { system: "Be short." }),
    );
    expect(done).toMatchObject({
      status: 400,
      error: { error: { type: "invalid_request_error", code: "replay.miss" } },
    });
    expect(JSON.stringify(done)).toContain("Be short.");
  });

  it("a recorded failure fails again, without the tool", async () => {
    const failing = {
      get_weather: async () => {
        throw new RangeError("no such city");
      },
    };
    const { recorder: first, dir: from } = recorderIn();
    const before = first.wrapTools(failing);
    await first.session({ scenario: "s" }, () => expect(before.get_weather()).rejects.toThrow("no such city"));
    first.close();
    const never = canary();
    const { recorder } = recorderIn({ replay: { from } });
    const tools = recorder.wrapTools({ get_weather: async () => never.run(1) });
    await recorder.session({ scenario: "s" }, () => expect(tools.get_weather()).rejects.toThrow("no such city"));
    expect(never.ran).toEqual([]);
  });
});

describe("what differs from run to run", () => {
  it("ids, times and secrets in a request are no other request", async () => {
    const say = (id: string, secret: string) => `TEXT session ${id} of 2026-03-04T10:11:12Z with ${secret}`;
    const one = say("6b1f2c1e-8f7d-4b52-9a55-0f9a4a3e7a10", "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789");
    const from = await record(one);
    expect(
      readFileSync(join(from, readdirSync(from).find((name) => name.endsWith(".agentlog"))!), "utf8"),
    ).not.toContain("sk-proj-abc");
    const { recorder } = recorderIn({ replay: { from, model: "recorded" } });
    const other = say("11111111-2222-4333-8444-555555555555", "sk-proj-zyxwvutsrqponmlkjihgfedcba9876543210").replace(
      "2026-03-04T10:11:12Z",
      "2026-05-06T07:08:09Z",
    );
    const done = await recorder.session({ scenario: "s" }, () => runAgent(recorder.wrapFetch(), other, {}));
    expect(done).toHaveProperty("text");
  });

  it("and what a mask of one's own names", async () => {
    const from = await record("TEXT build 77-alpha");
    const ask = async (mask: readonly string[]) => {
      const { recorder } = recorderIn({ replay: { from, model: "recorded", mask } });
      return recorder.session({ scenario: "s" }, () => runAgent(recorder.wrapFetch(), "TEXT build 78-beta", {}));
    };
    expect(await ask([])).toMatchObject({ status: 400 });
    expect(await ask(["build [0-9]+-[a-z]+"])).toHaveProperty("text");
  });
});

describe("guard, replay and recorder around one tool", () => {
  const policy = parsePolicy(
    JSON.stringify([
      { id: "no-refund", kind: "no_call", params: { tool: "issue_refund" } },
      { id: "no-secret", kind: "no_result", params: { matching: ["hunter2"] } },
    ]),
    { file: "policy.json" },
  );

  it("the guard is asked first, and judges what is served", async () => {
    const { recorder: first, dir: from } = recorderIn();
    const before = first.wrapTools({ issue_refund: async () => "paid", get_secret: async () => "hunter2" });
    await first.session({ scenario: "s" }, async () => {
      await before.issue_refund();
      await before.get_secret();
    });
    first.close();
    const never = canary();
    const { recorder, dir } = recorderIn({ guard: createGuard(policy), replay: { from } });
    const tools = recorder.wrapTools({ issue_refund: async () => never.run(1), get_secret: async () => never.run(2) });
    const [refund, secret] = await recorder.session({ scenario: "s" }, async () => [
      await tools.issue_refund(),
      await tools.get_secret(),
    ]);
    recorder.close();
    expect(String(refund)).toContain("no-refund");
    expect(String(secret)).not.toContain("hunter2");
    expect(never.ran).toEqual([]);
    const results = recordsIn(dir).filter(({ kind }) => kind === "tool_result");
    // Recorded after a refund that the guard did not let happen again.
    expect(results.map(({ meta }) => member(meta, "stand_in"))).toEqual(["stale"]);
    expect(JSON.stringify(results)).not.toContain("hunter2");
  });

  it("a disk that takes nothing opens neither", async () => {
    const from = await worldWithoutRefunds();
    const never = canary();
    const { recorder } = recorderIn({ dir: "/dev/full/recording", guard: createGuard(policy), replay: { from } });
    const tools = recorder.wrapTools({ issue_refund: async () => never.run(1), book_flight: async () => never.run(2) });
    const [refund, flight] = await recorder.session({ scenario: "s" }, async () => [
      await tools.issue_refund(),
      await tools.book_flight(),
    ]);
    expect([String(refund).includes("no-refund"), String(flight).includes("was not run")]).toEqual([true, true]);
    expect(never.ran).toEqual([]);
  });
});
