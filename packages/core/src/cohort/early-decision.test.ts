import { expect, it } from "vitest";
import { isDecided } from "./early-decision.ts";

const decide = isDecided(0.05);
/** Asked after `done` labellings, of which `others` beside the observed one are as extreme, with fourteen signals. */
const asked = (done: number, others: number) => decide(done, () => (others + 1) / done, 14);

it.each([
  // 0.05 · 96 + 4 · √(96 · 0.05 · 0.95) + 14 = 27.3
  { done: 96, others: 28, decided: true, why: "far above α" },
  { done: 96, others: 27, decided: false, why: "four standard deviations and a labelling per signal are not reached" },
  // 0.95^96 = 0.7 %: a p above α would have shown one by then.
  { done: 96, others: 0, decided: true, why: "nothing else is as extreme" },
  { done: 96, others: 1, decided: false, why: "one other may be chance" },
  // 0.95^48 = 8.5 %
  { done: 48, others: 0, decided: false, why: "none of 48 is too little" },
  { done: 64, others: 60, decided: false, why: "it is not looked at every number" },
])("$done labellings, $others others: $why", ({ done, others, decided }) => {
  expect(asked(done, others)).toBe(decided);
});
