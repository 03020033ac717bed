import { expect, it } from "vitest";
import { type TurnSpec, traceOf } from "../../../test/build.ts";
import { diffTraces } from "../diff-traces.ts";

const saying = (text: string): TurnSpec => ({ text });

it("fewer refusals are changed, never better", () => {
  const refusing = traceOf(Array.from({ length: 6 }, () => saying("I can’t help with that.")));
  const helping = traceOf(Array.from({ length: 6 }, () => saying("Here it is.")));
  const safety = (result: ReturnType<typeof diffTraces>) => result.rows.find((row) => row.axis === "safety");
  expect(safety(diffTraces(refusing, helping))).toMatchObject({ delta: -1, direction: "changed" });
  expect(safety(diffTraces(helping, refusing))).toMatchObject({ delta: 1, direction: "worse" });
});
