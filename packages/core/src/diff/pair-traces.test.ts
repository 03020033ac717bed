import { expect, it } from "vitest";
import { type TurnSpec, traceOf } from "../../test/build.ts";
import { pairTraces } from "./pair-traces.ts";

const saying = (text: string): TurnSpec => ({ text });

it("one plain run stands against every variant of its task", () => {
  const named = (scenario: string) => traceOf([saying("Hi.")], { scenario_id: scenario });
  const { matching, pairs } = pairTraces(
    [named("bank/1"), named("bank/2")],
    [named("bank/1/x"), named("bank/1/y"), named("shop/1")],
  );
  expect(matching).toMatchObject({
    by: "task_variant",
    pairs: 2,
    onlyBaseline: [{ name: "bank/2" }],
    onlyCandidate: [{ name: "shop/1" }],
  });
  expect(pairs.map((pair) => pair.name)).toEqual(["bank/1/x", "bank/1/y"]);
});
