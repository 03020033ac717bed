import { parsePolicy } from "@spoor/core/internal/policy/parse-policy";
import { describe, expect, it } from "vitest";
import { createGuard, createMemoryStore, type GuardOptions } from "./index.ts";

const policy = parsePolicy(JSON.stringify([{ id: "once", kind: "max_calls", params: { tool: "pay", limit: 1 } }]), {
  file: "p.json",
});
const pay = (guard: ReturnType<typeof createGuard>, id: string) => guard.session(id).judgeCall("pay", {}).allowed;

it("one session tells apart only so many conversations of a session_key; the next is refused", () => {
  const policy = parsePolicy(
    JSON.stringify({
      session_key: "request.metadata.chat",
      rules: [{ id: "r", kind: "max_turns", scope: "session", params: { limit: 2 } }],
    }),
    { file: "p.json" },
  );
  const session = createGuard(policy, { turns: true }).session("s");
  const take = (chat: number) =>
    session.turn({ model: "m", messages: [], metadata: { chat } }, { content: [{ type: "text", text: "x" }] });
  for (let chat = 0; chat < 10_000; chat++) take(chat);
  expect(take(9_999).allowed).toBe(true);
  const { allowed, violations } = take(10_000);
  expect(allowed).toBe(false);
  expect(violations[0]!.message).toMatch(/more than 10000 conversations/);
});

describe("open sessions are limited in number", () => {
  it("the least recently used go first, with what they owed, and do not start anew", () => {
    const dropped: string[] = [];
    const guard = createGuard(policy, { sessions: { max: 2, onDrop: (id) => dropped.push(id) } });
    const held = guard.session("a").wrapTools({ pay: () => "PAID" });
    expect([pay(guard, "a"), pay(guard, "b")]).toEqual([true, true]);
    guard.session("a");
    expect(pay(guard, "c")).toBe(true);
    expect(dropped).toEqual(["b"]);
    expect(pay(guard, "a")).toBe(false);
    expect(() => guard.session("b")).toThrow(expect.objectContaining({ code: "guard.evicted" }));
    pay(guard, "d");
    pay(guard, "e");
    expect(() => held.pay()).toThrow(/closed/);
  });

  it("with a store they come back as they were", () => {
    const guard = createGuard(policy, { sessions: { max: 1 }, store: createMemoryStore() });
    expect([pay(guard, "a"), pay(guard, "b"), pay(guard, "a"), pay(guard, "b")]).toEqual([true, true, false, false]);
  });

  it("closing one makes room and forgets it", () => {
    const guard = createGuard(policy, { sessions: { max: 1 } });
    expect(pay(guard, "a")).toBe(true);
    guard.session("a").close();
    expect(pay(guard, "b")).toBe(true);
    guard.session("b").close();
    expect(pay(guard, "a")).toBe(true);
  });
});

describe("and in age", () => {
  function guardAt(options: GuardOptions = {}) {
    let now = 0;
    const guard = createGuard(policy, { now: () => new Date(now), sessions: { idleMs: 1000 }, ...options });
    return { guard, wait: (ms: number) => (now += ms) };
  }

  it("one that was idle for too long is dropped when another is opened, or it is asked for itself", () => {
    const { guard, wait } = guardAt();
    pay(guard, "a");
    wait(900);
    expect(pay(guard, "a")).toBe(false);
    wait(1001);
    expect(() => guard.session("a")).toThrow(expect.objectContaining({ code: "guard.evicted" }));
    pay(guard, "b");
    wait(1001);
    pay(guard, "c");
    expect(() => guard.session("b")).toThrow(expect.objectContaining({ code: "guard.evicted" }));
  });

  it("needs a clock, and a number that makes sense", () => {
    expect(() => createGuard(policy, { sessions: { idleMs: 1 } })).toThrow(/needs a clock/);
    expect(() => createGuard(policy, { sessions: { max: 0 } })).toThrow(/at least 1/);
  });
});
