import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SpoorError } from "@spoor/core";
import { agentvVerdict } from "@spoor/core/internal/evals/agentv-verdict";
import { scoreCase } from "@spoor/core/internal/evaluators/case-score";
import { subjectOfTrace } from "@spoor/core/internal/evaluators/subject";
import type { TrajectorySpec } from "@spoor/core/internal/trajectory/trajectory";
import { describe, expect, it } from "vitest";
import { onShared, sharedExists, sharedFolder } from "../../../core/test/shared.ts";
import { temporaryFolder } from "../../test/e2e/run-spoor.ts";
import { loadTrace } from "../load/load-traces.ts";
import { type EvaluatorsFile, loadEvaluators } from "./load-evaluators.ts";
import { runEvaluators } from "./run-evaluators.ts";

function load(
  text: string,
  name = "e.yaml",
  options: { strict?: boolean; env?: Record<string, string> } = {},
): EvaluatorsFile {
  const folder = temporaryFolder();
  mkdirSync(join(folder, ".git"));
  writeFileSync(join(folder, name), text);
  return loadEvaluators(join(folder, name), { cwd: folder, strict: options.strict ?? false, env: options.env ?? {} });
}

function problemsOf(text: string, strict = false): readonly string[] {
  try {
    load(text, "e.yaml", { strict });
  } catch (error) {
    return (error as SpoorError).problems.map((problem) => `${problem.at.line}: ${problem.message}`);
  }
  throw new Error("was accepted");
}

describe("shapes of an evaluators file", () => {
  it.each([
    ["a list", "- {type: contains, value: x}"],
    ["a mapping", "evaluators:\n  - {type: contains, value: x}"],
    ["assertions", "assert:\n  - {type: contains, value: x}"],
    ["the guide's place", "execution:\n  evaluators:\n    - {type: contains, value: x}"],
  ])("%s", (_name, text) => {
    expect(load(text).cases).toMatchObject([{ evaluators: [{ type: "contains" }] }]);
  });

  it("reads the cases of an eval file with their evaluators and their task", () => {
    const { cases } = load(
      "tests:\n  - id: one\n    criteria: goal\n    input: hello\n    assertions:\n      - {type: contains, value: x}\n",
    );
    expect(cases).toMatchObject([
      { id: "one", task: { question: "hello", expectedOutcome: "goal" }, evaluators: [{ type: "contains" }] },
    ]);
  });

  it("reads ADK eval sets in both spellings, as exact with exact arguments", () => {
    const uses = [{ name: "lookup", args: { id: 1, filter: { $gt: 2 } } }];
    const snake = {
      eval_set_id: "s",
      eval_cases: [
        {
          eval_id: "c1",
          conversation: [{ user_content: { parts: [{ text: "hi" }] }, intermediate_data: { tool_uses: uses } }],
        },
      ],
    };
    const camel = {
      evalSetId: "s",
      evalCases: [
        {
          evalId: "c1",
          conversation: [{ userContent: { parts: [{ text: "hi" }] }, intermediateData: { toolUses: uses } }],
        },
      ],
    };
    for (const set of [snake, camel]) {
      const { cases } = load(JSON.stringify(set), "x.evalset.json");
      expect(cases).toMatchObject([{ id: "c1", task: { question: "hi" } }]);
      expect(cases[0]!.evaluators[0]!.params as TrajectorySpec).toEqual({
        mode: "exact",
        argsMatch: "exact",
        expected: [{ tool: "lookup", args: { id: 1, filter: { $literal: { $gt: 2 } } } }],
      });
    }
  });

  it("reads function calls among ADK's invocation events, and the older list", () => {
    const events = [{ content: { parts: [{ text: "…" }, { function_call: { name: "a", args: { x: 1 } } }] } }];
    const set = {
      eval_cases: [{ eval_id: "c", conversation: [{ intermediate_data: { invocation_events: events } }] }],
    };
    expect(load(JSON.stringify(set), "x.evalset.json").cases[0]!.evaluators[0]!.params).toMatchObject({
      expected: [{ tool: "a", args: { x: 1 } }],
    });
    const list = [{ query: "q", expected_tool_use: [{ tool_name: "a", tool_input: { x: 1 } }], reference: "r" }];
    expect(load(JSON.stringify(list), "x.test.json").cases[0]).toMatchObject({
      task: { question: "q", referenceAnswer: "r" },
    });
  });

  it("reads a judge with its key from the environment", () => {
    const text =
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how an environment variable is written
      "judge: {provider: openai, model: m, base_url: http://127.0.0.1:9, api_key: '${{ MY_KEY }}'}\nevaluators: [{type: contains, value: x}]";
    expect(load(text, "e.yaml", { env: { MY_KEY: "k" } }).judges).toEqual([
      { provider: "openai", model: "m", baseUrl: "http://127.0.0.1:9", apiKey: "k" },
    ]);
    expect(problemsOf(text).join()).toContain("MY_KEY is not set");
  });

  it("reads the settings of several judges", () => {
    const text =
      "judge:\n  - {model: a, temperature: 0, max_tokens: 300, seed: 7, reasoning_effort: low, timeout_seconds: 5, max_retries: 0}\n" +
      "  - {provider: anthropic, model: b, rpm: 50, tpm: 9000, pricing: {input: 1, output: 2}}\nevaluators: [{type: llm_judge}]";
    expect(load(text, "e.yaml").judges).toEqual([
      {
        provider: "openai",
        model: "a",
        temperature: 0,
        maxTokens: 300,
        seed: 7,
        reasoningEffort: "low",
        timeoutMs: 5000,
        maxRetries: 0,
      },
      { provider: "anthropic", model: "b", rpm: 50, tpm: 9000, pricing: { input: 1, output: 2 } },
    ]);
    const seeded = "judge: {provider: anthropic, model: b, seed: 1}\nevaluators: [{type: llm_judge}]";
    expect(problemsOf(seeded).join()).toContain("anthropic's interface has no seed");
  });
});

describe("problems", () => {
  it("lists all of them with their lines", () => {
    expect(problemsOf("evaluators:\n  - {type: contins, value: x}\n  - {type: contains}\nevaluatrs: 1\n")).toEqual([
      '2: unknown type "contins". Did you mean contains?',
      '3: evaluator "contains" needs value: the text.',
      '4: unknown key "evaluatrs" in the evaluators file. Did you mean evaluators? As written, it would be read over.',
    ]);
  });

  it("turns diagnostics into problems when strict", () => {
    const text = "- {type: tool_trajectory, mode: superset, expected: [{tool: a, max_duration_ms: 5}]}";
    expect(load(text).diagnostics).toHaveLength(1);
    expect(problemsOf(text, true)).toHaveLength(1);
  });

  it.each(["[]", "evaluators: []", "execution: {evaluators: []}"])("refuses %s, which asks nothing", (text) => {
    expect(problemsOf(text)).toEqual(["1: there is no evaluator in the list."]);
  });

  it("places a mistake in JSON, and reads JSON larger than YAML may be", () => {
    expect(() => load('{"evaluators": [\n  {"type": }]}', "e.json")).toThrow("e.json:2:12 is not valid JSON");
    const many = Array.from({ length: 20_000 }, (_, index) => ({
      type: "contains",
      value: `text number ${index} of a long list of texts`,
    }));
    expect(load(JSON.stringify(many), "e.json").cases[0]!.evaluators).toHaveLength(20_000);
  });

  it("says that a file is missing", () => {
    expect(() => loadEvaluators("nowhere.yaml", { cwd: "/", strict: false, env: {} })).toThrow(
      "nowhere.yaml does not exist.",
    );
  });
});

describe.skipIf(!sharedExists)(onShared("the peer's own eval files"), () => {
  const folder = join(sharedFolder, "vectors/agentv/eval-files");
  const files = sharedExists ? readdirSync(folder).filter((name) => name.endsWith(".yaml")) : [];
  const index = sharedExists ? (JSON.parse(readFileSync(join(folder, "INDEX.json"), "utf8")) as Index) : { files: [] };
  interface Index {
    readonly files: readonly {
      readonly file: string;
      readonly case_ids?: readonly string[];
      readonly evaluator_types?: Readonly<Record<string, number>>;
    }[];
  }
  const open = (name: string) => loadEvaluators(join(folder, name), { cwd: folder, strict: false, env: {} });

  it.each(files)("%s loads with every case and evaluator", (name) => {
    const { cases } = open(name);
    const entry = index.files.find((one) => one.file === name)!;
    expect(cases.map((one) => one.id)).toEqual(entry.case_ids);
    const entries = Object.values(entry.evaluator_types ?? {}).reduce((sum, count) => sum + count, 0);
    // Plain texts of the newest dialect become one entry per case, named "criteria".
    const written = cases.flatMap((one) => one.evaluators.filter((evaluator) => evaluator.name !== "criteria"));
    expect(written).toHaveLength(entries);
  });

  it("scores the six cases of tool-trajectory-advanced like the recorded results", async () => {
    const { cases } = open("v2.5__tool-trajectory-advanced.yaml");
    const trace = await loadTrace(join(folder, "v2.5__static-trace.json"));
    const lines = readFileSync(join(folder, "v2.5__tool-trajectory-advanced.baseline.jsonl"), "utf8")
      .trim()
      .split("\n");
    const recorded = lines.map(
      (line) =>
        JSON.parse(line) as {
          eval_id: string;
          score: number;
          evaluator_results: { name: string; score: number; verdict: string }[];
        },
    );
    expect(recorded).toHaveLength(6);
    for (const { eval_id, score, evaluator_results } of recorded) {
      const evalCase = cases.find((one) => one.id === eval_id)!;
      const results = await runEvaluators(evalCase.evaluators, subjectOfTrace(trace, evalCase.task), {
        folder,
        env: {},
      });
      expect(scoreCase(results).score).toBe(score);
      expect(results.map((one) => [one.name, one.score, agentvVerdict(one)])).toEqual(
        evaluator_results.map((one) => [one.name, one.score, one.verdict]),
      );
    }
  });
});
