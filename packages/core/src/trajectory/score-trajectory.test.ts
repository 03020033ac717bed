import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { statusOfScore } from "../evaluators/evaluation.ts";
import type { Json } from "../trace/json.ts";
import type { ToolCall } from "../trace/trace.ts";
import { scoreTrajectory } from "./score-trajectory.ts";
import type { ExpectedStep, TrajectoryResult, TrajectorySpec } from "./trajectory.ts";

interface Called {
  readonly tool: string;
  readonly input?: Json;
  readonly ms?: number;
  readonly turn?: number;
  readonly status?: ToolCall["status"];
}

/** `A B C`, or calls with details; each in a turn of its own unless said. */
function calls(list: string | readonly Called[]): ToolCall[] {
  const entries = typeof list === "string" ? words(list).map((tool): Called => ({ tool })) : list;
  return entries.map(({ tool, input, ms, turn, status }, position) => ({
    name: tool,
    ...(input === undefined ? {} : { input }),
    ...(ms === undefined ? {} : { durationMs: ms }),
    status: status ?? "unknown",
    turnIndex: turn ?? position,
    position,
  }));
}

function steps(list: string): ExpectedStep[] {
  return words(list).map((tool) => ({ tool }));
}

function words(text: string): string[] {
  return text === "" ? [] : text.split(" ");
}

function score(spec: TrajectorySpec, actual: string | readonly Called[]): TrajectoryResult {
  return scoreTrajectory(spec, { toolCalls: calls(actual), hasTrace: true });
}

const five = ["a", "b", "c", "d", "e"].map((tool) => ({ tool, count: 1 }));
const limited: ExpectedStep[] = [
  { tool: "Read", maxDurationMs: 100 },
  { tool: "Edit", maxDurationMs: 500 },
  { tool: "Write" },
];

/** The worked examples of the guide's reference, row by row. */
describe("worked examples", () => {
  const rows: { row: number; spec: TrajectorySpec; actual: string | Called[]; score: number; ours?: number }[] = [
    {
      row: 1,
      spec: {
        mode: "any_order",
        minimums: [
          { tool: "a", count: 2 },
          { tool: "b", count: 2 },
        ],
      },
      actual: "a b a",
      score: 1 / 2,
    },
    { row: 2, spec: { mode: "any_order", minimums: five }, actual: "a b c d", score: 0.8 },
    { row: 3, spec: { mode: "any_order", minimums: five }, actual: "a b c", score: 0.6 },
    { row: 4, spec: { mode: "any_order", minimums: [{ tool: "a", count: 0 }] }, actual: "b", score: 1 },
    { row: 5, spec: { mode: "in_order", expected: steps("A B C") }, actual: "A X B Y C", score: 1 },
    { row: 6, spec: { mode: "in_order", expected: steps("A B") }, actual: "B A", score: 0.5 },
    { row: 7, spec: { mode: "in_order", expected: steps("a b c") }, actual: "a c", score: 1 / 3 },
    { row: 8, spec: { mode: "in_order", expected: steps("x a b") }, actual: "a b", score: 0 },
    {
      row: 9,
      spec: { mode: "in_order", expected: [{ tool: "search", args: { q: "b" } }] },
      actual: [
        { tool: "search", input: { q: "a" } },
        { tool: "search", input: { q: "b" } },
      ],
      score: 0,
    },
    {
      row: 10,
      spec: { mode: "in_order", expected: [{ tool: "a" }, { tool: "b", args: { k: 1 } }, { tool: "c" }] },
      actual: [{ tool: "a" }, { tool: "b", input: { k: 2 } }, { tool: "c" }],
      score: 2 / 3,
    },
    { row: 11, spec: { mode: "exact", expected: steps("A B") }, actual: "A B C", score: 1, ours: 2 / 3 },
    { row: 12, spec: { mode: "exact", expected: steps("a b c") }, actual: "x a b c", score: 0 },
    { row: 13, spec: { mode: "exact", expected: steps("a b c") }, actual: "a b", score: 2 / 3 },
    {
      row: 14,
      spec: { mode: "in_order", expected: limited },
      actual: [{ tool: "Read", ms: 45 }, { tool: "Edit", ms: 120 }, { tool: "Write" }],
      score: 1,
    },
    {
      row: 15,
      spec: { mode: "in_order", expected: limited },
      actual: [{ tool: "Read", ms: 145 }, { tool: "Edit", ms: 120 }, { tool: "Write" }],
      score: 4 / 5,
    },
    { row: 16, spec: { mode: "in_order", expected: limited.slice(0, 1) }, actual: "Read", score: 1 },
    { row: 17, spec: { mode: "in_order", expected: limited.slice(0, 1) }, actual: "Other", score: 0 },
    {
      row: 18,
      spec: { mode: "exact", expected: [{ tool: "a", maxDurationMs: 10 }] },
      actual: [{ tool: "a", ms: 11 }],
      score: 1 / 2,
    },
    {
      row: 19,
      spec: { mode: "in_order", expected: [{ tool: "t", args: { f: { a: 1 } } }] },
      actual: [{ tool: "t", input: { f: { a: 1, b: 2 } } }],
      score: 0,
    },
    { row: 20, spec: { mode: "in_order", expected: [{ tool: "t", args: {} }] }, actual: "t", score: 0 },
  ];

  it.each(rows)("row $row scores $score", ({ spec, actual, score: expected, ours }) => {
    const result = score(spec, actual);
    expect(result.scoreIgnoringExtras ?? result.score).toBeCloseTo(expected, 12);
    expect(result.score).toBeCloseTo(ours ?? expected, 12);
  });

  it("counts a skipped limit, worked out by hand", () => {
    const result = score({ mode: "in_order", expected: limited }, [
      { tool: "Read" },
      { tool: "Edit", ms: 700 },
      { tool: "Write" },
    ]);
    expect(result).toMatchObject({
      score: 0.75,
      aspects: 4,
      skippedLimits: [{ tool: "Read", step: 0, maxDurationMs: 100 }],
    });
    expect(statusOfScore(result.score)).toEqual({ status: "failed", reason: "borderline" });
  });
});

describe("exact", () => {
  it.each([
    { expected: "a b c", actual: "a x b c", extras: [["x", 1]] },
    { expected: "a b c", actual: "x a b c", extras: [["x", 0]] },
    { expected: "a b c", actual: "a b c x", extras: [["x", 3]] },
    { expected: "a b c", actual: "a b x", extras: [["x", 2]] },
    { expected: "a b c", actual: "a c x b", extras: [["x", 2]] },
    { expected: "a b c", actual: "c b a", extras: [] },
    { expected: "a b c", actual: "a b", extras: [] },
    { expected: "a b a", actual: "a b b a", extras: [["b", 2]] },
    {
      expected: "a b c d e",
      actual: "x b c y d e a",
      extras: [
        ["x", 0],
        ["y", 3],
      ],
    },
    {
      expected: "",
      actual: "a a",
      extras: [
        ["a", 0],
        ["a", 1],
      ],
    },
  ])("names the calls of $actual that $expected does not ask for", ({ expected, actual, extras }) => {
    const result = score({ mode: "exact", expected: steps(expected) }, actual);
    expect(result.extras.map(({ tool, position }) => [tool, position])).toEqual(extras);
  });

  it("takes the call with other arguments for the extra one", () => {
    const expected = [{ tool: "t", args: { k: 1 } }, { tool: "u" }];
    const actual = [{ tool: "t", input: { k: 2 } }, { tool: "t", input: { k: 1 } }, { tool: "u" }];
    expect(score({ mode: "exact", expected }, actual).extras).toMatchObject([{ tool: "t", position: 0 }]);
  });

  it("does not take a call of a group for an extra one because of its place", () => {
    const expected = [{ tool: "a", group: 0 }, { tool: "b", group: 0 }, { tool: "c" }];
    expect(score({ mode: "exact", expected }, "x b a c").extras).toMatchObject([{ tool: "x", position: 0 }]);
  });

  it("finds the extra call among thousands", () => {
    const names = Array.from({ length: 3000 }, (_, index) => `t${index % 7}`);
    const actual = [...names.slice(0, 1500), "rm", ...names.slice(1500)].join(" ");
    const { extras, score: graded } = score({ mode: "exact", expected: steps(names.join(" ")) }, actual);
    expect(extras).toMatchObject([{ tool: "rm", position: 1500 }]);
    expect(graded).toBeCloseTo(1500 / 3001, 12);
    const apart = `x ${actual} y`;
    expect(score({ mode: "exact", expected: steps(names.join(" ")) }, apart).extras.map(({ tool }) => tool)).toEqual([
      "x",
      "rm",
      "y",
    ]);
  });

  it("takes the longer sequence as the denominator and keeps the other score", () => {
    expect(score({ mode: "exact", expected: steps("a b") }, "a b c d")).toMatchObject({
      score: 0.5,
      scoreIgnoringExtras: 1,
      extras: [
        { tool: "c", position: 2 },
        { tool: "d", position: 3 },
      ],
    });
    expect(score({ mode: "exact", expected: steps("a b"), extra: "allow" }, "a b c d").score).toBe(1);
  });

  it("reads an empty expectation as no calls", () => {
    expect(score({ mode: "exact", expected: [] }, "a b")).toMatchObject({ score: 0, scoreIgnoringExtras: 1 });
    expect(score({ mode: "exact", expected: [] }, "").score).toBe(1);
  });
});

describe("any_order", () => {
  it("limits calls from above", () => {
    const spec: TrajectorySpec = {
      mode: "any_order",
      minimums: [{ tool: "a", count: 1 }],
      maximums: [
        { tool: "a", count: 2 },
        { tool: "b", count: 0 },
      ],
    };
    expect(score(spec, "a a a")).toMatchObject({ score: 2 / 3, aspects: 3 });
  });

  it("counts names that every object has", () => {
    for (const tool of ["constructor", "toString", "__proto__", "hasOwnProperty"]) {
      expect(score({ mode: "any_order", minimums: [{ tool, count: 2 }] }, `${tool} ${tool}`).counts[0]!.called).toBe(2);
      expect(score({ mode: "any_order", minimums: [{ tool, count: 1 }] }, "x").score).toBe(0);
    }
  });

  it("reads counts of a summary when there are no calls", () => {
    const subject = { toolCalls: [], hasTrace: true, toolCounts: new Map([["a", 2]]) };
    expect(scoreTrajectory({ mode: "any_order", minimums: [{ tool: "a", count: 2 }] }, subject).score).toBe(1);
  });
});

describe("superset, subset, unordered", () => {
  const spec = (mode: TrajectorySpec["mode"], list: string): TrajectorySpec => ({ mode, expected: steps(list) });

  it.each([
    { mode: "superset", expected: "a b", actual: "b x a", score: 1 },
    { mode: "superset", expected: "a a", actual: "a x", score: 0.5 },
    { mode: "superset", expected: "", actual: "a", score: 1 },
    { mode: "subset", expected: "a b", actual: "a a b x", score: 0.75 },
    { mode: "subset", expected: "", actual: "a", score: 0 },
    { mode: "subset", expected: "a", actual: "", score: 1 },
    { mode: "unordered", expected: "a b", actual: "b a", score: 1 },
    { mode: "unordered", expected: "a b", actual: "b a x x", score: 0.5 },
    { mode: "unordered", expected: "a b c", actual: "a", score: 1 / 3 },
    { mode: "unordered", expected: "", actual: "", score: 1 },
  ] as const)("$mode of [$expected] in [$actual] is $score", ({ mode, expected, actual, score: wanted }) => {
    expect(score(spec(mode, expected), actual).score).toBeCloseTo(wanted, 12);
  });

  /** Whether they hold is what agentevals 0.0.7 says of the same lists: one reference call for each call. */
  it.each([
    { expected: "a", actual: "a a a", holds: false, score: 1 / 3 },
    { expected: "a a a", actual: "a", holds: true, score: 1 },
    { expected: "a b", actual: "b a", holds: true, score: 1 },
    { expected: "a b", actual: "a a b", holds: false, score: 2 / 3 },
    { expected: "", actual: "a", holds: false, score: 0 },
  ])("subset that uses steps up: [$expected] in [$actual] is $holds", ({ expected, actual, holds, score: wanted }) => {
    const result = score({ ...spec("subset", expected), reuse: false }, actual);
    expect(result.score).toBeCloseTo(wanted, 12);
    expect(result.extras.length === 0).toBe(holds);
  });

  it("lets an unconstrained step take the call of a later one: first fit", () => {
    const expected: ExpectedStep[] = [{ tool: "a" }, { tool: "a", args: { k: 1 } }];
    const result = score({ mode: "superset", expected }, [
      { tool: "a", input: { k: 1 } },
      { tool: "a", input: { k: 2 } },
    ]);
    expect(result.score).toBe(0.5);
    expect(result.steps[1]).toMatchObject({ reason: "already_used" });
  });
});

describe("status, turns and groups", () => {
  it("asks for a status, and does not take an unknown one for ok", () => {
    const expected: ExpectedStep[] = [{ tool: "a", status: "ok" }];
    expect(score({ mode: "in_order", expected }, [{ tool: "a", status: "ok" }]).score).toBe(1);
    expect(score({ mode: "in_order", expected }, [{ tool: "a", status: "error" }]).steps[0]).toMatchObject({
      reason: "status_differs",
    });
    expect(score({ mode: "in_order", expected }, [{ tool: "a" }]).score).toBe(0);
  });

  it("asks for a turn", () => {
    const expected: ExpectedStep[] = [{ tool: "a", turnIndex: 1 }];
    expect(
      score({ mode: "superset", expected }, [
        { tool: "a", turn: 0 },
        { tool: "a", turn: 1 },
      ]).score,
    ).toBe(1);
    expect(score({ mode: "superset", expected }, [{ tool: "a", turn: 0 }]).steps[0]).toMatchObject({
      reason: "turn_differs",
    });
  });

  const grouped: ExpectedStep[] = [{ tool: "x" }, { tool: "a", group: 1 }, { tool: "b", group: 1 }, { tool: "y" }];

  it.each(["in_order", "exact", "superset", "unordered"] as const)(
    "%s keeps a group that shares a turn, in any order",
    (mode) => {
      const actual: Called[] = [
        { tool: "x", turn: 0 },
        { tool: "b", turn: 1 },
        { tool: "a", turn: 1 },
        { tool: "y", turn: 2 },
      ];
      expect(score({ mode, expected: grouped }, actual)).toMatchObject({
        score: 1,
        aspects: 5,
        groups: [{ steps: [1, 2], passed: true, turnIndex: 1 }],
      });
    },
  );

  it.each(["in_order", "exact", "superset", "unordered"] as const)(
    "%s misses one aspect when the group is spread over turns",
    (mode) => {
      const actual: Called[] = [
        { tool: "x", turn: 0 },
        { tool: "a", turn: 1 },
        { tool: "b", turn: 2 },
        { tool: "y", turn: 3 },
      ];
      expect(score({ mode, expected: grouped }, actual)).toMatchObject({ score: 4 / 5, groups: [{ passed: false }] });
    },
  );
});

describe("explanations", () => {
  it("shows the call that was looked at, and that another one has what was expected", () => {
    const expected = [{ tool: "search", args: { q: "b" } }];
    const actual = [
      { tool: "search", input: { q: "a" } },
      { tool: "search", input: { q: "b" } },
    ];
    expect(score({ mode: "in_order", expected }, actual).steps[0]).toMatchObject({
      reason: "args_differ",
      closest: { position: 0, differences: 1 },
      fitting: { tool: "search", position: 1 },
    });
  });

  it("the reason is about the call that is shown, whatever is wrong with it", () => {
    const expected = [{ tool: "t", status: "ok" as const, args: { k: 1 } }];
    const actual = [
      { tool: "t", status: "error" as const, input: { k: 2 } },
      { tool: "t", status: "error" as const, input: { k: 1 } },
    ];
    for (const mode of ["in_order", "superset"] as const) {
      expect(score({ mode, expected }, actual).steps[0]).toMatchObject({
        reason: "status_differs",
        closest: { position: 1, statusExpected: "ok", status: "error" },
      });
    }
  });

  it("finds a tool behind the name of its server, among counts too", () => {
    expect(score({ mode: "in_order", expected: steps("webSearch") }, "search web.webSearch").steps[0]).toMatchObject({
      reason: "never_called",
      similarTool: "web.webSearch",
    });
    const minimums = [{ tool: "webSearch", count: 1 }];
    expect(score({ mode: "any_order", minimums, nameMatch: "exact" }, "mcp__web__webSearch").counts[0]).toMatchObject({
      passed: false,
      similarTool: "mcp__web__webSearch",
    });
    expect(score({ mode: "any_order", minimums }, "webSearch").counts[0]).not.toHaveProperty("similarTool");
  });

  const refund = { order_id: "A-7731", refund: { amount: 89, currency: "EUR" }, reason: "customer upset" };
  const spec: TrajectorySpec = {
    mode: "in_order",
    expected: [
      { tool: "lookup_order" },
      { tool: "confirm_refund_amount" },
      { tool: "issue_refund", args: { order_id: "A-7731", refund: { amount: 40, currency: "EUR" } } },
    ],
  };

  it("says which step, which call came closest, which path differs and how", () => {
    const result = score(spec, [{ tool: "lookup_order" }, { tool: "issue_refund", input: refund }]);
    expect(result.score).toBeCloseTo(1 / 3, 12);
    expect(result.steps[1]).toMatchObject({ passed: false, reason: "never_called" });
    expect(result.steps[2]).toMatchObject({
      reason: "search_used_up",
      usedUpBy: 1,
      closest: {
        position: 1,
        turnIndex: 1,
        differences: 1,
        comparisons: [
          { path: "order_id", outcome: "same" },
          { path: "refund.amount", outcome: "different", expected: 40, actual: 89 },
          { path: "refund.currency", outcome: "same" },
        ],
        notCompared: ["reason"],
      },
    });
  });

  it("names a tool whose name is nearly the expected one", () => {
    expect(score({ mode: "superset", expected: steps("lookup_order") }, "lookupOrder").steps[0]).toMatchObject({
      reason: "never_called",
      similarTool: "lookupOrder",
    });
  });

  it("prefers the call with the fewest differences over the nearest one", () => {
    const expected: ExpectedStep[] = [{ tool: "t", args: { a: 1, b: 2, c: 3 } }];
    const actual: Called[] = [
      { tool: "t", input: { a: 9, b: 9, c: 9 } },
      { tool: "t", input: { a: 1, b: 2, c: 9 } },
    ];
    expect(score({ mode: "in_order", expected }, actual).steps[0]!.closest).toMatchObject({
      position: 1,
      differences: 1,
    });
  });
});

it("never passes without a trace, in any mode", () => {
  for (const mode of ["any_order", "in_order", "exact", "superset", "subset", "unordered"] as const) {
    const result = scoreTrajectory({ mode, expected: [], minimums: [] }, { toolCalls: [], hasTrace: false });
    expect(result).toMatchObject({ score: 0, aspects: 1, noTrace: true });
  }
});

it("reads arguments that are JSON text, and takes anything else for a mismatch, never for an error", () => {
  const expected: ExpectedStep[] = [{ tool: "t", args: { q: "x" } }];
  expect(score({ mode: "in_order", expected }, [{ tool: "t", input: '{"q":"x"}' }]).score).toBe(1);
  for (const input of [null, [1], 4, "no json", "null", true]) {
    expect(score({ mode: "in_order", expected }, [{ tool: "t", input }]).score).toBe(0);
  }
});

it("compares names as globs, ignoring case, when asked", () => {
  const spec: TrajectorySpec = { mode: "in_order", nameMatch: "glob", expected: steps("look* ISSUE_?efund") };
  expect(score(spec, "LookupOrder issue_refund").score).toBe(1);
  expect(score({ ...spec, nameMatch: "exact" }, "LookupOrder issue_refund").score).toBe(0);
});

describe("properties", () => {
  const tool = fc.constantFrom("a", "b", "c");
  const value = fc.integer({ min: 0, max: 2 });
  const call: fc.Arbitrary<Called> = fc.record(
    { tool, input: fc.record({ k: value, l: value }), ms: fc.integer({ min: 0, max: 20 }) },
    { requiredKeys: ["tool"] },
  );
  const step: fc.Arbitrary<ExpectedStep> = fc.record(
    {
      tool,
      args: fc.oneof(fc.record({ k: value }), fc.record({ k: value, l: value })),
      maxDurationMs: fc.constant(10),
    },
    { requiredKeys: ["tool"] },
  );
  const stepList = fc.array(step, { maxLength: 7 });
  const callList = fc.array(call, { maxLength: 9 });

  it("stays within [0, 1] and the best alignment is never worse than the greedy one", () => {
    fc.assert(
      fc.property(
        stepList,
        callList,
        fc.constantFrom("in_order", "exact", "superset", "subset", "unordered"),
        (expected, actual, mode) => {
          const result = score({ mode, expected }, actual);
          expect(result.score >= 0 && result.score <= 1).toBe(true);
          if (mode === "in_order") expect(result.bestScore).toBeGreaterThanOrEqual(result.score);
        },
      ),
    );
  });

  it("gives with match: optimal exactly what it promises beside the greedy score", () => {
    fc.assert(
      fc.property(stepList, callList, (expected, actual) => {
        const greedy = score({ mode: "in_order", expected }, actual);
        expect(score({ mode: "in_order", expected, match: "optimal" }, actual).score).toBe(greedy.bestScore);
      }),
    );
  });

  it("finds as many steps in order as trying every alignment does", () => {
    fc.assert(
      fc.property(
        fc.array(
          step.map(({ maxDurationMs: _limit, ...rest }) => rest),
          { maxLength: 6 },
        ),
        callList,
        (expected, actual) => {
          const result = score({ mode: "in_order", expected, match: "optimal" }, actual);
          expect(result.hits).toBe(longestAlignment(expected, calls(actual)));
        },
      ),
    );
  });

  it("serves steps like a plain search for the first unused call that fits", () => {
    fc.assert(
      fc.property(stepList, callList, (expected, actual) => {
        const found = score({ mode: "superset", expected }, actual).steps.map((entry) => entry.call?.position ?? -1);
        expect(found).toEqual(firstFit(expected, calls(actual)));
      }),
    );
  });

  it("allows exactly the calls that some step fits", () => {
    fc.assert(
      fc.property(stepList, callList, (expected, actual) => {
        const extras = score({ mode: "subset", expected }, actual).extras.map((entry) => entry.position);
        const plain = calls(actual).flatMap((one, position) =>
          expected.some((wanted) => fits(wanted, one)) ? [] : [position],
        );
        expect(extras).toEqual(plain);
      }),
    );
  });

  function fits(wanted: ExpectedStep, one: ToolCall): boolean {
    const args = wanted.args as Record<string, Json> | undefined;
    const input = one.input as Record<string, Json> | undefined;
    return (
      wanted.tool === one.name &&
      (args === undefined ||
        (input !== undefined && Object.entries(args).every(([key, entry]) => input[key] === entry)))
    );
  }

  function firstFit(expected: readonly ExpectedStep[], actual: readonly ToolCall[]): number[] {
    const used = new Set<number>();
    return expected.map((wanted) => {
      const position = actual.findIndex((one, at) => !used.has(at) && fits(wanted, one));
      used.add(position);
      return position;
    });
  }

  function longestAlignment(expected: readonly ExpectedStep[], actual: readonly ToolCall[]): number {
    if (expected.length === 0 || actual.length === 0) return 0;
    const without = longestAlignment(expected.slice(1), actual);
    const at = actual.findIndex((one) => fits(expected[0]!, one));
    return at < 0 ? without : Math.max(without, 1 + longestAlignment(expected.slice(1), actual.slice(at + 1)));
  }
});
