import { expect, it } from "vitest";
import { traceOf } from "../../../test/build.ts";
import { diffTraces } from "../diff-traces.ts";

const replies = (...tokens: (number | undefined)[]) =>
  traceOf(
    tokens.map((count) => ({ text: "Done.", ...(count === undefined ? {} : { usage: { output_tokens: count } }) })),
  );

it.each([
  { before: [10, 20, 90], after: [30, 40, 90], row: { baseline: 20, candidate: 40, delta: 20, n: 3 } },
  { before: [10, undefined, 30], after: [10, 99, 30], row: { delta: 0, n: 2, measured: 2 } },
])("$before to $after output tokens", ({ before, after, row }) => {
  const { rows } = diffTraces(replies(...before), replies(...after), { pairing: "index" });
  expect(rows.find(({ axis }) => axis === "verbosity")).toMatchObject(row);
});
