import { buildTrace, checkPolicy, parsePolicy, type TraceRecord } from "@spoor/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type AskRequest, createGuard, type GuardOptions, PolicyViolationError } from "../index.ts";

const RULES = `
rules:
  - { id: large, kind: no_call, params: { tool: pay, args: [{ path: amount, op: ">", value: 75 }] }, then: ask }
  - { id: huge, kind: no_call, params: { tool: pay, args: [{ path: amount, op: ">", value: 1000 }] } }
  - { id: odd, kind: no_call, params: { tool: pay, args: [{ path: amount, op: "==", value: 13 }] }, then: warn }
`;
const policy = parsePolicy(RULES, { file: "p.yaml" });

function open(options: GuardOptions) {
  const paid: number[] = [];
  const session = createGuard(policy, options).session("s");
  const run = ({ amount }: { amount: number }) => {
    paid.push(amount);
    return "PAID";
  };
  const { now } = session.wrapTools({ now: { name: "pay", execute: async (input: { amount: number }) => run(input) } });
  return {
    paid,
    session,
    sync: session.wrapTools({ pay: run }).pay,
    later: session.wrapTools({ pay: async (input: { amount: number }) => run(input) }).pay,
    now,
  };
}

afterEach(() => {
  vi.useRealTimers();
});

describe("a call that a rule asks about", () => {
  it("runs after a yes, and not after a no; whoever is asked is told what for", async () => {
    const asked: AskRequest[] = [];
    const { later, paid } = open({
      onAsk(request) {
        asked.push(request);
        return Promise.resolve((request.input as { amount: number }).amount < 100);
      },
    });
    expect([await later({ amount: 5 }), await later({ amount: 80 })]).toEqual(["PAID", "PAID"]);
    expect(await later({ amount: 100 })).toBe(
      "[spoor] This tool call needs a person's approval, was not approved and did not run. large: amount is 100, allowed up to 75.",
    );
    expect(paid).toEqual([5, 80]);
    expect(asked.map(({ tool, sessionId, violations }) => [tool, sessionId, violations[0]!.ruleId])).toEqual([
      ["pay", "s", "large"],
      ["pay", "s", "large"],
    ]);
  });

  it("is asked about anew each time: a yes is to one call", async () => {
    let left = 1;
    const { later, paid } = open({ onAsk: () => left-- > 0 });
    await later({ amount: 80 });
    await later({ amount: 80 });
    expect(paid).toEqual([80]);
  });

  it("is not asked about where another rule forbids it", async () => {
    const onAsk = vi.fn(() => true);
    const { later, paid } = open({ onAsk });
    expect(await later({ amount: 5000 })).toContain("huge:");
    expect([onAsk.mock.calls.length, paid]).toEqual([0, []]);
  });

  it.each<[string, GuardOptions]>([
    [
      "a callback that throws",
      {
        onAsk: () => {
          throw new Error("no network");
        },
      },
    ],
    ["a promise that fails", { onAsk: () => Promise.reject(new Error("no network")) }],
    ["an answer that is no yes", { onAsk: (() => "yes") as never }],
    ["a promise of what is no yes", { onAsk: (() => Promise.resolve(1)) as never }],
  ])("%s is a no", async (_name, options) => {
    const { later, paid } = open(options);
    expect(await later({ amount: 80 })).toContain("was not approved");
    expect(paid).toEqual([]);
  });

  it("an answer that comes too late is a no, and what it says then changes nothing", async () => {
    vi.useFakeTimers();
    let answer: (yes: boolean) => void = () => undefined;
    const { later, paid } = open({
      askTimeoutMs: 1000,
      onAsk: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    const called = later({ amount: 80 });
    await vi.advanceTimersByTimeAsync(1001);
    expect(await called).toContain("Nobody answered within 1000 ms.");
    answer(true);
    await vi.advanceTimersByTimeAsync(10);
    expect(paid).toEqual([]);
  });

  it("of a tool that cannot wait runs after a yes at once, and never after a promise", () => {
    const { sync, paid } = open({ onAsk: () => true });
    expect(sync({ amount: 80 })).toBe("PAID");
    const waiting = open({ onAsk: () => Promise.resolve(true) });
    expect(waiting.sync({ amount: 80 })).toContain("this tool cannot wait: make it async");
    expect([paid, waiting.paid]).toEqual([[80], []]);
  });

  it("is raised in mode raise", async () => {
    const { later } = open({ mode: "raise", onAsk: () => false });
    await expect(later({ amount: 80 })).rejects.toThrow(PolicyViolationError);
  });

  it("of a generator waits as well, and its chunks come after the yes", async () => {
    const session = createGuard(policy, { onAsk: () => Promise.resolve(true) }).session("g");
    const { pay } = session.wrapTools({
      async *pay(_: { amount: number }) {
        yield "one";
        yield "two";
      },
    });
    const chunks: string[] = [];
    for await (const chunk of pay({ amount: 80 })) chunks.push(chunk);
    expect(chunks).toEqual(["one", "two"]);
  });

  it("was judged again after the yes: what happened meanwhile counts", async () => {
    const limited = `${RULES}  - { id: once, kind: max_calls, params: { tool: pay, limit: 1 } }`;
    const once = parsePolicy(limited, { file: "p.yaml" });
    const session = createGuard(once, { onAsk: () => Promise.resolve(true) }).session("s");
    const { pay } = session.wrapTools({ pay: async (_: { amount: number }) => "PAID" });
    const answers = await Promise.all([pay({ amount: 80 }), pay({ amount: 90 })]);
    expect(answers.map((answer) => answer === "PAID")).toEqual([true, false]);
    expect(answers[1]).toContain("once:");
  });
});

describe("a guard", () => {
  it("without anyone to ask does not load such a policy", () => {
    expect(() => createGuard(policy)).toThrow("give the guard someone to ask");
  });

  it("lets what only warns through and says so", async () => {
    const told: [boolean, string][] = [];
    const { later } = open({
      onAsk: () => false,
      onViolation: ({ blocked, violations }) => told.push([blocked, violations[0]!.effect ?? "deny"]),
    });
    expect(await later({ amount: 13 })).toBe("PAID");
    expect(told).toEqual([[false, "warn"]]);
  });

  it("records the yes, so that a check of the recording sees it", async () => {
    const records: TraceRecord[] = [];
    const { later } = open({ onAsk: () => true, onRecord: (record) => records.push(record) });
    await later({ amount: 80 });
    expect(checkPolicy(buildTrace(records), policy).violations).toEqual([]);
    const without = records.filter(({ kind }) => kind !== "harness_event");
    expect(checkPolicy(buildTrace(without), policy).violations.map(({ message }) => message)).toEqual([
      "amount is 80, allowed up to 75, and no approval was recorded.",
    ]);
  });

  it("asks when the call starts, not when the response asks for it; an unseen tool is refused with the response", async () => {
    const onAsk = vi.fn(() => true);
    const session = createGuard(policy, { turns: true, onAsk }).session("t");
    const request = { model: "m", messages: [{ role: "user", content: "pay" }] };
    const response = {
      content: [{ type: "tool_use", id: "c1", name: "pay", input: { amount: 80 } }],
      stop_reason: "tool_use",
    };
    expect(session.turn(request, response).allowed).toBe(false);
    const { pay } = session.wrapTools({
      pay: { name: "pay", execute: async (_: { amount: number }, _more: { toolCallId: string }) => "PAID" },
    });
    expect(session.turn(request, response).allowed).toBe(true);
    expect(onAsk).not.toHaveBeenCalled();
    expect(await pay.execute({ amount: 80 }, { toolCallId: "c1" })).toBe("PAID");
    expect(onAsk).toHaveBeenCalledTimes(1);
  });

  it("leaves asking to whoever judges calls by hand", () => {
    const session = createGuard(policy, { onAsk: () => false }).session("m");
    const first = session.judgeCall("pay", { amount: 80 }, "c1");
    expect([first.allowed, first.asks?.map(({ ruleId }) => ruleId)]).toEqual([false, ["large"]]);
    expect(session.judgeCall("pay", { amount: 80 }, "c1", { approved: ["large"] }).allowed).toBe(true);
    expect(session.judgeCall("pay", { amount: 5000 }, "c2", { approved: ["large", "huge"] }).allowed).toBe(false);
  });
});
