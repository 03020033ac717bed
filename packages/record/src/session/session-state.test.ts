/** A session that is saved and restored between any two steps behaves like one that never was. */
import { parsePolicy } from "@spoor/core/internal/policy/parse-policy";
import { ruleKinds } from "@spoor/core/internal/policy/rules";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { everyKind, type Step, takeStep } from "../../test/every-kind.ts";
import { createGuard } from "../index.ts";

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({
      turn: fc.constantFrom("fine", "bad", "{}"),
      model: fc.constantFrom("m", "n"),
      calls: fc.array(fc.constantFrom("a", "b"), { maxLength: 2 }),
    }),
    fc.record({
      call: fc.constantFrom("a", "b", "Bash"),
      value: fc.constantFrom("order_123456", "order_654321", "cd /home", "rm -rf ada", "cd .."),
      ends: fc.constantFrom("ok", "error", "later"),
    }),
  ),
  { maxLength: 12 },
);

it("every kind that a guard can judge is among them", () => {
  const judged = ruleKinds.filter((kind) => kind.needsBaseline !== true).map(({ kind }) => kind);
  expect([...new Set(everyKind.map(([kind]) => kind))].sort()).toEqual(judged.sort());
});

describe.each(everyKind)("%s %j", (kind, params, extra) => {
  const policy = parsePolicy(JSON.stringify([{ id: "r", kind, params, ...extra }]), { file: "p.json" });
  it.each(["replace", "warn"] as const)("goes on as if nothing had happened, in mode %s", (mode) => {
    fc.assert(
      fc.property(steps, fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }), (all, saves) => {
        let seconds = 0;
        const now = () => new Date(Date.UTC(2026, 10, 15, 12, 0, seconds));
        const guard = () => createGuard(policy, { turns: true, mode, now });
        const info = { agent: "main" };
        const whole = guard().session("s", info);
        let parts = guard().session("s", info);
        for (const [index, step] of all.entries()) {
          seconds += 15;
          if (saves[index]) parts = guard().restore("s", parts.save(), info);
          expect(takeStep(parts, step, index)).toEqual(takeStep(whole, step, index));
        }
        expect(parts.close()).toEqual(whole.close());
      }),
      { numRuns: 60 },
    );
  });
});

describe("what cannot be gone on with is refused", () => {
  const policyOf = (limit: number) =>
    parsePolicy(JSON.stringify([{ id: "r", kind: "max_calls", params: { tool: "a", limit } }]), { file: "p.json" });
  const saved = createGuard(policyOf(1)).session("s").save();
  it.each([
    ["another policy", saved, policyOf(2)],
    ["no JSON", saved.slice(0, 40), policyOf(1)],
    ["something else", '{"a":1}', policyOf(1)],
    ["a later version", saved.replace('"spoorSession":1', '"spoorSession":99'), policyOf(1)],
    ["parts missing", saved.replace('"rules":[', '"rules":[null,'), policyOf(1)],
  ])("%s", (_name, text, policy) => {
    expect(() => createGuard(policy).restore("s", text)).toThrow(expect.objectContaining({ code: "guard.state" }));
  });
  it("and so is a session that is open", () => {
    const guard = createGuard(policyOf(1));
    guard.session("s");
    expect(() => guard.restore("s", saved)).toThrow(/is open/);
  });
});

describe.each(everyKind)("%s %j: what is remembered of a session does not grow with it", (kind, params, extra) => {
  it("once everything has been seen", () => {
    const policy = parsePolicy(JSON.stringify([{ id: "r", kind, params, ...extra }]), { file: "p.json" });
    let seconds = 0;
    const now = () => new Date(Date.UTC(2026, 10, 15, 12, 0, seconds));
    const session = createGuard(policy, { turns: true, mode: "warn", now }).session("s", { agent: "main" });
    const tools = { no_command: ["Bash"], no_blind_retry: ["a"] }[kind] ?? ["a", "b"];
    const { onCall } = policy.rules[0]!.definition;
    const isTurn = (index: number) => onCall === undefined || index % (kind === "ltl_formula" ? 2 : 50) === 0;
    const stepOf = (index: number): Step => {
      if (isTurn(index)) return { turn: index % 4 === 0 ? "fine" : "bad", model: "m", calls: [] };
      const value = kind === "no_command" ? "rm -rf /" : `order_${1000 + (Math.floor(index / 8) % 2)}`;
      const ends = index % 100 === 1 ? "ok" : index % 4 < 2 ? "error" : "later";
      return { call: tools[index % tools.length]!, value, ends };
    };
    let index = 0;
    const entriesAfter = (steps: number) => {
      for (; index < steps; index++) {
        seconds += 15;
        takeStep(session, stepOf(index), index);
      }
      return entriesIn(JSON.parse(session.save()));
    };
    // What is kept of offences, of open calls and of turns is filled by then: a thousand of each.
    const before = entriesAfter(2600);
    expect(entriesAfter(3000)).toBeLessThanOrEqual(before + 10);
  });
});

/** Members and items of a JSON value, all levels. */
function entriesIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum: number, item) => sum + entriesIn(item), 1);
}
