import { describe, expect, it } from "vitest";
import { traceOf } from "../../test/build.ts";
import { createRecordBlinder } from "../fingerprint/blind-record.ts";
import { Problems } from "../read/located.ts";
import { parseYaml } from "../read/parse-yaml.ts";
import { buildTrace } from "../trace/build-trace.ts";
import type { Json, JsonObject } from "../trace/json.ts";
import type { TraceRecord } from "../trace/record.ts";
import { scoreCase } from "./case-score.ts";
import type { EvaluateContext } from "./define-evaluator.ts";
import type { EvaluationSubject, EvaluatorResult } from "./evaluation.ts";
import { evaluatorList } from "./evaluator-list.ts";
import { pureEvaluators } from "./evaluators.ts";
import { runEvaluatorsWith } from "./run-evaluators.ts";
import { subjectOfTrace } from "./subject.ts";

async function run(yaml: string, subject: EvaluationSubject): Promise<EvaluatorResult[]> {
  const document = parseYaml(yaml, "e.yaml");
  const problems = new Problems(document);
  const configs = evaluatorList(pureEvaluators).read(problems.root()) ?? [];
  expect(problems.errors).toEqual([]);
  const context: EvaluateContext = {
    evaluateAll: (members, of) => runEvaluatorsWith(members, of, pureEvaluators, context),
  };
  return runEvaluatorsWith(configs, subject, pureEvaluators, context);
}

function answering(content: Json, calls: readonly string[] = []): EvaluationSubject {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return subjectOfTrace(traceOf([{ text, calls }]));
}

const nothing = subjectOfTrace(undefined);

describe("pass lines and negation", () => {
  it("takes min_score as the evaluator's own pass line", async () => {
    const subject = answering("x", ["a", "a", "a", "a", "rm"]);
    const yaml =
      "- {type: tool_trajectory, mode: in_order, expected: [a, a, a, a, b]}\n- {type: tool_trajectory, mode: in_order, expected: [a, a, a, a, b], min_score: 1}";
    expect((await run(yaml, subject)).map(({ score, status, reason }) => [score, status, reason])).toEqual([
      [0.8, "passed", undefined],
      [0.8, "failed", "borderline"],
    ]);
  });

  it("inverts score, status and lines", async () => {
    const [result] = await run(
      "- {type: tool_trajectory, mode: superset, expected: [bash], negate: true}",
      answering("x", ["bash"]),
    );
    expect(result).toMatchObject({ score: 0, status: "failed", negated: true, checks: [{ passed: false }] });
    const [other] = await run(
      "- {type: tool_trajectory, mode: superset, expected: [bash], negate: true}",
      answering("x", ["read"]),
    );
    expect(other).toMatchObject({ score: 1, status: "passed" });
  });

  it("leaves what is borderline borderline when it is negated", async () => {
    const subject = answering("x", ["a", "a", "a", "rm"]);
    const [result] = await run("- {type: tool_trajectory, mode: subset, expected: [a], negate: true}", subject);
    expect(result).toMatchObject({ score: 0.25, status: "failed", reason: "borderline", negated: true });
  });

  it("does not take a missing trace for proof of the opposite", async () => {
    const [result] = await run("- {type: tool_trajectory, mode: superset, expected: [bash], negate: true}", nothing);
    expect(result).toMatchObject({ score: 0, status: "failed", noData: true, trajectory: { noTrace: true } });
  });

  it.each([
    "- {type: not-contains, value: x}",
    "- {type: not-regex, value: x}",
    "- {type: contains_all, value: []}",
    "- {type: latency, threshold: 5, negate: true}",
    "- {type: cost, budget: 5, negate: true}",
    "- {type: token_usage, max_total: 5, negate: true}",
    "- {type: execution_metrics, max_cost_usd: 5, negate: true}",
    "- {type: skill_trigger, skill: x, negate: true}",
    "- {type: composite, negate: true, evaluators: [{type: latency, threshold: 5}]}",
  ])("%s fails on a run of which nothing is known", async (yaml) => {
    expect((await run(yaml, nothing))[0]).toMatchObject({ score: 0, status: "failed" });
  });

  it("scores a list of messages without calls by the mode", async () => {
    const [result] = await run("- {type: tool_trajectory, mode: in_order, expected: []}", answering("hi"));
    expect(result).toMatchObject({ score: 1, trajectory: { noTrace: false } });
  });
});

describe("what no score makes good", () => {
  const exact = "type: tool_trajectory, mode: exact, expected: [a, b, c, d]";
  const extra = answering("x", ["a", "b", "c", "d", "rm"]);

  it.each([
    { name: "a call too many", yaml: `- {${exact}}`, calls: "a b c d rm" },
    { name: "a pass line set by hand", yaml: `- {${exact}, min_score: 0.1}`, calls: "a b c d rm" },
    { name: "a gap", yaml: `- {${exact}, min_score: 0.1}`, calls: "a x b c d" },
    { name: "a step left out", yaml: `- {${exact}, min_score: 0.1}`, calls: "a b c" },
    {
      name: "another tool in place of one",
      yaml: "- {type: tool_trajectory, mode: exact, expected: [a, b, c, d, e]}",
      calls: "a b c d rm",
    },
    {
      name: "other arguments",
      yaml: "- {type: tool_trajectory, mode: exact, expected: [a, b, c, d, {tool: e, args: {x: 1}}]}",
      calls: "a b c d e",
    },
    {
      name: "a gap where calls at the end are allowed",
      yaml: `- {${exact}, extra: allow, min_score: 0.1}`,
      calls: "a x b c d",
    },
    {
      name: "agentevals' strict",
      yaml: "- {type: tool_trajectory, mode: strict, expected: [a, b, c, d]}",
      calls: "a b c d rm",
    },
    {
      name: "a call that is not allowed",
      yaml: "- {type: tool_trajectory, mode: subset, expected: [a]}",
      calls: "a a a a rm",
    },
    {
      name: "a missing call",
      yaml: "- {type: tool_trajectory, mode: superset, expected: [a, b, c, d, e]}",
      calls: "a b c d",
    },
    {
      name: "a call left over",
      yaml: "- {type: tool_trajectory, mode: unordered, expected: [a, b, c, d]}",
      calls: "d c rm b a",
    },
    {
      name: "a maximum exceeded",
      yaml: "- {type: tool_trajectory, mode: any_order, minimums: {a: 1, b: 1, c: 1, d: 1}, maximums: {rm: 0}}",
      calls: "a b c d rm",
    },
    {
      name: "a member of a mean",
      yaml: `- {type: composite, evaluators: [{${exact}}, {type: contains, value: x}]}`,
      calls: "a b c d rm",
    },
    {
      name: "a mean of means",
      yaml: `- {type: composite, evaluators: [{type: composite, evaluators: [{${exact}}]}, {type: contains, value: x}]}`,
      calls: "a b c d rm",
    },
  ])("$name never passes", async ({ yaml, calls }) => {
    const results = await run(`${yaml}\n- {type: contains, value: x, weight: 20}`, answering("x", calls.split(" ")));
    expect(results[0]).toMatchObject({ status: "failed", ruledOut: true });
    const scored = scoreCase(results);
    expect(scored.score).toBeGreaterThan(0.8);
    expect(scored).toMatchObject({ status: "failed", reason: "ruled_out", ruledOutBy: [results[0]!.name] });
    expect(scoreCase(results, 0)).toMatchObject({ status: "failed" });
  });

  it("keeps the graded score beside the verdict", async () => {
    const [result] = await run(`- {${exact}}`, extra);
    expect(result).toMatchObject({ score: 0.8, reason: "ruled_out", trajectory: { scoreIgnoringExtras: 1 } });
    const [wide] = await run(`- {${exact}}`, answering("x", ["a", "b", "c"]));
    expect(wide).toMatchObject({ score: 0.75, status: "failed", reason: "borderline", ruledOut: true });
  });

  it.each([
    { name: "calls at the end that are allowed", yaml: `- {${exact}, extra: allow}` },
    { name: "a step of in_order", yaml: "- {type: tool_trajectory, mode: in_order, expected: [a, b, c, d, e]}" },
    {
      name: "a least count",
      yaml: "- {type: tool_trajectory, mode: any_order, minimums: {a: 1, b: 1, c: 1, d: 1, e: 1}}",
    },
    {
      name: "one of two paths, when one is enough",
      yaml: `- {type: composite, aggregator: {type: threshold, threshold: 0.5}, evaluators: [{${exact}}, {type: tool_trajectory, mode: exact, expected: [a, b, c, d, rm]}]}`,
    },
  ])("$name is a share and may be missed", async ({ yaml }) => {
    const results = await run(yaml, extra);
    expect(results[0]).toMatchObject({ status: "passed" });
    expect(scoreCase(results)).toMatchObject({ status: "passed", ruledOutBy: [] });
  });

  it("an evaluator without weight has no say", async () => {
    const results = await run(`- {${exact}, weight: 0}\n- {type: contains, value: x}`, extra);
    expect(scoreCase(results)).toMatchObject({ status: "passed", ruledOutBy: [] });
  });

  it("makes the score 0 when it is required", async () => {
    const results = await run(`- {${exact}, required: true}`, extra);
    expect(scoreCase(results)).toMatchObject({ score: 0, status: "failed", failedRequired: ["tool_trajectory"] });
  });

  it("a limit that is missed lowers the score and rules nothing out", async () => {
    const slow = subjectOfTrace(
      traceOf([{ calls: ["Read", "Edit", "Write"].map((name) => ({ name, output: "ok", durationMs: 145 })) }]),
    );
    const yaml =
      "- {type: tool_trajectory, mode: exact, expected: [{tool: Read, max_duration_ms: 100}, {tool: Edit, max_duration_ms: 500}, Write]}";
    expect((await run(yaml, slow))[0]).toMatchObject({ score: 0.8, status: "passed" });
  });
});

describe("composite", () => {
  const members = "evaluators: [{type: contains, value: a, name: one}, {type: contains, value: z, name: two}]";

  it.each([
    [`- {type: composite, ${members}}`, 0.5, { status: "failed" }],
    [
      `- {type: composite, ${members}, aggregator: {type: weighted_average, weights: {one: 3}}}`,
      0.75,
      { status: "failed", reason: "borderline" },
    ],
    [`- {type: composite, ${members}, aggregator: {type: threshold, threshold: 0.5}}`, 1, { status: "passed" }],
    [`- {type: composite, ${members}, aggregator: {type: threshold, threshold: 0.9}}`, 0.5, { status: "failed" }],
    [`- {type: composite, ${members.replace("name: two", "name: two, required: true")}}`, 0, { status: "failed" }],
  ])("%s", async (yaml, score, status) => {
    expect((await run(yaml, answering("abc")))[0]).toMatchObject({
      score,
      ...status,
      parts: [{ name: "one" }, { name: "two" }],
    });
  });
});

describe("schema and text", () => {
  const schema = "schema: {type: object, required: [a], properties: {a: {type: integer}}}";

  it.each([
    ['{"a": 1}', 1],
    ['{"a": "1"}', 0],
    ["{}", 0],
    ["no json", 0],
  ])("is_json with a schema on %s", async (answer, score) => {
    expect((await run(`- {type: is-json, ${schema}}`, answering(answer)))[0]).toMatchObject({ score });
  });

  it("names the place that breaks the schema", async () => {
    const [result] = await run(`- {type: json_schema, ${schema}}`, answering('{"a": "1"}'));
    expect(result!.checks[0]!.text).toContain("/a");
  });
});

describe("case score", () => {
  it("is the weighted mean, and 0 when a required evaluator fails", async () => {
    const results = await run(
      "- {type: contains, value: a, weight: 3}\n- {type: contains, value: z}",
      answering("abc"),
    );
    expect(scoreCase(results)).toMatchObject({ score: 0.75, status: "failed", reason: "borderline" });
    const gated = await run(
      "- {type: contains, value: a, weight: 3}\n- {type: contains, value: z, required: true}",
      answering("abc"),
    );
    expect(scoreCase(gated)).toMatchObject({ score: 0, status: "failed", failedRequired: ["contains-2"] });
  });

  it("is 0 when nothing could be evaluated or nothing has weight", () => {
    expect(scoreCase([])).toMatchObject({ score: 0, status: "failed", reason: "nothing_evaluated" });
    const skipped: EvaluatorResult = {
      name: "j",
      type: "llm_judge",
      weight: 1,
      status: "not_evaluated",
      reason: "needs_judge",
      passLine: 0.8,
      score: 0,
      aspects: 0,
      checks: [],
    };
    expect(scoreCase([skipped])).toMatchObject({
      score: 0,
      status: "failed",
      reason: "nothing_evaluated",
      skipped: ["j"],
    });
  });
});

describe("subjects", () => {
  it("takes the last text of the main agent for the answer", () => {
    const turn = (text: string, meta?: JsonObject): TraceRecord => ({
      kind: "chat_response",
      ...(meta === undefined ? {} : { meta }),
      payload: { content: text === "" ? [] : [{ type: "text", text }] },
    });
    const records = [turn("first"), turn("the answer"), turn("of a helper", { agent: "helper" }), turn("")];
    expect(subjectOfTrace(buildTrace(records)).answer).toBe("the answer");
    expect(subjectOfTrace(buildTrace([turn("alone", { agent: "helper" })])).answer).toBe("alone");
  });

  it("takes what a source says of the whole run before any sum", () => {
    const said = { cost_usd: 0.5, labels: { duration_ms: 12, usage: { input_tokens: 7, output_tokens: 1 } } };
    const trace = traceOf([{ text: "a", usage: { input_tokens: 10, output_tokens: 2 } }], said);
    expect(subjectOfTrace(trace)).toMatchObject({ costUsd: 0.5, durationMs: 12, tokenUsage: { input: 7, output: 1 } });
  });

  it("sums tokens only when every turn has them", () => {
    const usage = { input_tokens: 10, output_tokens: 2 };
    expect(
      subjectOfTrace(
        traceOf([
          { text: "a", usage },
          { text: "b", usage },
        ]),
      ).tokenUsage,
    ).toEqual({ input: 20, output: 4 });
    expect(subjectOfTrace(traceOf([{ text: "a", usage }, { text: "b" }])).tokenUsage).toBeUndefined();
  });

  it("gives the question and the last text of a trace", () => {
    const subject = subjectOfTrace(traceOf([{ user: "why?", text: "because" }, { calls: ["a"] }]));
    expect(subject.task.question).toBe("why?");
    expect(subject.answer).toBe("because");
    expect(subject.llmCalls).toBe(2);
  });
});

describe("a recording without anything anyone said", () => {
  const full = traceOf([{ user: "hi", text: "" }, { calls: ["search"] }, { text: "the secret is out" }]);
  const blind = createRecordBlinder("key");
  const records = [
    { kind: "metadata", payload: {}, meta: {} },
    ...full.records.filter(({ kind }) => kind !== "metadata"),
  ];
  const subject = subjectOfTrace(
    buildTrace(records.map((record) => ({ ...record, ...blind(record.kind, record.payload, record.meta ?? {}) }))),
  );

  it.each([
    "- {type: contains, value: secret}",
    "- {type: contains, value: secret, negate: true}",
    "- {type: is_json}",
  ])("is no answer to %s", async (yaml) => {
    const [result] = await run(yaml, subject);
    expect(result).toMatchObject({ status: "failed", score: 0, error: { code: "evaluators.not-recorded" } });
  });

  it("is one to what tools it called, and how often", async () => {
    const results = await run("- {type: tool_trajectory, mode: exact, expected: [search]}", subject);
    expect(results).toMatchObject([{ status: "passed" }]);
  });
});
