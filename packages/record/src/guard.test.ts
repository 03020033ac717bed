/** The runtime guard. Numbered cases are mistakes that guards have been seen to make; they must not happen here. */
import { parsePolicy } from "@spoor/core/internal/policy/parse-policy";
import type { JsonObject } from "@spoor/core/internal/trace/json";
import type { TraceRecord } from "@spoor/core/internal/trace/record";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createGuard, type GuardOptions, PolicyViolationError } from "./index.ts";

const rule = (kind: string, params: JsonObject, extra: JsonObject = {}) => ({ id: "r", kind, params, ...extra });
const guardOf = (rules: JsonObject | JsonObject[], options: GuardOptions = {}) =>
  createGuard(parsePolicy(JSON.stringify([rules].flat()), { file: "policy.json" }), { turns: true, ...options });

const request: JsonObject = { model: "m-1", messages: [{ role: "user", content: "hello" }] };
const says = (text: string, stop = "end_turn"): JsonObject => ({
  model: "m-1",
  content: [{ type: "text", text }],
  stop_reason: stop,
});
const calls = (...names: string[]): JsonObject => ({
  model: "m-1",
  content: names.map((name, index) => ({ type: "tool_use", id: `c${index}`, name, input: {} })),
  stop_reason: "tool_use",
});

/** A tool that counts how often it really ran. */
function counted() {
  const ran = { times: 0 };
  const tool = (_input: JsonObject) => {
    ran.times++;
    return "RAN";
  };
  return { ran, tool };
}

describe("modes", () => {
  it("replace: a blocked tool does not run and says why", () => {
    const { ran, tool } = counted();
    const tools = guardOf(rule("no_call", { tool: "delete_user" })).wrapTools({ delete_user: tool });
    expect(tools.delete_user({ id: 5 })).toMatch(/blocked by policy and did not run.*r: /);
    expect(ran.times).toBe(0);
  });

  it("raise: throws with the violations, and the tool does not run", () => {
    const { ran, tool } = counted();
    const tools = guardOf(rule("no_call", { tool: "delete_user" }), { mode: "raise" }).wrapTools({ delete_user: tool });
    expect(() => tools.delete_user({})).toThrow(PolicyViolationError);
    expect(ran.times).toBe(0);
  });

  it("warn: goes ahead and reports", () => {
    const { ran, tool } = counted();
    const seen: string[] = [];
    const options: GuardOptions = {
      mode: "warn",
      onViolation: ({ violations, blocked }) => seen.push(`${violations[0]!.ruleId} ${blocked}`),
    };
    expect(
      guardOf(rule("no_call", { tool: "delete_user" }), options)
        .wrapTools({ delete_user: tool })
        .delete_user({}),
    ).toBe("RAN");
    expect(ran.times).toBe(1);
    expect(seen).toEqual(["r false"]);
  });

  it("a replaced response keeps its fields and carries nothing of the blocked text", () => {
    const verdict = guardOf(rule("forbidden_text", { text: "secret" })).turn(request, {
      ...says("the secret plan"),
      latency_ms: 7,
    });
    expect(verdict).toMatchObject({
      allowed: false,
      response: { model: "m-1", stop_reason: "policy_blocked", latency_ms: 7 },
    });
    expect(JSON.stringify(verdict.response)).not.toContain("the secret plan");
  });

  it("blockFrom lets milder violations pass with a report", () => {
    const reported: boolean[] = [];
    const guard = guardOf(rule("no_call", { tool: "x" }, { severity: "warning" }), {
      blockFrom: "severe",
      onViolation: (event) => reported.push(event.blocked),
    });
    expect(guard.wrapTools({ x: counted().tool }).x({})).toBe("RAN");
    expect(reported).toEqual([false]);
  });

  it("refuses a mode it does not know", () => {
    expect(() => guardOf(rule("no_call", { tool: "x" }), { mode: "block" as never })).toThrow(/replace, raise, warn/);
  });
});

describe("what guards get wrong", () => {
  it("21: the same offence is refused again after a rollback", () => {
    const guard = guardOf(rule("forbidden_text", { text: "bad" }), { mode: "raise" });
    for (let attempt = 0; attempt < 3; attempt++)
      expect(() => guard.turn(request, says("bad"))).toThrow(PolicyViolationError);
    expect(guard.turn(request, says("fine")).allowed).toBe(true);
  });

  it("22: a count rule keeps blocking while it is exceeded", () => {
    const guard = guardOf(rule("max_turns", { limit: 1 }));
    const stops = ["a", "b", "c", "d"].map((text) => guard.turn(request, says(text)).response["stop_reason"]);
    expect(stops).toEqual(["end_turn", "policy_blocked", "policy_blocked", "policy_blocked"]);
  });

  it("23: a probe blocks nothing that it does not itself violate", () => {
    const once = guardOf(rule("must_call_once", { tool: "login" })).wrapTools({
      read: counted().tool,
      login: counted().tool,
    });
    expect([once.read({}), once.login({}), once.read({})]).toEqual(["RAN", "RAN", "RAN"]);
    const stop = guardOf(rule("required_stop_reason", { allowed: ["end_turn"] })).wrapTools({ read: counted().tool });
    expect(stop.read({})).toBe("RAN");
  });

  it("24: a follow-up can be met at run time, and what is still owed comes out at the end", () => {
    const followup = rule("must_followup", {
      trigger: [{ path: "response.stop_reason", op: "==", value: "tool_use" }],
      must: { kind: "tool_call", tool_name: "confirm" },
    });
    const met = guardOf(followup);
    expect(met.turn(request, says("q", "tool_use")).allowed).toBe(true);
    expect(met.turn(request, { ...calls("confirm"), stop_reason: "end_turn" }).allowed).toBe(true);
    expect(met.close().violations).toEqual([]);
    const owed = guardOf(followup);
    owed.turn(request, says("q", "tool_use"));
    expect(owed.close().violations.map((violation) => violation.ruleId)).toEqual(["r"]);
  });

  it("24: a text that a later turn may bring does not block the first", () => {
    const guard = guardOf(rule("must_include_text", { text: "Sources:" }));
    expect(guard.turn(request, says("thinking")).allowed).toBe(true);
    expect(guard.turn(request, says("Sources: x")).allowed).toBe(true);
    expect(guard.close().violations).toEqual([]);
  });

  it("24: required_stop_reason waits while the turn is unfinished", () => {
    const guard = guardOf(rule("required_stop_reason", { allowed: ["end_turn"] }));
    expect(guard.turn(request, says("q", "tool_use")).allowed).toBe(true);
  });

  it.each([
    { name: "scope: session", extra: { scope: "session" } },
    { name: "when", extra: { when: [{ path: "model", op: "==", value: "m-1" }] } },
  ])("3: $name does not let a call slip through", ({ extra }) => {
    const guard = guardOf(rule("no_call", { tool: "del" }, extra));
    guard.turn(request, says("x"));
    const { ran, tool } = counted();
    guard.wrapTools({ del: tool }).del({});
    expect(ran.times).toBe(0);
  });

  it("3: a formula sees the call before it runs", () => {
    const guard = guardOf(rule("ltl_formula", { formula: "G !tool_call:del" }));
    guard.turn(request, says("x"));
    const { ran, tool } = counted();
    guard.wrapTools({ del: tool }).del({});
    expect(ran.times).toBe(0);
  });
});

describe("a call announced by a response is judged once", () => {
  it("by id, by name and arguments, and not twice", () => {
    const guard = guardOf(rule("must_call_once", { tool: "login" }), { mode: "raise" });
    guard.turn(request, calls("login"));
    const { ran, tool } = counted();
    const tools = guard.wrapTools({ login: tool });
    expect(tools.login({})).toBe("RAN");
    expect(() => tools.login({})).toThrow(PolicyViolationError);
    expect(ran.times).toBe(1);
  });

  it("a response that asks for a forbidden call is refused before it is handed on, and leaves no trace", () => {
    const guard = guardOf(
      [rule("no_call", { tool: "del" }), { ...rule("max_calls", { tool: "read", limit: 1 }), id: "once" }],
      { mode: "raise" },
    );
    expect(() => guard.turn(request, calls("read", "del"))).toThrow(PolicyViolationError);
    // The refused response made one call of read; since it never happened, another is still allowed.
    expect(guard.wrapTools({ read: counted().tool }).read({})).toBe("RAN");
  });
});

describe("shapes of tools", () => {
  const before = rule("must_call_before", { first: "confirm", second: "refund" });

  it("Vercel AI SDK: execute, with the call's id", async () => {
    const tools = guardOf(before).wrapTools({
      refund: {
        description: "d",
        inputSchema: { type: "object" },
        execute: async (_input: JsonObject, _options: { toolCallId: string }) => "done",
      },
      confirm: { description: "d", execute: async () => "ok" },
    });
    expect(await tools.refund.execute({}, { toolCallId: "1" })).toMatch(/did not run/);
    expect(await tools.confirm.execute()).toBe("ok");
    expect(await tools.refund.execute({}, { toolCallId: "2" })).toBe("done");
    expect(tools.refund.description).toBe("d");
  });

  it("OpenAI Agents: a list of tools with invoke", async () => {
    const refund = {
      type: "function",
      name: "refund",
      invoke: async (_context: unknown, input: string) => `did ${input}`,
    };
    const [guarded] = guardOf(before).wrapTools([refund]);
    expect(await guarded!.invoke({}, '{"amount":1}')).toMatch(/did not run/);
  });

  it("MCP: a client's callTool answers with isError", async () => {
    class Client {
      ran = 0;
      async callTool(params: { name: string; arguments?: JsonObject }) {
        this.ran++;
        return { content: [{ type: "text", text: params.name }] };
      }
      async listTools() {
        return this.ran;
      }
    }
    const client = new Client();
    const guarded = guardOf(before).wrapTools(client);
    expect(await guarded.callTool({ name: "refund" })).toMatchObject({ isError: true });
    expect(await guarded.callTool({ name: "confirm" })).toMatchObject({ content: [{ text: "confirm" }] });
    expect(await guarded.callTool({ name: "refund" })).toMatchObject({ content: [{ text: "refund" }] });
    expect(await guarded.listTools()).toBe(2);
  });

  it("plain functions keep `this`, several arguments and being synchronous", () => {
    const owner = {
      factor: 3,
      times(left: number, right: number) {
        return this.factor * left * right;
      },
    };
    const guarded = guardOf(before).wrapTools(owner as never) as typeof owner;
    expect(Object.assign(guarded, { factor: 3 }).times(2, 5)).toBe(30);
  });
});

describe("a guard that fails", () => {
  const broken = () => {
    const policy = parsePolicy(JSON.stringify([rule("no_call", { tool: "x" })]), { file: "p.json" });
    const failing = {
      ...policy.rules[0]!,
      definition: {
        ...policy.rules[0]!.definition,
        onCall() {
          throw new Error("boom");
        },
        onTurn() {
          throw new Error("boom");
        },
      },
    };
    return { ...policy, rules: [failing] };
  };

  it("blocks", () => {
    const { ran, tool } = counted();
    expect(createGuard(broken()).wrapTools({ x: tool }).x({})).toMatch(/guard itself failed/);
    expect(createGuard(broken()).turn(request, says("x")).allowed).toBe(false);
    expect(() => createGuard(broken(), { mode: "raise" }).turn(request, says("x"))).toThrow(PolicyViolationError);
    expect(ran.times).toBe(0);
  });

  it("lets pass only when told so, and says so", () => {
    const errors: unknown[] = [];
    const guard = createGuard(broken(), { failOpen: true, onError: (error) => errors.push(error) });
    expect(guard.wrapTools({ x: counted().tool }).x({})).toBe("RAN");
    expect(errors).toHaveLength(1);
  });

  it("is not disturbed by listeners that throw", () => {
    const explode = () => {
      throw new Error("listener");
    };
    const guard = guardOf(rule("no_call", { tool: "x" }), { onViolation: explode, onRecord: explode });
    expect(guard.wrapTools({ x: counted().tool }).x({})).toMatch(/did not run/);
    expect(guard.wrapTools({ y: counted().tool }).y({})).toBe("RAN");
  });
});

it("records what happened, failures included, as a trace", async () => {
  const records: TraceRecord[] = [];
  const guard = guardOf(rule("no_call", { tool: "x" }), { onRecord: (record) => records.push(record) });
  const tools = guard.wrapTools({
    ok: async () => ({ n: 1 }),
    bad: async () => {
      throw new Error("no such order");
    },
  });
  await tools.ok();
  await expect(tools.bad()).rejects.toThrow("no such order");
  expect(records.map((record) => record.kind)).toEqual(["tool_call", "tool_result", "tool_call", "tool_result"]);
  expect(records[3]!.payload).toMatchObject({ is_error: true, output: "no such order" });
});

it("keeps 1,000 interleaved sessions apart", () => {
  const guard = guardOf([
    rule("must_call_before", { first: "confirm", second: "refund" }),
    { ...rule("max_calls", { tool: "refund", limit: 1 }), id: "once" },
  ]);
  const amount = 1_000;
  const tools = Array.from({ length: amount }, (_, index) =>
    guard.session(`s${index}`).wrapTools({ confirm: () => "RAN", refund: () => "RAN" }),
  );
  const isBlocked = (answer: string) => answer !== "RAN";
  for (const [index, session] of tools.entries()) if (index % 2 === 0) session.confirm();
  const first = tools.map((session) => isBlocked(session.refund()));
  const second = tools.map((session) => isBlocked(session.refund()));
  expect(first).toEqual(tools.map((_, index) => index % 2 === 1));
  expect(second.every(Boolean)).toBe(true);
  expect(guard.session("s0").close().violations).toEqual([]);
});

it("agrees with the batch check on every sequence of calls that it let through", () => {
  const policy = [
    rule("must_call_before", { first: "a", second: "b" }),
    { ...rule("max_calls", { tool: "c", limit: 2 }), id: "count" },
    { ...rule("no_call", { tool: "d" }), id: "never" },
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 15 }), (names) => {
      const guard = guardOf(policy);
      const tools = guard.wrapTools(Object.fromEntries(["a", "b", "c", "d"].map((name) => [name, () => "RAN"])));
      let seenA = false;
      let ofC = 0;
      for (const name of names) {
        const allowed = name === "a" || (name === "b" && seenA) || (name === "c" && ofC < 2);
        expect(tools[name]!() === "RAN").toBe(allowed);
        seenA ||= name === "a";
        if (name === "c" && allowed) ofC++;
      }
      expect(guard.close().violations).toEqual([]);
    }),
  );
});
