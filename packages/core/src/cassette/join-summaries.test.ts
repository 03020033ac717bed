import { expect, it } from "vitest";
import type { CassetteSummary } from "./cassette.ts";
import { joinSummaries } from "./join-summaries.ts";

const from = (turn: number) => ({ trace: "damaged.run1", turn });

function summary(given: Partial<CassetteSummary>): CassetteSummary {
  return {
    scope: { by: "scenario", recordings: ["damaged.run1"] },
    tools: {},
    models: {},
    misses: [],
    modelMisses: [],
    stale: [],
    masked: 0,
    redacted: 0,
    neverAsked: { tools: [], modelAnswers: 0 },
    changedTools: { added: [], removed: [], changed: [] },
    ...given,
  };
}

const both = { tools: true, model: true };

it("counts how calls were answered; a miss and a call that ran for real were not served", () => {
  const joined = joinSummaries(
    [summary({ tools: { exact: 2, miss: 1 } }), summary({ tools: { exact: 1, live: 1, again: 0 }, redacted: 2 })],
    both,
  );
  expect(joined.tools).toEqual({ asked: 5, served: 3, ways: { exact: 3, miss: 1, live: 1 } });
  expect(joined.redacted).toBe(2);
});

it("what one process asked for is not left over, however little another asked", () => {
  const refund = { name: "refund", from: from(1) };
  const lookUp = { name: "look_up", from: from(0) };
  const inProcess = summary({ neverAsked: { tools: [refund], modelAnswers: 3 } });
  const proxy = summary({ neverAsked: { tools: [lookUp, refund], modelAnswers: 1 } });
  expect(joinSummaries([inProcess, proxy], both).neverAsked).toEqual({
    tools: [{ name: "refund", count: 1 }],
    modelAnswers: 1,
  });
});

it("what belongs to several recordings is left over in each of them", () => {
  const other = { scope: { by: "scenario", recordings: ["late.run1"] } } as const;
  const left = { tools: [{ name: "refund", from: from(1) }], modelAnswers: 2 };
  const joined = joinSummaries([summary({ neverAsked: left }), summary({ ...other, neverAsked: left })], both);
  expect(joined.neverAsked).toEqual({ tools: [{ name: "refund", count: 2 }], modelAnswers: 4 });
});

it("of what is live nothing is left over, and a consumer that found no recording says nothing", () => {
  const left = { tools: [{ name: "refund", from: from(1) }], modelAnswers: 2 };
  const live = joinSummaries([summary({ neverAsked: left })], { tools: true, model: false });
  expect(live.neverAsked).toEqual({ tools: [{ name: "refund", count: 1 }], modelAnswers: 0 });
  const lost = summary({ scope: { by: "none", recordings: [] }, neverAsked: left });
  expect(joinSummaries([lost], both).neverAsked).toEqual({ tools: [], modelAnswers: 0 });
});
