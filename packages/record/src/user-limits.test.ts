import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parsePolicy } from "@spoor/core";
import { describe, expect, it } from "vitest";
import { createGuard } from "./guard.ts";
import type { GuardOptions } from "./guard-options.ts";
import { createFileStore } from "./node/file-store.ts";
import { createMemoryStore } from "./store/memory-store.ts";

const limit = (per: unknown, more: object = {}) =>
  parsePolicy(
    JSON.stringify({ rules: [{ id: "r", kind: "max_calls", params: { tool: "pay", limit: 2, per, ...more } }] }),
  );

/** A clock that is set by hand, in seconds. */
function handClock() {
  const clock = { seconds: 0, now: () => new Date(Date.UTC(2026, 10, 15) + clock.seconds * 1000) };
  return clock;
}

const payOf = (guard: ReturnType<typeof createGuard>, session: string, user: string) =>
  guard.session(session, { user }).wrapTools({ pay: () => "PAID" }).pay;

describe("a limit per user", () => {
  it("holds over all sessions of the user, and for nobody else", () => {
    const guard = createGuard(limit("user"));
    const answers = [payOf(guard, "a", "ann")(), payOf(guard, "b", "ann")(), payOf(guard, "c", "ann")()];
    expect(answers.map((answer) => answer === "PAID")).toEqual([true, true, false]);
    expect(answers[2]).toContain("Call 3 of pay over all sessions of a user, allowed are 2.");
    expect(payOf(guard, "d", "bob")()).toBe("PAID");
  });

  it("is not used up by what was refused, and outlives a session", () => {
    const guard = createGuard(limit("user"));
    payOf(guard, "a", "ann")();
    payOf(guard, "a", "ann")();
    for (let attempt = 0; attempt < 3; attempt++) expect(payOf(guard, "b", "ann")()).not.toBe("PAID");
    guard.session("a").close();
    expect(payOf(guard, "a2", "ann")()).not.toBe("PAID");
  });

  it.each<[string, () => { options: GuardOptions; end: () => void }]>([
    ["a memory store", () => ({ options: { store: createMemoryStore() }, end: () => undefined })],
    [
      "a file store",
      () => {
        const folder = mkdtempSync(join(tmpdir(), "spoor-users-"));
        return { options: { store: createFileStore(folder) }, end: () => rmSync(folder, { recursive: true }) };
      },
    ],
  ])("is one limit for two guards of %s", (_name, open) => {
    const { options, end } = open();
    const policy = limit("user");
    const [one, other] = [createGuard(policy, options), createGuard(policy, options)];
    const answers = [one, other, one, other].map((guard, index) => payOf(guard, `s${index}`, "ann")());
    end();
    expect(answers.map((answer) => answer === "PAID")).toEqual([true, true, false, false]);
  });

  it("needs to be told whose session it is", () => {
    const guard = createGuard(limit("user"));
    expect(() => guard.session("a")).toThrow("say whose session it is, guard.session(id, { user })");
  });
});

describe("a limit per time", () => {
  it("goes by the guard's clock, and needs one", () => {
    expect(() => createGuard(limit("minute"))).toThrow("give the guard a clock");
    const clock = handClock();
    const pay = payOf(createGuard(limit("minute"), clock), "a", "ann");
    const at = (seconds: number) => {
      clock.seconds = seconds;
      return pay() === "PAID";
    };
    expect([0, 30, 59.9, 60, 61, 90].map(at)).toEqual([true, true, false, true, false, true]);
    // A clock that is set back opens nothing again.
    expect([10, 91, 119, 150].map(at)).toEqual([false, false, false, true]);
  });

  it("holds over sessions together with a user, and is remembered in a store", () => {
    const clock = handClock();
    const options = { store: createMemoryStore(), now: clock.now };
    const policy = limit({ seconds: 60, user: true });
    const try_ = (session: string, seconds: number) => {
      clock.seconds = seconds;
      return payOf(createGuard(policy, options), session, "ann")() === "PAID";
    };
    expect([try_("a", 0), try_("b", 30), try_("c", 59), try_("d", 61)]).toEqual([true, true, false, true]);
  });

  it("makes the order rule with `within: seconds` need a clock too, and judges by it", () => {
    const order = parsePolicy(
      JSON.stringify({
        rules: [
          { id: "r", kind: "must_call_before", params: { first: "ask", second: "pay", within: { seconds: 60 } } },
        ],
      }),
    );
    expect(() => createGuard(order)).toThrow("give the guard a clock");
    const clock = handClock();
    const tools = createGuard(order, clock)
      .session("a")
      .wrapTools({ ask: () => "yes", pay: () => "PAID" });
    tools.ask();
    clock.seconds = 60;
    expect(tools.pay()).toBe("PAID");
    clock.seconds = 61;
    expect(tools.pay()).not.toBe("PAID");
  });
});

describe("a budget", () => {
  const budget = (per?: unknown) =>
    parsePolicy(
      JSON.stringify({ rules: [{ id: "r", kind: "max_cost", params: { limit: 1, ...(per ? { per } : {}) } }] }),
    );
  const request = { model: "gpt-4.1", messages: [{ role: "user", content: "hi" }] };
  // $2 per million in and $8 out: 0.20 + 0.40.
  const usage = { input_tokens: 100_000, output_tokens: 50_000 };
  const response = { model: "gpt-4.1", content: [{ type: "text", text: "ok" }], usage };

  it("stops the response that goes over it", () => {
    const session = createGuard(budget(), { turns: true }).session("a");
    expect([session.turn(request, response).allowed, session.turn(request, response).allowed]).toEqual([true, false]);
  });

  it("lets no response through of which nobody knows the price", () => {
    const session = createGuard(budget(), { turns: true }).session("a");
    const { allowed, violations } = session.turn(request, { ...response, model: "unheard-of" });
    expect([allowed, violations[0]!.message]).toEqual([
      false,
      "Rule r could not be evaluated: no price is known for unheard-of: name it under prices",
    ]);
  });

  it("per hour is free again after it, and per user holds over sessions", () => {
    const clock = handClock();
    const hourly = createGuard(budget("hour"), { turns: true, now: clock.now }).session("a");
    expect([hourly.turn(request, response).allowed, hourly.turn(request, response).allowed]).toEqual([true, false]);
    clock.seconds = 7_200;
    expect(hourly.turn(request, response).allowed).toBe(true);
    const shared = createGuard(budget("user"), { turns: true });
    const ask = (id: string) => shared.session(id, { user: "ann" }).turn(request, response).allowed;
    expect([ask("a"), ask("b")]).toEqual([true, false]);
  });
});
