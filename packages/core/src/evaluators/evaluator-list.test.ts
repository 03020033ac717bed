import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Problems } from "../read/located.ts";
import { parseYaml } from "../read/parse-yaml.ts";
import type { Json, JsonObject } from "../trace/json.ts";
import { isObject } from "../trace/json.ts";
import type { TrajectorySpec } from "../trajectory/trajectory.ts";
import type { EvaluatorConfig } from "./evaluation.ts";
import { evaluatorList } from "./evaluator-list.ts";
import { pureEvaluators } from "./evaluators.ts";

interface Parsed {
  readonly configs: readonly EvaluatorConfig[];
  readonly problems: readonly string[];
  readonly diagnostics: readonly string[];
}

function parse(entries: Json): Parsed {
  return parseText(JSON.stringify(entries));
}

function parseText(text: string): Parsed {
  const document = parseYaml(text, "evaluators.yaml");
  const problems = new Problems(document);
  const configs = evaluatorList(pureEvaluators).read(problems.root()) ?? [];
  const words = (list: Problems["errors"]) => list.map(({ message }) => message);
  return { configs, problems: words(problems.errors), diagnostics: words(problems.notes) };
}

function spec(entry: JsonObject): TrajectorySpec {
  const { configs, problems } = parse([entry]);
  expect(problems).toEqual([]);
  return configs[0]!.params as TrajectorySpec;
}

it.each([
  [{ mode: "subset" }, undefined],
  [{ mode: "subset", reuse: false }, false],
  [{ trajectory_match_mode: "subset" }, false],
  [{ trajectory_match_mode: "subset", reuse: true }, undefined],
])("a step of %j allows several calls unless agentevals' key or reuse says one", (entry, reuse) => {
  expect(spec({ type: "tool_trajectory", expected: [{ tool: "a" }], ...entry }).reuse).toBe(reuse);
});

/** What two releases made of 42 entries: valid ones are read alike, what they skipped or dropped is a problem here. */
describe("entries of both releases", () => {
  const file = new URL("../../../../vectors/agentv/config-parsing.json", import.meta.url);
  const { cases } = JSON.parse(readFileSync(file, "utf8")) as { cases: VectorCase[] };
  interface VectorCase {
    readonly name: string;
    readonly evaluators: Json;
    readonly latest: { readonly parsed: readonly JsonObject[] | null };
  }
  /** Dropped, skipped or unknown in some release. */
  const refused = new Set([
    "any_order without minimums",
    "in_order without expected",
    "exact without expected",
    "unknown mode",
    "mode absent",
    "mode not a string",
    "minimums as a list",
    "minimums with a negative, a text and a null are dropped one by one",
    "minimums left empty after dropping",
    "expected as an object",
    "expected items without tool are dropped",
    "args null is dropped",
    "args list is dropped",
    "args text other than any is dropped",
    "max_duration_ms negative",
    "max_duration_ms text",
    "weight negative",
    "weight text",
    "type unknown",
    "args_match list",
    "args_match list left empty",
    "args_match unknown word",
    "item args_match unknown word",
    "unknown extra field",
    "entry is not an object",
    "two evaluators, first invalid",
  ]);

  it.each(cases)("$name", ({ name, evaluators, latest }) => {
    const { configs, problems } = parse(evaluators);
    expect(problems.length > 0).toBe(refused.has(name));
    if (refused.has(name)) return;
    const wanted = latest.parsed![0]!;
    const config = configs[0]!;
    const params = config.params as TrajectorySpec;
    expect(params.mode).toBe(wanted["mode"]);
    expect(params.expected ?? wanted["expected"]).toEqual(wanted["expected"]);
    const minimums =
      params.minimums === undefined
        ? wanted["minimums"]
        : Object.fromEntries(params.minimums.map(({ tool, count }) => [tool, count]));
    if (params.mode === "any_order") expect(minimums).toEqual(wanted["minimums"]);
    expect(config.weight).toBe(wanted["weight"] ?? 1);
    expect(config.minScore).toBe(wanted["min_score"]);
    expect(config.required).toBe(wanted["required"] !== undefined);
    expect(config.negate).toBe(wanted["negate"] === true);
  });
});

describe("mistakes", () => {
  it.each([
    [[{ type: "tool_trajectry" }], "Did you mean tool_trajectory?"],
    [[{ type: "tool_trajectory", mode: "in_ordr", expected: [] }], "Did you mean in_order?"],
    [
      [{ type: "tool_trajectory", mode: "exact", expected: [], wieght: 2 }],
      'unknown key "wieght" in evaluator "tool_trajectory". Did you mean weight?',
    ],
    [
      [{ type: "tool_trajectory", mode: "exact", expected: [{ tool: "a", arg: {} }] }],
      'unknown key "arg" in a step. Did you mean args?',
    ],
    [[{ type: "contains" }], "needs value"],
    [[{ type: "regex", value: "(" }], "cannot be compiled"],
    [[{ type: "is_json", schema: { type: "nonsense" } }], "JSON Schema"],
    [[{ name: "x" }], "needs type"],
    [[3], "must be a mapping"],
    [{ type: "contains" }, "must be a list"],
    [[{ type: "contains", value: "x", min_score: 2 }], "above 0 and up to 1"],
    [[{ type: "tool_trajectory", mode: "subset", expected: [["a", "b"]] }], "subset cannot ask for"],
  ] as [Json, string][])("%j: %s", (entries, words) => {
    expect(parse(entries).problems.join("\n")).toContain(words);
  });

  it("says what is accepted and not used", () => {
    const { problems, diagnostics } = parse([
      {
        type: "tool_trajectory",
        mode: "in_order",
        minimums: {},
        expected: [{ tool: "a", input: { x: 1 }, output: 1 }],
      },
      { type: "tool_trajectory", mode: "superset", expected: [{ tool: "a", max_duration_ms: 5 }] },
    ]);
    expect(problems).toEqual([]);
    expect(diagnostics).toHaveLength(4);
  });

  it("places a problem on its line", () => {
    const document = parseYaml(
      "- type: tool_trajectory\n  mode: exact\n  expected:\n    - tool: a\n      max_duration_ms: -1\n",
      "e.yaml",
    );
    const problems = new Problems(document);
    evaluatorList(pureEvaluators).read(problems.root());
    expect(problems.errors[0]!.at).toMatchObject({ line: 5, column: 24 });
  });
});

describe("dialects", () => {
  it("reads steps as names, mappings and groups that share a turn", () => {
    expect(
      spec({
        type: "tool-trajectory",
        mode: "in_order",
        expected: ["a", [{ tool: "b", turn: 2 }, "c"], { tool: "d", status: "ok" }],
      }),
    ).toEqual({
      mode: "in_order",
      expected: [
        { tool: "a" },
        { tool: "b", turnIndex: 1, group: 1 },
        { tool: "c", group: 1 },
        { tool: "d", status: "ok" },
      ],
    });
  });

  it("reads agentevals' strict as exact with exact arguments", () => {
    expect(spec({ type: "trajectory", trajectory_match_mode: "strict", expected: [] })).toMatchObject({
      mode: "exact",
      argsMatch: "exact",
    });
    expect(spec({ type: "trajectory", mode: "strict", tool_args_match_mode: "ignore", expected: [] })).toMatchObject({
      argsMatch: "ignore",
    });
  });

  it("keeps __proto__ and integer-like names in minimums", () => {
    const { configs } = parseText("- {type: tool_trajectory, mode: any_order, minimums: {b: 1, __proto__: 2, 7: 3}}");
    expect((configs[0]!.params as TrajectorySpec).minimums).toEqual([
      { tool: "7", count: 3 },
      { tool: "b", count: 1 },
      { tool: "__proto__", count: 2 },
    ]);
  });

  it("gives equal names a number", () => {
    expect(
      parse([
        { type: "contains", value: "a" },
        { type: "contains", value: "b" },
        { type: "not-contains", value: "c" },
      ]).configs.map(({ name, negate }) => [name, negate]),
    ).toEqual([
      ["contains", false],
      ["contains-2", false],
      ["not_contains", true],
    ]);
  });

  it.each<[JsonObject, Partial<TrajectorySpec>, boolean]>([
    [
      { type: "trajectory:tool-used", value: "search" },
      { mode: "any_order", minimums: [{ tool: "search", count: 1 }] },
      false,
    ],
    [
      { type: "trajectory:tool-used", value: { name: "search", min: 2, max: 4 } },
      { minimums: [{ tool: "search", count: 2 }], maximums: [{ tool: "search", count: 4 }] },
      false,
    ],
    [
      { type: "not-trajectory:tool-used", value: ["rm", "mv"] },
      {
        maximums: [
          { tool: "rm", count: 0 },
          { tool: "mv", count: 0 },
        ],
      },
      false,
    ],
    [
      { type: "not-trajectory:tool-used", value: { name: "a", min: 3 } },
      { maximums: [{ tool: "a", count: 2 }] },
      false,
    ],
    [
      { type: "trajectory:tool-sequence", value: { steps: ["a", "b"] } },
      { mode: "in_order", expected: [{ tool: "a" }, { tool: "b" }] },
      false,
    ],
    [{ type: "not-trajectory:tool-sequence", value: { mode: "exact", steps: ["a"] } }, { mode: "exact" }, true],
    [
      { type: "trajectory:tool-args-match", value: { name: "a", args: { x: 1 } } },
      { mode: "superset", expected: [{ tool: "a", args: { x: 1 }, argsMatch: "deep_superset" }] },
      false,
    ],
    [
      {
        type: "trajectory:tool-args-match",
        value: { name: "a", args: { x: 1 }, mode: "exact", ignore: ["t"], defaults: { y: 2 } },
      },
      { expected: [{ tool: "a", args: { x: 1 }, argsMatch: "exact", argsIgnore: ["t"], argsDefaults: { y: 2 } }] },
      false,
    ],
    [
      { type: "trajectory:step-count", value: { max: 5 } },
      { mode: "any_order", maximums: [{ tool: "*", count: 5 }] },
      false,
    ],
  ])("%j", (entry, expected, negate) => {
    const { configs, problems } = parse([entry]);
    expect(problems).toEqual([]);
    expect(configs[0]!.params).toMatchObject({ ...expected, binary: true, nameMatch: "glob" });
    expect(configs[0]!.negate).toBe(negate);
  });

  it.each([
    [{ type: "trajectory:tool-used", value: { name: "a", minimum: 1 } }, "unknown key"],
    [{ type: "trajectory:tool-sequence", value: { steps: "a" } }, "steps"],
    [{ type: "trajectory:tool-args-match", value: { name: "a" } }, "args"],
    [{ type: "trajectory:step-count", value: {} }, "min"],
    [{ type: "trajectory:other", value: {} }, "unknown type"],
  ] as [JsonObject, string][])("refuses %j", (entry, words) => {
    expect(parse([entry]).problems.join()).toContain(words);
  });
});

it("never throws on arbitrary entries", () => {
  for (const entry of [
    null,
    [],
    {},
    { type: null },
    { type: "composite", evaluators: [null, 3, "x"] },
    { type: "field_accuracy", fields: [1] },
  ]) {
    expect(isObject(parse([entry as Json]))).toBe(true);
  }
});
