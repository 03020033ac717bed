import { expect, it } from "vitest";
import { type TurnSpec, traceOf } from "../../../test/build.ts";
import { diffTraces } from "../diff-traces.ts";

const pay = (...keys: string[]): TurnSpec => ({
  calls: [{ name: "pay", input: Object.fromEntries(keys.map((key) => [key, 1])) }],
});
const say = (text: string): TurnSpec => ({ text });

it.each<{ name: string; before: TurnSpec; after: TurnSpec; row: object }>([
  { name: "JSON that stays JSON", before: say("{}"), after: say("[1]"), row: { n: 1, delta: 0 } },
  { name: "JSON in a fence", before: say("{}"), after: say("```json\n{}\n```"), row: { n: 1, delta: 0 } },
  { name: "JSON that breaks", before: say("{}"), after: say("{"), row: { n: 1, delta: -1, direction: "worse" } },
  { name: "JSON that was broken before", before: say("{"), after: say("{}"), row: { n: 1, delta: 1 } },
  { name: "argument names in another order", before: pay("a", "b"), after: pay("b", "a"), row: { n: 1, delta: 0 } },
  { name: "another argument name", before: pay("a"), after: pay("b"), row: { n: 1, delta: -1 } },
  { name: "plain words", before: say("Hi."), after: say("{"), row: { n: 0 } },
])("$name", ({ before, after, row }) => {
  const { rows } = diffTraces(traceOf([before]), traceOf([after]), { pairing: "index" });
  expect(rows.find(({ axis }) => axis === "conformance")).toMatchObject(row);
});
