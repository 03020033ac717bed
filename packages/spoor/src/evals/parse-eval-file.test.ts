import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SpoorError } from "@spoor/core";
import { parseYaml } from "@spoor/core/internal/read/parse-yaml";
import { describe, expect, it } from "vitest";
import { onShared, sharedExists, sharedFolder } from "../../../core/test/shared.ts";
import { loadEvalFile } from "./load-eval-files.ts";
import { parseEvalFile } from "./parse-eval-file.ts";
import { promptOf } from "./parse-input.ts";
import { prepareEvals } from "./prepare-evals.ts";

function parse(text: string) {
  return parseEvalFile(parseYaml(text, "f.yaml"), { findFile: () => undefined, resolvePath: (path) => `/p/${path}` });
}

function problemsOf(text: string): string[] {
  return parse(text).problems.errors.map((problem) => `${problem.at.line}: ${problem.message}`);
}

const GUIDE = `
description: Validate research
execution:
  target: codex_agent
evalcases:
  - id: one
    expected_outcome: Agent researches
    input_messages:
      - role: user
        content: Research
    execution:
      evaluators:
        - { name: coverage, type: tool_trajectory, mode: any_order, minimums: { webSearch: 1 } }
`;
const LATEST = `
name: research
execution: { target: codex_agent }
tests:
  - id: one
    criteria: Agent researches
    input: Research
    assertions:
      - { name: coverage, type: tool-trajectory, mode: any_order, minimums: { webSearch: 1 } }
`;
const HEAD = `
name: research
providers: [codex_agent]
prompts: ["{{ input }}"]
tests:
  - id: one
    vars: { input: [{ role: user, content: Research }] }
    assert:
      - { metric: coverage, type: "trajectory:tool-used", value: { name: webSearch, min: 1 } }
      - Agent researches
`;

describe("three generations of the format", () => {
  it.each([
    ["the guide's", GUIDE],
    ["the later", LATEST],
    ["the latest", HEAD],
  ])("%s gives the same case", (_name, text) => {
    const { suite, problems } = parse(text);
    expect(problems.errors).toEqual([]);
    expect(suite.targets).toEqual(["codex_agent"]);
    expect(suite.cases).toHaveLength(1);
    expect(promptOf(suite.cases[0]!.input)).toBe("Research");
    expect(suite.cases[0]!.evaluators[0]).toMatchObject({ name: "coverage", type: "tool_trajectory" });
  });

  it("replaces the suite's evaluators in older files and adds to them in newer ones", () => {
    const older = `execution: {evaluators: [{type: contains, value: a}]}\nevalcases: [{id: x, input: q, evaluators: [{type: contains, value: b}]}, {id: y, input: q}]`;
    expect(
      parse(older).suite.cases.map((entry) =>
        entry.evaluators.map(({ params }) => (params as { value: string }).value),
      ),
    ).toEqual([["b"], ["a"]]);
    const newer = `assertions: [{type: contains, value: a}]\ntests: [{id: x, input: q, assertions: [{type: contains, value: b}]}, {id: y, input: q, execution: {skip_defaults: true}, assertions: [{type: contains, value: b}]}]`;
    expect(
      parse(newer).suite.cases.map((entry) =>
        entry.evaluators.map(({ params }) => (params as { value: string }).value),
      ),
    ).toEqual([["b", "a"], ["b"]]);
  });

  it("gives a case without evaluators to a judge, never a pass for nothing", () => {
    expect(parse("evalcases: [{id: x, input: q}]").suite.cases[0]!.evaluators).toMatchObject([{ type: "llm_judge" }]);
  });

  it("reads settings of suite and case, the case's own first", () => {
    const { suite } = parse(
      "execution: {repeat: 3, threshold: 0.5, timeout_seconds: 2, workers: 7}\nevalcases: [{id: x, input: q, execution: {trials: {count: 5}}}, {id: y, input: q}]",
    );
    expect(suite.workers).toBe(7);
    expect(suite.cases.map(({ repeat, threshold, timeoutMs }) => ({ repeat, threshold, timeoutMs }))).toEqual([
      { repeat: 5, threshold: 0.5, timeoutMs: 2000 },
      { repeat: 3, threshold: 0.5, timeoutMs: 2000 },
    ]);
  });

  it("changes a case's digest exactly when something that decides its result changes", () => {
    const digest = (text: string) => parse(text).suite.cases[0]!.digest;
    expect(digest(GUIDE)).toBe(digest(`# a comment\n${GUIDE}`));
    expect(digest(GUIDE)).not.toBe(digest(GUIDE.replace("webSearch: 1", "webSearch: 2")));
    expect(digest(GUIDE)).not.toBe(digest(GUIDE.replace("content: Research", "content: Search")));
  });
});

describe("bad input", () => {
  it.each([
    ["no list of cases", "description: x", "the eval file needs evalcases, eval_cases, cases or tests"],
    ["no cases", "evalcases: []", "no case in the list"],
    ["not a mapping", "[1, 2]", "the eval file must be a mapping"],
    [
      "a key no release knows",
      "evalcases: [{id: x, input: q, expected_outcom: y}]",
      'unknown key "expected_outcom" in the case. Did you mean expected_outcome?',
    ],
    ["a misspelt suite key", "evalcases: [{id: x, input: q}]\ndescripton: y", "Did you mean description?"],
    [
      "a misspelt execution key",
      "execution: {tresholds: 1}\nevalcases: [{id: x, input: q}]",
      'unknown key "tresholds"',
    ],
    [
      "duplicate ids",
      "evalcases:\n  - {id: x, input: q}\n  - {id: x, input: q}",
      '3: id "x" is already used on line 2',
    ],
    ["null input", "evalcases: [{id: x, input_messages: null}]", "needs input (or input_messages)"],
    ["no input", "evalcases: [{id: x}]", "needs input (or input_messages)"],
    ["no id", "evalcases: [{input: q}]", "the case needs id"],
    ["a case that is no mapping", "evalcases: [5]", "the case must be a mapping"],
    ["an unknown role", "evalcases: [{id: x, input_messages: [{role: usr, content: q}]}]", "Did you mean user?"],
    ["a message without content", "evalcases: [{id: x, input_messages: [{role: user}]}]", "a message needs content"],
    [
      "a missing file",
      "evalcases: [{id: x, input_messages: [{role: user, content: [{type: file, value: a.txt}]}]}]",
      'the file "a.txt" was not found',
    ],
    [
      "too many workers",
      "execution: {workers: 99}\nevalcases: [{id: x, input: q}]",
      "workers must be a whole number from 1 to 50, found 99",
    ],
    [
      "a threshold beyond 1",
      "execution: {threshold: 2}\nevalcases: [{id: x, input: q}]",
      "threshold must be a number from 0 to 1, found 2",
    ],
    ["a conversation without turns", "evalcases: [{id: x, turns: []}]", "there is no turn in the list"],
    ["turns that are none", "evalcases: [{id: x, turns: hello}]", "a list of turns"],
    ["other sums of turns", "evalcases: [{id: x, turns: [a], aggregation: min}]", "are not supported"],
    ["an absolute workspace", "evalcases: [{id: x, input: q, workspace: /etc}]", "must be relative to the eval file"],
    [
      "two lists of cases",
      "evalcases: [{id: x, input: q}]\ntests: [{id: y, input: q}]",
      "give either evalcases or tests, not both",
    ],
  ])("%s", (_name, text, words) => {
    expect(problemsOf(text).join("\n")).toContain(words);
  });

  it("lists every problem of a file at once", () => {
    expect(problemsOf("descripton: x\nevalcases:\n  - {id: 1, input: q}\n  - {id: b}")).toHaveLength(3);
  });

  it("accepts what a release ignores, as a diagnostic", () => {
    const { suite, problems } = parse("execution: {cache: true}\nevalcases: [{id: x, input: q}]");
    expect(problems.errors).toEqual([]);
    expect(suite.diagnostics.map((problem) => problem.message)).toEqual([
      "cache in execution has no effect: answers are not kept between runs.",
    ]);
  });
});

describe.skipIf(!sharedExists)(onShared("harvested eval files of three generations"), () => {
  const folder = join(sharedFolder, "vectors/agentv/eval-files");
  const index = sharedExists
    ? (JSON.parse(readFileSync(join(folder, "INDEX.json"), "utf8")) as {
        files: { file: string; cases: number; case_ids: string[] }[];
      })
    : { files: [] };

  it.each(index.files.filter(({ file }) => file.endsWith("yaml")))("$file", ({ file, cases, case_ids }) => {
    const suite = loadEvalFile(join(folder, file), { cwd: folder, strict: false });
    expect(suite.cases).toHaveLength(cases);
    expect(suite.cases.map(({ id }) => id)).toEqual(case_ids);
  });

  it("reads the evaluators of all of them", () => {
    const files = readdirSync(folder).filter((file) => file.endsWith("yaml"));
    const prepared = prepareEvals(
      files.map((file) => join(folder, file)),
      { cwd: folder, env: {}, strict: false, targets: [], dryRun: true, withoutJudge: true },
    );
    expect(prepared.suites).toHaveLength(23);
    for (const { suite } of prepared.suites)
      for (const entry of suite.cases) expect(entry.evaluators.length).toBeGreaterThan(0);
  });
});

it("says in which file and line a JSON Lines case is broken", () => {
  expect(() => loadEvalFile("/nowhere/f.yaml", { cwd: "/", strict: false })).toThrow("does not exist");
  const error = catchError(() => problemsOf("a: [") as never);
  expect(error.code).toBe("yaml.invalid");
});

function catchError(act: () => void): SpoorError {
  try {
    act();
  } catch (error) {
    return error as SpoorError;
  }
  throw new Error("nothing was thrown");
}
