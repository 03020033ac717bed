/** What a session remembers does not grow with what it has seen, for any kind of rule: neither its memory nor the cost of a step. */
import { parsePolicy } from "@spoor/core/internal/policy/parse-policy";
import { expect, it } from "vitest";
import { everyKind, takeStep } from "../../test/every-kind.ts";
import { createGuard } from "../guard.ts";

/** Twice what is kept up to a limit, because every other turn is of another model: offences, turns to be named at the end. */
const ROUNDS = 2_100;
/** Of a thousand open calls the numbers have more digits; an entry more for every round would be several times as much. */
const DIGITS = 5_000;

it("is the same after twice as many turns and calls of every kind", () => {
  const rules = everyKind.map(([kind, params, rest], index) => ({ id: `r${index}`, kind, params, ...rest }));
  const policy = parsePolicy(JSON.stringify({ rules }), { file: "p.json" });
  let at = Date.parse("2026-01-01T00:00:00Z");
  // Everything goes ahead, so that everything has something to remember.
  const guard = createGuard(policy, { mode: "warn", turns: true, now: () => new Date(at) });
  const session = guard.session("s", { agent: "main", user: "ada" });
  let index = 100_000;
  const round = () => {
    at += 61_000;
    const value = `order_${index % 7}`;
    takeStep(session, { turn: "fine words", model: index % 8 === 0 ? "n" : "m", calls: ["b"] }, index++);
    takeStep(session, { call: "a", value, ends: "ok" }, index++);
    takeStep(session, { call: "b", value, ends: "error" }, index++);
    takeStep(session, { call: "Bash", value: "rm -rf /", ends: "later" }, index++);
  };
  const sizesAfter = (rounds: number): Sizes => {
    for (let made = 0; made < rounds; made++) round();
    return sizesOf(JSON.parse(session.save()) as Saved);
  };
  const once = sizesAfter(ROUNDS);
  const twice = sizesAfter(ROUNDS);
  const grown = Object.keys(once).filter((what) => Math.abs(twice[what]! - once[what]!) > DIGITS);
  expect(grown.map((what) => `${what}: ${once[what]} → ${twice[what]}`)).toEqual([]);
});

type Sizes = Readonly<Record<string, number>>;

interface Saved {
  readonly monitor: { readonly rules: readonly unknown[] };
}

/** Of each rule, and of everything else. */
function sizesOf({ monitor: { rules, ...rest }, ...session }: Saved): Sizes {
  const sized = rules.map((rule, at) => [`${at} ${everyKind[at]![0]}`, JSON.stringify(rule).length] as const);
  return { ...Object.fromEntries(sized), rest: JSON.stringify([rest, session]).length };
}
