import { parsePolicy } from "@spoor/core/internal/policy/parse-policy";
import type { Json, JsonObject } from "@spoor/core/internal/trace/json";
import { createGuard } from "@spoor/record";
import { describe, expect, it } from "vitest";
import { createMessageGuard } from "./guard-messages.ts";

const POLICY = `
rules:
  - { id: confirm-first, kind: must_call_before, params: { first: "mcp:shop/confirm", second: "mcp:shop/refund" } }
  - { id: never, kind: no_call, params: { tool: drop_table } }
  - { id: small, kind: no_call, params: { tool: refund, args: [{ path: amount, op: ">", value: 75 }] } }
`;

function open(server?: string) {
  const policy = parsePolicy(POLICY, { file: "policy.yaml" });
  const log: JsonObject[] = [];
  const guard = createMessageGuard({
    session: createGuard(policy).session("s"),
    policy,
    server,
    now: () => new Date("2026-01-01T00:00:00Z"),
    log: (line) => log.push(line),
    policyName: { name: "policy.yaml", digest: "sha256:0" },
  });
  return { guard, log };
}

const call = (id: Json, name: string, args: Json = {}) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args },
});
const result = (id: Json, rest: JsonObject = {}) => ({ jsonrpc: "2.0", id, result: { content: [], ...rest } });

describe("calls", () => {
  it("go on, or are answered with the reason and never reach the server", () => {
    const { guard, log } = open("shop");
    expect(guard.fromClient(call(1, "refund", { amount: 5 }))).toEqual({
      forward: [],
      answer: [
        {
          jsonrpc: "2.0",
          id: 1,
          result: {
            isError: true,
            content: [{ type: "text", text: expect.stringContaining("confirm-first:") }],
          },
        },
      ],
    });
    const confirm = call(2, "confirm");
    expect(guard.fromClient(confirm)).toEqual({ forward: [confirm], answer: [] });
    guard.fromServer(result(2));
    expect(guard.fromClient(call(3, "refund", { amount: 5 })).forward).toHaveLength(1);
    expect(guard.fromClient(call(4, "refund", { amount: 89 })).forward).toEqual([]);
    expect(log.map((line) => [line["spoor"], line["decision"] ?? line["status"], line["tool"], line["rule"]])).toEqual([
      ["decision", "deny", "mcp:shop/refund", "confirm-first"],
      ["decision", "allow", "mcp:shop/confirm", null],
      ["outcome", "ok", "mcp:shop/confirm", undefined],
      ["decision", "allow", "mcp:shop/refund", null],
      ["decision", "deny", "mcp:shop/refund", "small"],
    ]);
  });

  it.each([
    ["failed by its own word", (id: Json) => result(id, { isError: true })],
    ["failed by the protocol", (id: Json) => ({ jsonrpc: "2.0", id, error: { code: -32603, message: "no" } })],
  ])("that %s satisfy no order", (_name, answer) => {
    const { guard } = open("shop");
    guard.fromClient(call(1, "confirm"));
    guard.fromServer(answer(1));
    expect(guard.fromClient(call(2, "refund", { amount: 5 })).forward).toEqual([]);
  });

  it("that run still, or were cancelled, satisfy no order", () => {
    const { guard } = open("shop");
    guard.fromClient(call(1, "confirm"));
    expect(guard.fromClient(call(2, "refund", { amount: 5 })).forward).toEqual([]);
    guard.fromClient({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    expect(guard.fromClient(call(3, "refund", { amount: 5 })).forward).toEqual([]);
  });

  it("are judged one by one in a batch", () => {
    const { guard } = open("shop");
    const ping = { jsonrpc: "2.0", id: 9, method: "ping" };
    const passed = guard.fromClient([call(1, "drop_table"), ping, call(2, "confirm")]);
    expect(passed.forward).toEqual([ping, call(2, "confirm")]);
    expect(passed.answer).toMatchObject([{ id: 1, result: { isError: true } }]);
  });

  it("go by the name the server gives itself, where none is stated", () => {
    const { guard } = open();
    guard.fromClient({ jsonrpc: "2.0", id: 0, method: "initialize", params: {} });
    guard.fromServer({ jsonrpc: "2.0", id: 0, result: { serverInfo: { name: "shop" } } });
    expect(guard.fromClient(call(1, "refund", { amount: 5 })).forward).toEqual([]);
  });

  it.each<[string, Json]>([
    ["no name", { jsonrpc: "2.0", id: 1, method: "tools/call", params: { arguments: {} } }],
    ["a name that is no text", { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: ["refund"] } }],
    ["arguments as text", call(1, "refund", '{"amount": 5}')],
    ["arguments as a list", call(1, "refund", [5])],
    ["no id", { jsonrpc: "2.0", method: "tools/call", params: { name: "confirm", arguments: {} } }],
    ["another way to run a tool", { jsonrpc: "2.0", id: 1, method: "tools/callStream", params: { name: "confirm" } }],
  ])("with %s are not passed on", (_name, message) => {
    const { guard } = open("shop");
    expect(guard.fromClient(message)).toMatchObject({ forward: [], answer: [{ error: { code: -32602 } }] });
  });

  it('keep 1 and "1" apart, and refuse an id that is in use', () => {
    const { guard } = open("shop");
    expect(guard.fromClient(call(1, "confirm")).forward).toHaveLength(1);
    expect(guard.fromClient(call("1", "confirm")).forward).toHaveLength(1);
    expect(guard.fromClient(call(1, "confirm")).answer).toMatchObject([{ error: { code: -32602 } }]);
  });
});

describe("lists of tools", () => {
  it("leave out what no call could use, page by page", () => {
    const policy = parsePolicy(POLICY, { file: "policy.yaml" });
    const heard: Json[] = [];
    const guard = createMessageGuard({
      session: createGuard(policy).session("s"),
      policy,
      server: "shop",
      now: () => new Date(0),
      log: () => undefined,
      onTools: (tools) => heard.push([...tools]),
      policyName: { name: "p", digest: "d" },
    });
    guard.fromClient({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    expect(
      guard.fromServer({
        jsonrpc: "2.0",
        id: 1,
        result: { tools: [{ name: "confirm" }, { name: "drop_table" }], nextCursor: "x" },
      }),
    ).toMatchObject([{ result: { tools: [{ name: "confirm" }], nextCursor: "x" } }]);
    guard.fromClient({ jsonrpc: "2.0", id: 2, method: "tools/list", params: { cursor: "x" } });
    guard.fromServer({ jsonrpc: "2.0", id: 2, result: { tools: [{ name: "refund" }] } });
    expect(heard).toEqual([[{ name: "confirm" }, { name: "drop_table" }, { name: "refund" }]]);
  });
});

describe("a call that a rule asks about", () => {
  const ASKS = `
rules:
  - { id: large, kind: no_call, params: { tool: refund, args: [{ path: amount, op: ">", value: 75 }] }, then: ask }
  - { id: never, kind: no_call, params: { tool: drop_table }, then: ask }
`;
  const opening = (capabilities: JsonObject) => ({
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: { capabilities },
  });
  function asking(capabilities: JsonObject, canAsk = true) {
    const policy = parsePolicy(ASKS, { file: "policy.yaml" });
    const log: JsonObject[] = [];
    const guard = createMessageGuard({
      session: createGuard(policy, { onAsk: () => false }).session("s"),
      policy,
      server: "shop",
      canAsk,
      now: () => new Date("2026-01-01T00:00:00Z"),
      log: (line) => log.push(line),
      policyName: { name: "policy.yaml", digest: "sha256:0" },
    });
    guard.fromClient(opening(capabilities));
    return { guard, log };
  }
  const wanted = call(7, "refund", { amount: 89 });
  const answerTo = (question: Json, result: Json) => ({ jsonrpc: "2.0", id: (question as JsonObject)["id"]!, result });

  it("waits for the person at the client, and goes on after a yes", () => {
    const { guard, log } = asking({ elicitation: {} });
    const { forward, answer } = guard.fromClient(wanted);
    expect([forward, answer.length]).toEqual([[], 1]);
    expect(answer[0]).toMatchObject({
      method: "elicitation/create",
      params: { message: 'Allow mcp:shop/refund {"amount":89}? large: amount is 89, allowed up to 75.' },
    });
    const yes = answerTo(answer[0]!, { action: "accept", content: { allow: true } });
    expect(guard.fromClient(yes)).toEqual({ forward: [wanted], answer: [] });
    expect(log).toMatchObject([{ decision: "allow", approved: ["large"], tool: "mcp:shop/refund" }]);
    // An answer counts once, and what is no answer is the server's to read.
    expect(guard.fromClient(yes).forward).toEqual([yes]);
  });

  it.each<[string, Json]>([
    ["no", { action: "accept", content: { allow: false } }],
    ["nothing", { action: "accept" }],
    ["that they decline", { action: "decline" }],
    ["that they close the window", { action: "cancel", content: { allow: true } }],
  ])("is refused where the person says %s", (_said, said) => {
    const { guard, log } = asking({ elicitation: { form: {} } });
    const [question] = guard.fromClient(wanted).answer;
    const { forward, answer } = guard.fromClient(answerTo(question!, said));
    expect([forward, JSON.stringify(answer)]).toEqual([[], expect.stringContaining("did not allow it")]);
    expect(log).toMatchObject([{ decision: "deny", rule: "large" }]);
  });

  it.each<[string, JsonObject, boolean]>([
    ["the client cannot ask", {}, true],
    ["it can ask by a link only", { elicitation: { url: {} } }, true],
    ["questions do not reach it", { elicitation: {} }, false],
  ])("is refused where %s", (_why, capabilities, canAsk) => {
    const { forward, answer } = asking(capabilities, canAsk).guard.fromClient(wanted);
    expect([forward, JSON.stringify(answer)]).toEqual([[], expect.stringContaining("offers no way to ask")]);
  });

  it("that is cancelled while it waits never runs; a second one of the same id is refused", () => {
    const { guard } = asking({ elicitation: {} });
    const [question] = guard.fromClient(wanted).answer;
    expect(JSON.stringify(guard.fromClient(wanted).answer)).toContain("running already");
    guard.fromClient({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } });
    const late = answerTo(question!, { action: "accept", content: { allow: true } });
    expect(guard.fromClient(late).forward).not.toContainEqual(wanted);
  });

  it("is still offered", () => {
    const { guard } = asking({ elicitation: {} });
    guard.fromClient({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    const listed = guard.fromServer({ jsonrpc: "2.0", id: 1, result: { tools: [{ name: "drop_table" }] } });
    expect(listed).toMatchObject([{ result: { tools: [{ name: "drop_table" }] } }]);
  });
});

describe("what tools return", () => {
  const RESULTS = `
rules:
  - { id: keys, kind: no_result, params: { tool: "*read*", matching: 'sk_\\w+' } }
  - { id: mails, kind: no_result, params: { matching: '\\S+@\\S+' }, then: redact }
  - { id: sent, kind: no_call, params: { tool: send, args: [{ path: text, op: contains, value: secret }] }, then: redact }
`;
  function judging() {
    const policy = parsePolicy(RESULTS, { file: "policy.yaml" });
    const session = createGuard(policy).session("s");
    const now = () => new Date("2026-01-01T00:00:00Z");
    const policyName = { name: "policy.yaml", digest: "sha256:0" };
    return createMessageGuard({ session, policy, server: "shop", now, log: () => undefined, policyName });
  }
  const text = (words: string) => ({ content: [{ type: "text", text: words }] });

  it("is withheld, redacted or handed on as it is", () => {
    const guard = judging();
    for (const id of [1, 2, 3]) guard.fromClient(call(id, "read"));
    expect(JSON.stringify(guard.fromServer(result(1, text("the key sk_1"))))).toMatch(
      /"isError":true.*withheld by policy/,
    );
    expect(
      guard.fromServer(result(2, { ...text("ann@x.test"), structuredContent: { to: "ann@x.test" } })),
    ).toMatchObject([
      { id: 2, result: { ...text("[REDACTED by mails]"), structuredContent: { to: "[REDACTED by mails]" } } },
    ]);
    const fine = result(3, text("fine"));
    expect(guard.fromServer(fine)).toEqual([fine]);
  });

  it("is withheld in failures, and in errors of the protocol", () => {
    const guard = judging();
    for (const id of [1, 2]) guard.fromClient(call(id, "read"));
    const failed = guard.fromServer(result(1, { ...text("no sk_1"), isError: true }));
    const error = guard.fromServer({ jsonrpc: "2.0", id: 2, error: { code: -32603, message: "no sk_1" } });
    expect(JSON.stringify([failed, error])).not.toContain("sk_1");
  });

  it("does not travel around the rule as a task", () => {
    const task = { ...call(1, "read"), params: { name: "read", arguments: {}, task: { ttl: 1 } } };
    expect(judging().fromClient(task).forward).toEqual([]);
  });

  it("arguments are redacted before the server sees them", () => {
    const { forward } = judging().fromClient(call(1, "send", { text: "a secret", n: 1 }));
    expect(forward).toMatchObject([{ params: { name: "send", arguments: { text: "a [REDACTED by sent]", n: 1 } } }]);
  });
});

it("a limit per time goes by the proxy's clock", () => {
  let second = 0;
  const now = () => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
  const limit = "rules: [{ id: slowly, kind: max_calls, params: { tool: refund, limit: 1, per: minute } }]";
  const policy = parsePolicy(limit, { file: "policy.yaml" });
  const session = createGuard(policy, { now }).session("s");
  const policyName = { name: "policy.yaml", digest: "sha256:0" };
  const guard = createMessageGuard({ session, policy, server: "shop", now, log: () => undefined, policyName });
  const passes = (id: number, at: number) => {
    second = at;
    return guard.fromClient(call(id, "refund")).forward.length === 1;
  };
  expect([passes(1, 0), passes(2, 59), passes(3, 60), passes(4, 100)]).toEqual([true, false, true, false]);
});
