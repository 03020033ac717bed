/** What a guard does at its edges: announced calls, who acts, what runs at once, results that are told, shapes it refuses. */
import { parsePolicy } from "@spoor/core/internal/policy/parse-policy";
import type { Json, JsonObject } from "@spoor/core/internal/trace/json";
import { describe, expect, it } from "vitest";
import { createGuard, type GuardOptions, type SessionInfo } from "./index.ts";

const rule = (kind: string, params: JsonObject, extra: JsonObject = {}) => ({ id: "r", kind, params, ...extra });
const guardOf = (rules: JsonObject | JsonObject[], options: GuardOptions = {}) =>
  createGuard(parsePolicy(JSON.stringify([rules].flat()), { file: "policy.json" }), options);

const request: JsonObject = { model: "m-1", messages: [{ role: "user", content: "hello" }] };
const asking = (...calls: [string, JsonObject, string?][]): JsonObject => ({
  model: "m-1",
  content: calls.map(([name, input, id], index) => ({ type: "tool_use", id: id ?? `c${index + 1}`, name, input })),
  stop_reason: "tool_use",
});
const says = (text: string): JsonObject => ({
  model: "m-1",
  content: [{ type: "text", text }],
  stop_reason: "end_turn",
});

/** AI SDK tools that note what really ran. */
function tools() {
  const ran: [string, Json][] = [];
  const tool = (name: string) => ({
    description: name,
    execute: async (input: JsonObject, _options?: { toolCallId: string }) => {
      ran.push([name, input]);
      return "RAN";
    },
  });
  return { ran, read: tool("read"), del: tool("del"), issue_refund: tool("issue_refund"), confirm: tool("confirm") };
}

describe("an announced call is the call that was announced", () => {
  const rules = [
    { ...rule("no_call", { tool: "del" }), id: "never" },
    { ...rule("no_call", { tool: "issue_refund", args: [{ path: "amount", op: ">", value: 75 }] }), id: "most" },
    { ...rule("max_calls", { tool: "issue_refund", limit: 1 }), id: "once" },
  ];
  function announced() {
    const { ran, ...all } = tools();
    const session = guardOf(rules, { turns: true }).session("s");
    const wrapped = session.wrapTools(all);
    expect(session.turn(request, asking(["read", {}], ["issue_refund", { amount: 5 }])).allowed).toBe(true);
    return { ran, wrapped };
  }

  it("another tool under its id is judged", async () => {
    const { ran, wrapped } = announced();
    expect(await wrapped.del.execute({}, { toolCallId: "c1" })).toMatch(/did not run/);
    expect(ran).toEqual([]);
  });

  it("other arguments under its id are judged", async () => {
    const { ran, wrapped } = announced();
    expect(await wrapped.issue_refund.execute({ amount: 5000 }, { toolCallId: "c2" })).toMatch(/did not run/);
    expect(ran).toEqual([]);
  });

  it.each<[string, JsonObject, string | undefined]>([
    ["as announced, by id", { amount: 5 }, "c2"],
    ["as announced, without an id", { amount: 5 }, undefined],
    ["with a default filled in, by id", { amount: 5, currency: "EUR" }, "c2"],
    ["with a default filled in, without an id", { amount: 5, currency: "EUR" }, undefined],
    ["with a text made a number, by id", { amount: 6 }, "c2"],
  ])("is counted once %s", async (_name, input, toolCallId) => {
    const { ran, wrapped } = announced();
    const options = toolCallId === undefined ? [] : [{ toolCallId }];
    expect(await wrapped.issue_refund.execute(input, ...(options as [{ toolCallId: string }]))).toBe("RAN");
    expect(await wrapped.issue_refund.execute({ amount: 5 }, { toolCallId: "c9" })).toMatch(/did not run/);
    expect(ran).toEqual([["issue_refund", input]]);
  });

  it("that never starts uses nothing up", async () => {
    const { ran, ...all } = tools();
    const session = guardOf(rules, { turns: true }).session("s");
    const wrapped = session.wrapTools(all);
    session.turn(request, asking(["issue_refund", { amount: 5 }]));
    session.turn(request, says("The customer changed their mind."));
    expect(await wrapped.issue_refund.execute({ amount: 6 }, { toolCallId: "c7" })).toBe("RAN");
    expect(ran).toHaveLength(1);
  });

  it("of a tool that nobody wrapped counts when the conversation goes on", () => {
    const session = guardOf(rules, { turns: true }).session("s");
    expect(session.turn(request, asking(["issue_refund", { amount: 5 }, "a"])).allowed).toBe(true);
    expect(session.turn(request, asking(["issue_refund", { amount: 5 }, "b"])).allowed).toBe(false);
  });

  it("and one that is judged by hand is not judged on top of itself", () => {
    const session = guardOf(rules, { turns: true }).session("s");
    session.turn(request, asking(["issue_refund", { amount: 5 }, "a"]));
    expect(session.judgeCall("issue_refund", { amount: 5, currency: "EUR" }, "a").allowed).toBe(true);
    expect(session.judgeCall("issue_refund", { amount: 5 }, "b").allowed).toBe(false);
  });
});

describe("a rule that needs what the guard is not shown is refused when the guard is made", () => {
  const del = { tool: "del" };
  it.each<[string, JsonObject, RegExp]>([
    [
      "when",
      rule("no_call", del, { when: [{ path: "model", op: "==", value: "m" }] }),
      /Rule r has a `when` that looks at requests or responses.*turns: true/,
    ],
    ["a text", rule("forbidden_text", { text: "x" }), /whole responses/],
    ["a budget", rule("max_total_tokens", { limit: 1 }), /whole responses/],
    ["turns", rule("max_turns", { limit: 1 }), /whole responses/],
    ["a formula over turns", rule("ltl_formula", { formula: "G (tool_call:a -> F tool_call:b)" }), /whole responses/],
    ["a baseline", rule("known_path", {}), /compares whole runs/],
  ])("%s", (_name, one, words) => {
    expect(() => guardOf(one)).toThrow(expect.objectContaining({ code: "guard.needs" }));
    expect(() => guardOf(one)).toThrow(words);
    expect(() => guardOf(one, { leave: ["r"] })).not.toThrow();
  });

  it.each<[string, JsonObject, SessionInfo, SessionInfo]>([
    ["an agent", rule("no_call", del, { agent: "researcher" }), {}, { agent: "main" }],
    [
      "a user",
      rule("no_call", del, { when: [{ path: "principal.user.role", op: "!=", value: "admin" }] }),
      { user: "eve" },
      { user: { role: "clerk" } },
    ],
    [
      "a context",
      rule("no_call", del, { when: [{ path: "context.tenant", op: "==", value: "t" }] }),
      { user: "eve" },
      { context: { tenant: "t" } },
    ],
  ])("or its session is opened: %s", (_name, one, without, stated) => {
    const guard = guardOf(one);
    expect(() => guard.session("s", without)).toThrow(/guard\.session\(id, \{ agent/);
    expect(() => guard.wrapTools({ del: () => "RAN" })).toThrow(/guard\.session\(id, \{ agent/);
    expect(() => guard.session("s", stated)).not.toThrow();
  });

  it("all of them at once, with their lines; and leave must name rules", () => {
    const two = [rule("max_turns", { limit: 1 }), { ...rule("forbidden_text", { text: "x" }), id: "q" }];
    expect(() => guardOf(two)).toThrow(/Rule r .*Rule q /);
    expect(() => guardOf(two, { leave: ["r", "typo"] })).toThrow(/leave names typo/);
  });

  it("formulas that only forbid tools mean the same without turns", () => {
    const wrapped = guardOf(rule("ltl_formula", { formula: "G !tool_call:del" })).wrapTools({ del: () => "RAN" });
    expect(wrapped.del()).toMatch(/did not run/);
  });
});

describe("who acts", () => {
  it("is said by the session and by the tools", () => {
    const session = guardOf(rule("no_call", { tool: "del" }, { agent: "researcher" })).session("s", { agent: "main" });
    const del = () => "RAN";
    expect(session.wrapTools({ del }).del()).toBe("RAN");
    expect(session.wrapTools({ del }, { agent: "researcher" }).del()).toMatch(/did not run/);
    expect(session.judgeCall("del", {}, undefined, { agent: "researcher" }).allowed).toBe(false);
  });

  it("is said by the turn", () => {
    const guard = guardOf(rule("no_call", { tool: "del" }, { agent: "researcher" }), { turns: true });
    const session = guard.session("s", { agent: "main" });
    expect(session.turn(request, asking(["del", {}])).allowed).toBe(true);
    expect(session.turn(request, asking(["del", {}]), { agent: "researcher" }).allowed).toBe(false);
  });

  it.each<[string, SessionInfo, boolean]>([
    ["a clerk", { user: { role: "clerk" }, context: { channel: "chat" } }, false],
    ["an admin", { user: { role: "admin" }, context: { channel: "chat" } }, true],
  ])("principal and context stand in when, before any turn and after: %s", (_name, info, allowed) => {
    const when = [
      { path: "principal.user.role", op: "!=", value: "admin" },
      { path: "context.channel", op: "==", value: "chat" },
    ];
    const session = guardOf(rule("no_call", { tool: "del" }, { when })).session("s", info);
    expect(session.judgeCall("del", {}).allowed).toBe(allowed);
    session.turn(request, says("x"));
    expect(session.judgeCall("del", {}).allowed).toBe(allowed);
    expect(session.turn(request, asking(["del", {}])).allowed).toBe(allowed);
  });
});

describe("when, before the first response", () => {
  const when = [{ path: "model", op: "==", value: "m-1" }];
  it("a call that the rule might forbid is refused; others run, and count once a response matches", () => {
    const session = guardOf(rule("max_calls", { tool: "del", limit: 1 }, { when }), { turns: true }).session("s");
    expect(session.judgeCall("read", {}).allowed).toBe(true);
    expect(session.judgeCall("del", {}).allowed).toBe(true);
    const second = session.judgeCall("del", {});
    expect(second.allowed).toBe(false);
    expect(second.violations[0]!.message).toMatch(/none has been shown to the guard yet/);
    session.turn(request, says("x"));
    expect(session.judgeCall("del", {}).allowed).toBe(false);
  });

  it("a response that does not match lets them go", () => {
    const session = guardOf(rule("no_call", { tool: "del" }, { when }), { turns: true }).session("s");
    expect(session.judgeCall("del", {}).allowed).toBe(false);
    session.turn({ ...request, model: "m-2" }, says("x"));
    expect(session.judgeCall("del", {}).allowed).toBe(true);
  });
});

describe("what runs at once", () => {
  const slow = () => {
    let most = 0;
    let now = 0;
    const pay = async (_input: JsonObject) => {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setImmediate(resolve));
      now--;
      return "RAN";
    };
    return { pay, most: () => most };
  };

  it("no_parallel holds for calls that overlap, and only for those", async () => {
    const { pay, most } = slow();
    const wrapped = guardOf(rule("no_parallel", { tools: ["pay"] })).wrapTools({ pay, other: pay });
    const answers = await Promise.all([wrapped.pay({}), wrapped.other({}), wrapped.pay({}), wrapped.pay({})]);
    expect(answers.filter((answer) => answer === "RAN")).toHaveLength(2);
    expect(most()).toBe(2);
    expect(await wrapped.pay({})).toBe("RAN");
  });

  it("a tool that failed, a stream that was left and a call of another tool do not block for ever", async () => {
    const wrapped = guardOf(rule("no_parallel", { tools: ["pay", "stream"] })).wrapTools({
      pay: async (_input: JsonObject) => Promise.reject(new Error("no")),
      stream: async function* (_input: JsonObject) {
        yield 1;
        yield 2;
      },
    });
    await expect(wrapped.pay({})).rejects.toThrow("no");
    const stream = wrapped.stream({});
    await expect(wrapped.pay({})).resolves.toMatch(/side by side with stream/);
    for await (const _value of stream) break;
    await expect(wrapped.pay({})).rejects.toThrow("no");
  });

  it("two tools that may not meet", async () => {
    const { pay } = slow();
    const wrapped = guardOf(rule("no_parallel", { tools: ["pay", "refund"] })).wrapTools({ pay, refund: pay });
    const [first, second] = await Promise.all([wrapped.pay({}), wrapped.refund({})]);
    expect([first, second]).toEqual(["RAN", expect.stringMatching(/refund runs side by side with pay/)]);
  });
});

describe("an order is kept by a call that succeeded", () => {
  const order = rule("must_call_before", { first: "confirm", second: "issue_refund" });
  const refund = async (_input: JsonObject) => "REFUNDED";

  it.each<[string, () => unknown]>([
    ["one that threw", async () => Promise.reject(new Error("customer said no"))],
    [
      "one that threw at once",
      () => {
        throw new Error("customer said no");
      },
    ],
    [
      "a stream that broke off",
      async function* () {
        yield 1;
        throw new Error("customer said no");
      },
    ],
  ])("not by %s", async (_name, confirm) => {
    const wrapped = guardOf(order).wrapTools({ confirm, issue_refund: refund });
    try {
      const returned = await wrapped.confirm();
      for await (const _value of returned as AsyncIterable<unknown>);
    } catch {
      // The agent goes on, as agents do.
    }
    expect(await wrapped.issue_refund({})).toMatch(/did not run/);
  });

  it("not by one that still runs, and by the same one when it has ended", async () => {
    const wrapped = guardOf(order).wrapTools({ confirm: async () => "yes", issue_refund: refund });
    const [, early] = await Promise.all([wrapped.confirm(), wrapped.issue_refund({})]);
    expect(early).toMatch(/did not run/);
    expect(await wrapped.issue_refund({})).toBe("REFUNDED");
  });

  it("not by one that was refused, or that the framework never started", async () => {
    const session = guardOf([order, { ...rule("no_call", { tool: "confirm" }), id: "never" }]).session("s");
    const wrapped = session.wrapTools({ confirm: async () => "yes", issue_refund: refund });
    await wrapped.confirm();
    expect(await wrapped.issue_refund({})).toMatch(/did not run/);
    const other = guardOf(order, { turns: true }).session("s");
    const tools = other.wrapTools({ confirm: async () => "yes", issue_refund: refund });
    other.turn(request, asking(["confirm", {}]));
    expect(await tools.issue_refund({})).toMatch(/did not run/);
  });

  it("not by an MCP tool that reports an error", async () => {
    const answers = [{ isError: true, content: [] }, { content: [] }, { content: [] }];
    const client = guardOf(order).wrapTools({ callTool: async (_params: JsonObject) => answers.shift()! });
    await client.callTool({ name: "confirm" });
    expect(await client.callTool({ name: "issue_refund" })).toMatchObject({ isError: true });
    await client.callTool({ name: "confirm" });
    expect(await client.callTool({ name: "issue_refund" })).not.toHaveProperty("isError");
  });

  it("and where nobody can tell whether it could be called, the call is refused", () => {
    const unsure = rule("must_call_before", { first: "a", second: "b", if_offered: true });
    expect(guardOf(unsure).session("s").judgeCall("b", {}).allowed).toBe(false);
  });
});

describe("what a tool returns", () => {
  const flow = rule("no_flow", { from: ["read"], to: ["send"] });
  const secret = "sk_live_1234567890";
  it.each<[string, () => unknown]>([
    [
      "a stream's last value",
      async function* () {
        yield "loading";
        yield { key: secret };
      },
    ],
    ["a Map", () => new Map([["key", secret]])],
    ["an object with a toJSON", () => ({ toJSON: () => ({ key: secret }) })],
  ])("%s is seen", async (_name, read) => {
    const session = guardOf(flow).session("s");
    const wrapped = session.wrapTools({ read, send: (_input: JsonObject) => "SENT" });
    const returned = wrapped.read();
    if (typeof returned === "object" && returned !== null && Symbol.asyncIterator in returned)
      for await (const _value of returned as AsyncIterable<unknown>);
    expect(wrapped.send({ text: secret })).toMatch(/did not run/);
  });

  it.each<[string, () => unknown]>([
    [
      "a circle",
      () => {
        const circle: Record<string, unknown> = {};
        circle["self"] = circle;
        return circle;
      },
    ],
    ["a web response", () => new Response("secret")],
    ["a stream of bytes", () => new Response("secret").body],
  ])("%s is not claimed to have been seen", (_name, read) => {
    const session = guardOf(flow).session("s");
    session.wrapTools({ read }).read();
    expect(session.close().notEvaluated).toHaveLength(1);
  });

  it("isError of MCP is a failure", async () => {
    const client = {
      callTool: async (_params: JsonObject) => ({ isError: true, content: [{ type: "text", text: "no" }] }),
    };
    const wrapped = guardOf(rule("no_blind_retry", {})).wrapTools(client);
    await wrapped.callTool({ name: "pay", arguments: { amount: 1 } });
    expect(await wrapped.callTool({ name: "pay", arguments: { amount: 1 } })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/did not run/) }],
    });
    expect(await wrapped.callTool({ name: "pay", arguments: { amount: 2 } })).toMatchObject({
      content: [{ text: "no" }],
    });
  });

  it("of a call that ran out of sight is heard from the next request", () => {
    const session = guardOf(flow, { turns: true }).session("s");
    session.turn(request, asking(["read", {}, "a"]));
    const next = {
      ...request,
      messages: [
        { role: "user", content: "hello" },
        { role: "assistant", content: [{ type: "tool_use", id: "a", name: "read", input: {} }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: `the key is ${secret}` }] },
      ],
    };
    expect(session.turn(next, asking(["send", { text: secret }, "b"])).allowed).toBe(false);
  });
});

describe("a refusal has the form its caller expects", () => {
  const never = rule("no_call", { tool: "del" });
  const streamed = async function* (_input: JsonObject) {
    yield "RAN";
  };
  it("a promise, a stream, a value", async () => {
    const wrapped = guardOf(never).wrapTools({
      a: { del: async (_input: JsonObject) => "RAN" },
      b: { del: streamed },
      c: { del: (_input: JsonObject) => "RAN" },
    });
    await expect(wrapped.a.del({}).then((text) => text)).resolves.toMatch(/did not run/);
    const got: string[] = [];
    for await (const part of wrapped.b.del({})) got.push(part);
    expect(got).toEqual([expect.stringMatching(/did not run/)]);
    expect(wrapped.c.del({})).toMatch(/did not run/);
  });

  it("in mode raise a promise is rejected", async () => {
    const wrapped = guardOf(never, { mode: "raise" }).wrapTools({ del: async (_input: JsonObject) => "RAN" });
    await expect(wrapped.del({})).rejects.toThrow(/not allowed/);
  });

  it("toolPlaceholder stands where the result would", async () => {
    const wrapped = guardOf(never, { toolPlaceholder: () => ({ refused: true }) }).wrapTools({
      del: async (_input: JsonObject) => "RAN",
    });
    await expect(wrapped.del({})).resolves.toEqual({ refused: true });
  });
});

describe("one session is one conversation, whatever its requests look like", () => {
  const refund = asking(["issue_refund", { amount: 5 }]);
  it.each<[string, (turn: number) => Json[]]>([
    [
      "a clock in the system prompt",
      (turn) => [
        { role: "system", content: `It is ${turn} o'clock.` },
        { role: "user", content: "hi" },
      ],
    ],
    ["a trimmed history", (turn) => [{ role: "user", content: `message ${turn}` }]],
    [
      "moved cache marks",
      (turn) => [
        { role: "user", content: [{ type: "text", text: "hi", ...(turn === 0 ? { cache_control: {} } : {}) }] },
      ],
    ],
    ["no messages at all", () => []],
  ])("%s", (_name, messages) => {
    const session = guardOf(rule("max_calls", { tool: "issue_refund", limit: 1 }, { scope: "session" }), {
      turns: true,
    }).session("s");
    const allowed = [0, 1, 2, 3].map((turn) => session.turn({ model: "m", messages: messages(turn) }, refund).allowed);
    expect(allowed).toEqual([true, false, false, false]);
  });
});

describe("budgets", () => {
  const budget = () => guardOf(rule("max_total_tokens", { limit: 10 }), { turns: true });
  it.each<[string, JsonObject | undefined, boolean]>([
    ["none", undefined, false],
    ["OpenAI's names, too many", { prompt_tokens: 5000, completion_tokens: 1 }, false],
    ["OpenAI's names, few", { prompt_tokens: 5, completion_tokens: 1 }, true],
    ["a total alone, small", { total_tokens: 3 }, true],
    ["a total alone, large", { total_tokens: 3000 }, false],
    ["no count in it", { service_tier: "default" }, false],
    ["Anthropic's names", { input_tokens: 4, output_tokens: 4 }, true],
  ])("usage: %s", (_name, usage, allowed) => {
    const response = { ...says("x"), ...(usage === undefined ? {} : { usage }) };
    expect(budget().turn(request, response).allowed).toBe(allowed);
  });
});

describe("formulas are judged at each turn, for as long as they are broken", () => {
  const charge = asking(["charge", {}]);
  const both = asking(["charge", {}], ["log", {}]);
  const formula = rule("ltl_formula", { formula: "G (tool_call:charge -> tool_call:log)" });
  it("replace: each such response is refused, others pass", () => {
    const session = guardOf(formula, { turns: true }).session("s");
    const allowed = [charge, charge, both, says("x"), charge].map(
      (response) => session.turn(request, response).allowed,
    );
    expect(allowed).toEqual([false, false, true, true, false]);
  });

  it("warn: reported each time", () => {
    const reports: number[] = [];
    const options: GuardOptions = {
      turns: true,
      mode: "warn",
      onViolation: ({ violations }) => reports.push(violations.length),
    };
    const session = guardOf(formula, options).session("s");
    for (const response of [charge, charge, charge]) session.turn(request, response);
    expect(reports).toEqual([1, 1, 1]);
  });

  it("a formula that a past turn has lost stops every later turn and call", () => {
    const lost = rule("ltl_formula", { formula: "G (text_contains:go -> tool_call:log)" });
    const session = guardOf(lost, { turns: true }).session("s");
    expect(session.turn(request, says("go")).allowed).toBe(true);
    expect(session.turn(request, says("x")).allowed).toBe(false);
    expect(session.turn(request, says("y")).allowed).toBe(false);
    expect(session.judgeCall("read", {}).allowed).toBe(false);
  });
});

describe("a guard that was promised responses and shown none", () => {
  const unshown = { ruleId: "r", why: "no response of this session was shown to session.turn" };
  it.each([
    ["a text", rule("forbidden_text", { text: "SECRET" })],
    ["a number of turns", rule("max_turns", { limit: 3 })],
    ["an end", rule("required_stop_reason", { allowed: ["end_turn"] })],
  ])("says at the end that nobody judged %s", async (_name, looking) => {
    const session = guardOf(looking, { turns: true }).session("s");
    await session.wrapTools(tools()).read.execute({});
    expect(session.close().notEvaluated).toEqual([unshown]);
  });

  it("has nothing to say where a response was shown, or nothing happened", async () => {
    const guard = guardOf(rule("forbidden_text", { text: "SECRET" }), { turns: true });
    const shown = guard.session("shown");
    shown.turn(request, says("fine"));
    expect(shown.close().notEvaluated).toEqual([]);
    expect(guard.session("idle").close().notEvaluated).toEqual([]);
  });
});

it("a date of a session that has another form than the rule's is refused when the session is opened", () => {
  const rules = [
    { id: "r", kind: "no_call", params: { tool: "t" }, when: [{ path: "context.day", op: ">", value: "2026-03-01" }] },
  ];
  const guard = createGuard(parsePolicy(JSON.stringify(rules), { file: "p.json" }));
  const open = (day: unknown) => () => guard.session(String(day), { context: { day } as never });
  expect(open("2026-03-02")).not.toThrow();
  expect(open("2026-03-02T10:00:00Z")).toThrow('context.day is "2026-03-02T10:00:00Z", which has no order with');
  expect(open(20260302)).toThrow("no order");
});
