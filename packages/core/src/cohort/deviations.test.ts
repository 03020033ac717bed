import { expect, it } from "vitest";
import { buildDesign } from "./design.ts";
import { buildDeviations } from "./deviations.ts";

const pair = buildDesign([
  { scenario: "s", side: "baseline" },
  { scenario: "s", side: "candidate" },
]);
const row = (entries: Readonly<Record<number, number>>) => ({
  columns: Int32Array.from(Object.keys(entries), Number),
  values: Float64Array.from(Object.values(entries)),
});
/** Row i as column → deviation. */
function rows({ starts, columns, values }: ReturnType<typeof buildDeviations>) {
  return [0, 1].map((index) => {
    const entries: Record<number, number> = {};
    for (let at = starts[index]!; at < starts[index + 1]!; at++) entries[columns[at]!] = values[at]!;
    return entries;
  });
}

it.each([
  { name: "absent is zero", absent: "zero" as const, expected: [{ 0: 1 }, { 0: -1 }], variance: 1 },
  { name: "absent does not apply", absent: "unknown" as const, expected: [{}, {}], variance: 0 },
])("$name", ({ absent, expected, variance }) => {
  const deviations = buildDeviations(pair, [row({ 0: 2 }), row({})], [{ absent, dependsOn: -1 }]);
  expect(rows(deviations)).toEqual(expected);
  // h = 1/2, squares 1 + 1, t − 1 = 1.
  expect(deviations.variances[0]).toBe(variance);
});

it.each([
  { name: "zero where the tool is called without the key", second: { 0: 1 }, expected: [{ 1: 0.5 }, { 1: -0.5 }] },
  { name: "not applicable where the tool is not called", second: {}, expected: [{ 0: 0.5 }, { 0: -0.5 }] },
])("a share of calls is $name", ({ second, expected }) => {
  const columns = [
    { absent: "zero" as const, dependsOn: -1 },
    { absent: "dependent" as const, dependsOn: 0 },
  ];
  expect(rows(buildDeviations(pair, [row({ 0: 1, 1: 1 }), row(second)], columns))).toEqual(expected);
});
