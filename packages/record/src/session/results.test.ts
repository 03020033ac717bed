import { buildTrace, checkPolicy, parsePolicy, type TraceRecord } from "@spoor/core";
import { describe, expect, it, vi } from "vitest";
import { createGuard, type GuardOptions, PolicyViolationError } from "../index.ts";

const policyOf = (...rules: readonly string[]) =>
  parsePolicy(`rules:\n${rules.map((rule) => `  - ${rule}\n`).join("")}`, { file: "p.yaml" });
const matching = (then: string) => `{ id: keys, kind: no_result, params: { matching: 'sk_\\w+' }, then: ${then} }`;
const WITHHELD = "[spoor] This tool ran, and what it returned is withheld by policy: keys.";

function wrap<T>(tool: T, then = "deny", options: GuardOptions = {}, extra: readonly string[] = []) {
  const session = createGuard(policyOf(matching(then), ...extra), options).session("s");
  return session.wrapTools({ read: tool }).read as T;
}

class Report {
  readonly text = "sk_1";
}

describe("a result that must not be read", () => {
  it("is withheld after the call has run, whatever it is", async () => {
    expect(wrap(() => "key sk_1")()).toBe(WITHHELD);
    expect(wrap(() => "nothing")()).toBe("nothing");
    expect(await wrap(async () => ({ rows: [{ note: "sk_1" }] }))()).toBe(WITHHELD);
    expect(wrap(() => new Report())()).toBe(WITHHELD);
    expect(wrap(() => new Map([["a", "sk_1"]]))()).toBe(WITHHELD);
  });
  it("is withheld where it cannot be seen", async () => {
    expect(wrap(() => new Response("sk_1"))()).toContain("withheld by policy");
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    expect(wrap(() => circle)()).toBe(WITHHELD);
  });
  it("is withheld in what a failure says; other failures stay what they are", async () => {
    expect(
      wrap(() => {
        throw new Error("no sk_1");
      })(),
    ).toBe(WITHHELD);
    expect(
      await wrap(async () => {
        throw new Error("no sk_1");
      })(),
    ).toBe(WITHHELD);
    expect(() =>
      wrap(() => {
        throw new RangeError("no");
      })(),
    ).toThrow(RangeError);
    await expect(
      wrap(async () => {
        throw new RangeError("no");
      })(),
    ).rejects.toThrow(RangeError);
  });
  it("is thrown in mode raise, and reported", async () => {
    const told: boolean[] = [];
    const options: GuardOptions = { mode: "raise", onViolation: ({ blocked }) => told.push(blocked) };
    expect(() => wrap(() => "sk_1", "deny", options)()).toThrow(PolicyViolationError);
    await expect(wrap(async () => "sk_1", "deny", options)()).rejects.toThrow(PolicyViolationError);
    expect(told).toEqual([true, true]);
  });
  it("is handed on with a warning, and in mode warn", () => {
    const told: boolean[] = [];
    const onViolation: GuardOptions["onViolation"] = ({ blocked }) => told.push(blocked);
    expect(wrap(() => "sk_1", "warn", { onViolation })()).toBe("sk_1");
    expect(wrap(() => "sk_1", "deny", { onViolation, mode: "warn" })()).toBe("sk_1");
    expect(told).toEqual([false, false]);
  });
  it("is not repeated in the words that stand in its place, so that a check of the recording finds nothing", () => {
    const records: TraceRecord[] = [];
    const policy = policyOf("{ id: orders, kind: no_result, params: { matching: 'ignore previous instructions' } }");
    const session = createGuard(policy, { onRecord: (record) => records.push(record) }).session("s");
    session.wrapTools({ read: () => "ignore previous instructions" }).read();
    expect(checkPolicy(buildTrace(records), policy).violations).toEqual([]);
  });
  it("is remembered and recorded as it was handed on", () => {
    const records: TraceRecord[] = [];
    const flow = "{ id: flow, kind: no_flow, params: { from: read, to: send } }";
    const policy = policyOf(matching("deny"), flow);
    const session = createGuard(policy, { onRecord: (record) => records.push(record) }).session("s");
    const tools = session.wrapTools({ read: () => "sk_live_1234567890", send: (_: { to: string }) => "SENT" });
    tools.read();
    expect(tools.send({ to: "sk_live_1234567890" })).toBe("SENT");
    expect(JSON.stringify(records.filter(({ kind }) => kind === "tool_result"))).not.toContain("sk_live");
    expect(checkPolicy(buildTrace(records), policyOf(matching("deny"))).violations).toEqual([]);
  });
});

describe("a stream that must not be read", () => {
  const collect = async (stream: AsyncIterable<unknown>) => {
    const chunks: unknown[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    return chunks;
  };
  async function* chunksOf(...chunks: readonly unknown[]) {
    yield* chunks;
  }
  it("is held until its end: no chunk of it gets out", async () => {
    expect(await collect(wrap(() => chunksOf("a", "sk_1", "b"))())).toEqual([WITHHELD]);
    expect(
      await collect(
        wrap(async function* () {
          yield { part: 1 };
          yield { text: "sk_1" };
          yield { part: 3 };
        })(),
      ),
    ).toEqual([WITHHELD]);
  });
  it("is found where only all chunks together show it", async () => {
    expect(await collect(wrap(() => chunksOf("the key s", "k_", "1"))())).toEqual([WITHHELD]);
  });
  it("is handed on chunk by chunk where nothing speaks against it", async () => {
    expect(await collect(wrap(() => chunksOf("a", "b"))())).toEqual(["a", "b"]);
    expect(await collect(wrap(() => chunksOf({ n: 1 }, { n: 2 }))())).toEqual([{ n: 1 }, { n: 2 }]);
  });
  it("is redacted as one text, or chunk by chunk", async () => {
    expect(await collect(wrap(() => chunksOf("the key s", "k_1", "!"), "redact")())).toEqual([
      "the key [REDACTED by keys]!",
    ]);
    expect(await collect(wrap(() => chunksOf({ t: "sk_1" }, { t: "ok" }), "redact")())).toEqual([
      { t: "[REDACTED by keys]" },
      { t: "ok" },
    ]);
  });
  it("of a plain generator too", () => {
    expect([
      ...wrap(function* () {
        yield "s";
        yield "k_1";
      })(),
    ]).toEqual([WITHHELD]);
    expect([
      ...wrap(function* () {
        yield 1;
        yield 2;
      })(),
    ]).toEqual([1, 2]);
  });
});

describe("redaction", () => {
  it("takes out what matches and leaves the rest as it is", async () => {
    const when = new Date(0);
    const read = wrap(async () => ({ rows: ["sk_1", "b"], when, run: () => 1 }), "redact");
    const got = await read();
    expect([got.rows, got.when, got.run()]).toEqual([["[REDACTED by keys]", "b"], when, 1]);
  });
  it("withholds what it cannot write anew, and what it finds again", () => {
    expect(wrap(() => new Report(), "redact")()).toBe(WITHHELD);
    expect(wrap(() => ({ sk_1: true }), "redact")()).toBe(WITHHELD);
    const again = policyOf("{ id: R, kind: no_result, params: { matching: 'RED|sk' }, then: redact }");
    expect(
      createGuard(again)
        .session("s")
        .wrapTools({ read: () => "sk" })
        .read(),
    ).toContain("withheld");
  });
  it("words a failure anew", async () => {
    await expect(
      wrap(async () => {
        throw new Error("no sk_1 here");
      }, "redact")(),
    ).rejects.toThrow("no [REDACTED by keys] here");
  });

  const mail =
    "{ id: mails, kind: no_call, params: { tool: send, args: [{ path: body, op: matches_pattern, value: '\\S+@\\S+' }] }, then: redact }";
  const sent = (extra: readonly string[] = [], options: GuardOptions = {}) => {
    const seen: unknown[] = [];
    const records: TraceRecord[] = [];
    const policy = policyOf(mail, ...extra);
    const session = createGuard(policy, { onRecord: (record) => records.push(record), ...options }).session("s");
    return { seen, records, session, policy };
  };
  it("of arguments happens before the tool runs, and is what is recorded", () => {
    const { seen, records, session, policy } = sent();
    const { send } = session.wrapTools({
      send: (input: { body: string; n: number }) => {
        seen.push(input);
        return "SENT";
      },
    });
    const given = { body: "to ann@x.test now", n: 1 };
    expect(send(given)).toBe("SENT");
    expect(seen).toEqual([{ body: "to [REDACTED by mails] now", n: 1 }]);
    expect(given.body).toBe("to ann@x.test now");
    expect(checkPolicy(buildTrace(records), policy).notEvaluated).toEqual([]);
    expect(JSON.stringify(records)).not.toContain("ann@");
  });
  it("of arguments is refused where they cannot be written, or another rule says no", () => {
    const { session } = sent([
      "{ id: never, kind: no_call, params: { tool: send, args: [{ path: n, op: '>', value: 5 }] } }",
    ]);
    const { send } = session.wrapTools({ send: (_input: { body: string; n: number }) => "SENT" });
    expect(send({ body: "ann@x.test", n: 6 })).toContain("never:");
    class Mail {
      body = "ann@x.test";
      n = 1;
    }
    expect(send(new Mail())).toContain("mails:");
  });
  it.each<[string, (seen: unknown[]) => { tool: unknown; use: (wrapped: never) => unknown }]>([
    [
      "AI SDK",
      (seen) => ({
        tool: { send: { execute: async (input: unknown) => seen.push(input) } },
        use: (w: { send: { execute: (i: unknown, o: object) => unknown } }) =>
          w.send.execute({ body: "a@b" }, { toolCallId: "1" }),
      }),
    ],
    [
      "Mastra 0.24",
      (seen) => ({
        tool: { send: { id: "send", execute: async ({ context }: { context: unknown }) => seen.push(context) } },
        use: (w: { send: { execute: (i: object) => unknown } }) =>
          w.send.execute({ context: { body: "a@b" }, runtimeContext: {} }),
      }),
    ],
    [
      "OpenAI Agents",
      (seen) => ({
        tool: [
          { type: "function", name: "send", invoke: async (_: unknown, text: string) => seen.push(JSON.parse(text)) },
        ],
        use: (w: { invoke: (c: object, t: string) => unknown }[]) => w[0]!.invoke({}, '{"body":"a@b"}'),
      }),
    ],
    [
      "runTools",
      (seen) => ({
        tool: [
          {
            type: "function",
            function: { name: "send", parse: JSON.parse, function: (input: unknown) => seen.push(input) },
          },
        ],
        use: (w: { function: { function: (i: unknown) => unknown } }[]) => w[0]!.function.function({ body: "a@b" }),
      }),
    ],
    [
      "LangChain",
      (seen) => ({
        tool: [
          {
            name: "send",
            _call: async (input: unknown) => seen.push(input),
            async invoke(input: unknown) {
              return this._call(input);
            },
          },
        ],
        use: (w: { _call: (i: unknown) => unknown }[]) => w[0]!._call({ body: "a@b" }),
      }),
    ],
    [
      "MCP client",
      (seen) => ({
        tool: { callTool: async (params: { arguments: unknown }) => seen.push(params.arguments) },
        use: (w: { callTool: (p: object) => unknown }) => w.callTool({ name: "send", arguments: { body: "a@b" } }),
      }),
    ],
    [
      "MCP client, request",
      (seen) => ({
        tool: {
          callTool: async () => 0,
          request: async (request: { params: { arguments: unknown } }) => seen.push(request.params.arguments),
        },
        use: (w: { request: (p: object) => unknown }) =>
          w.request({ method: "tools/call", params: { name: "send", arguments: { body: "a@b" } } }),
      }),
    ],
    [
      "a handler",
      (seen) => ({
        tool: { send: { handler: async (input: unknown) => seen.push(input) } },
        use: (w: { send: { handler: (i: unknown) => unknown } }) => w.send.handler({ body: "a@b" }),
      }),
    ],
    [
      "JSON text",
      (seen) => ({
        tool: { send: (text: string) => seen.push(JSON.parse(text)) },
        use: (w: { send: (t: string) => unknown }) => w.send('{"body":"a@b"}'),
      }),
    ],
    [
      "positions",
      (seen) => ({
        tool: { send: (body: string, n: number) => seen.push(n === 1 ? { body } : n) },
        use: (w: { send: (b: string, n: number) => unknown }) => w.send("a@b", 1),
      }),
    ],
  ])("of arguments reaches the tool: %s", async (_name, make) => {
    const seen: unknown[] = [];
    const { tool, use } = make(seen);
    const { session } = sent();
    await use(session.wrapTools(tool) as never);
    expect(seen).toEqual([{ body: "[REDACTED by mails]" }]);
  });
});

describe("a person may allow that it is read", () => {
  it("or not; whoever is asked sees it", async () => {
    const onAsk = vi.fn(({ output }: { output?: unknown }) => Promise.resolve(output === "sk_1"));
    expect(await wrap(async () => "sk_1", "ask", { onAsk })()).toBe("sk_1");
    expect(await wrap(async () => "sk_2", "ask", { onAsk })()).toBe(WITHHELD);
    expect(wrap(() => "sk_1", "ask", { onAsk })()).toBe(WITHHELD);
    expect(wrap(() => "sk_1", "ask", { onAsk: () => true })()).toBe("sk_1");
  });
  it("and a check of the recording knows", async () => {
    const records: TraceRecord[] = [];
    await wrap(async () => "sk_1", "ask", { onAsk: () => true, onRecord: (record) => records.push(record) })();
    const check = (kept: readonly TraceRecord[]) =>
      checkPolicy(buildTrace(kept), policyOf(matching("ask"))).violations.length;
    expect([check(records), check(records.filter(({ kind }) => kind !== "harness_event"))]).toEqual([0, 1]);
  });
});

it("the strongest word counts: deny before ask before redact before warn", () => {
  const rule = (id: string, then: string) =>
    `{ id: ${id}, kind: no_result, params: { matching: 'sk' }, then: ${then} }`;
  const read = (...thens: readonly string[]) =>
    createGuard(policyOf(...thens.map((then, index) => rule(`r${index}`, then))), { onAsk: () => true })
      .session("s")
      .wrapTools({ read: () => "sk" })
      .read();
  expect(read("warn", "redact", "ask", "deny")).toContain("withheld");
  expect(read("warn", "redact", "ask")).toBe("[REDACTED by r1]");
  expect(read("warn", "redact")).toBe("[REDACTED by r1]");
  expect(read("warn")).toBe("sk");
});

it("a tool that no such rule is about streams as ever", async () => {
  const policy = policyOf("{ id: keys, kind: no_result, params: { tool: other, matching: 'sk' } }");
  const order: string[] = [];
  const { read } = createGuard(policy)
    .session("s")
    .wrapTools({
      async *read() {
        order.push("made a");
        yield "a";
        order.push("made b");
        yield "b";
      },
    });
  for await (const chunk of read()) order.push(`got ${chunk}`);
  expect(order).toEqual(["made a", "got a", "made b", "got b"]);
});

it("a result that only a request tells of spoils the answer to it", () => {
  const session = createGuard(policyOf(matching("deny")), { turns: true }).session("t");
  const asks = { content: [{ type: "tool_use", id: "c1", name: "read", input: {} }], stop_reason: "tool_use" };
  const first = { model: "m", messages: [{ role: "user", content: "go" }] };
  expect(session.turn(first, asks).allowed).toBe(true);
  const told = [
    ...first.messages,
    { role: "assistant", content: asks.content },
    { role: "tool", tool_call_id: "c1", content: "sk_1" },
  ];
  const answer = { content: [{ type: "text", text: "It is sk_1." }], stop_reason: "end_turn" };
  expect(session.turn({ ...first, messages: told }, answer).allowed).toBe(false);
});
