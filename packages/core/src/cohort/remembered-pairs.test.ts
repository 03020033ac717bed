import { expect, it } from "vitest";
import { run } from "../../test/cohort.ts";
import { buildDesign } from "./design.ts";
import { createObserver } from "./observe.ts";
import { measurePairs } from "./pairs.ts";
import { RememberedPairs } from "./remembered-pairs.ts";

const observer = createObserver();
const runs = [
  run("s", "baseline", ["find", "refund", "confirm"], { texts: ["your refund is on its way"] }),
  run("s", "candidate", ["refund", "find"], { texts: ["on its way"] }),
  run("s", "baseline", [], { texts: ["I cannot help", "sorry"] }),
  run("s", "candidate", ["find", "find", "find"], { texts: [] }),
].map((each) => observer.observe(each));

it.each([
  { name: "all of them", chosen: [0, 1, 2, 3] },
  { name: "again, in another order", chosen: [2, 3, 0, 1] },
  { name: "a run with itself", chosen: [0, 1, 0, 3] },
  { name: "two scenarios", chosen: [0, 1, 2, 3], scenarios: ["t", "s", "t", "t"] },
])("tells the distances that are measured: $name", ({ chosen, scenarios }) => {
  const remembered = new RememberedPairs();
  for (const order of [chosen, [...chosen].reverse(), chosen]) {
    const sources = order.map((index) => runs[index]!);
    const sides = sources.map((source, at) => ({
      ...source,
      scenario: scenarios?.[at] ?? "s",
      side: at % 2 === 0 ? ("baseline" as const) : ("candidate" as const),
    }));
    const design = buildDesign(sides);
    expect(remembered.measure(design, sources)).toEqual(measurePairs(design, sides));
  }
});
