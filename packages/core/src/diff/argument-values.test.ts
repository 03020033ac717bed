import { expect, it } from "vitest";
import { traceOf } from "../../test/build.ts";
import { createReportRedaction } from "../redact/redaction.ts";
import type { Json } from "../trace/json.ts";
import { buildArgumentValues } from "./argument-values.ts";

const clean = (input: Json) => createReportRedaction().json({ input }).input;
const run = (...inputs: Json[]) => traceOf([{ calls: inputs.map((input) => ({ name: "pay", input })) }]);
const pairsOf = (before: readonly Json[], after: readonly Json[]) =>
  before.map((input, at) => ({ baseline: run(input), candidate: run(after[at]!) }));

it("tells amounts before and after, and in which runs they differ", () => {
  const before = [10, 20, 30, 40].map((amount) => ({ refund: { amount }, currency: "EUR" }));
  const after = [10, 40, 60, 80].map((amount) => ({ refund: { amount }, currency: "EUR" }));
  const {
    arguments: [shift, ...others],
    unique,
  } = buildArgumentValues(pairsOf(before, after), clean);
  expect([others, unique]).toEqual([[], 0]);
  // By hand: up to 30 lie 3 of 4 values before and 1 of 4 after. Quartiles as R's quantile(c(10, 20, 30, 40)) gives them.
  expect(shift).toMatchObject({ tool: "pay", path: "refund.amount", distance: 0.5, pairs: [1, 2, 3] });
  expect(shift!.values).toEqual({
    kind: "numbers",
    baseline: {
      lowest: 10,
      lowerQuartile: 17.5,
      median: 25,
      upperQuartile: 32.5,
      highest: 40,
      shown: [10, 20, 30, 40],
    },
    candidate: { lowest: 10, lowerQuartile: 32.5, median: 50, upperQuartile: 65, highest: 80, shown: [10, 40, 60, 80] },
  });
});

it("counts words, the commonest first", () => {
  const before = ["EUR", "EUR", "EUR", "USD"].map((currency) => ({ currency }));
  const after = ["EUR", "USD", "USD", "USD"].map((currency) => ({ currency }));
  const {
    arguments: [shift],
  } = buildArgumentValues(pairsOf(before, after), clean);
  // Half of |3/4 - 1/4| + |1/4 - 3/4|.
  expect(shift).toMatchObject({ path: "currency", distance: 0.5, calls: { baseline: 4, candidate: 4 }, pairs: [1, 2] });
  expect(shift!.values).toEqual({
    kind: "words",
    values: [
      { value: '"EUR"', baseline: 3, candidate: 1 },
      { value: '"USD"', baseline: 1, candidate: 3 },
    ],
    more: 0,
  });
});

it("says of ids only that they are always others", () => {
  const ids = (prefix: string) => [1, 2, 3, 4].map((at) => ({ id: `${prefix}${at}` }));
  expect(buildArgumentValues(pairsOf(ids("a"), ids("b")), clean)).toEqual({ arguments: [], more: 0, unique: 1 });
});

it("knows a secret by the name that it stands under, also a number", () => {
  const secrets = (password: string, pin: number) => [
    { password, pin },
    { password, pin },
  ];
  const said = JSON.stringify(
    buildArgumentValues(pairsOf(secrets("correct-Horse-7", 4711), secrets("other-Horse-8", 4712)), clean),
  );
  expect(said).not.toMatch(/Horse/);
});

it("is silent where nothing moved", () => {
  const same = [{ amount: 1 }, { amount: 2 }];
  expect(buildArgumentValues(pairsOf(same, same), clean).arguments).toEqual([]);
});

it("a call that is gone is no other value", () => {
  const pairs = [
    { baseline: run({ amount: 40 }), candidate: traceOf([{ text: "no call" }]) },
    { baseline: run({ amount: 10 }), candidate: run({ amount: 10 }) },
  ];
  expect(buildArgumentValues(pairs, clean).arguments).toEqual([]);
});
