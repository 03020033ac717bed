/** Eval files of AgentV: what is run, what is refused and in which line, and how many of its own files load. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { SpoorError } from "@spoor/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { onShared, sharedExists, sharedFolder } from "../../../core/test/shared.ts";
import { loadEvalFile } from "./load-eval-files.ts";
import { promptOf } from "./parse-input.ts";

function load(files: Record<string, string>, file = "evals/f.eval.yaml") {
  const folder = mkdtempSync(join(tmpdir(), "spoor-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "package.json"), "{}");
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return loadEvalFile(join(folder, file), { cwd: folder, strict: false });
}

const one = (text: string, more: Record<string, string> = {}) => load({ "evals/f.eval.yaml": text, ...more }).cases[0]!;
const typesOf = (text: string) => one(text).evaluators.map(({ type }) => type);

describe("what their files use and is run", () => {
  it("rubrics with criteria, as texts and as items with an operator and a line", () => {
    const { evaluators } = one(`
tests:
  - id: a
    input: q
    assertions:
      - type: rubrics
        criteria: [Names the file, Does not invent one]
      - id: operators
        type: rubrics
        criteria:
          - { id: revenue, operator: correctness, outcome: States the revenue, required: true }
          - { id: margin, operator: contradiction, outcome: The margin fell, min_score: 0.8 }
`);
    expect(evaluators.map(({ name, type }) => [name, type])).toEqual([
      ["llm_judge", "llm_judge"],
      ["operators", "llm_judge"],
    ]);
    expect(evaluators[0]!.params).toMatchObject({
      rubrics: [{ text: "Names the file" }, { text: "Does not invent one" }],
    });
    expect(evaluators[1]!.params).toMatchObject({
      rubrics: [
        { id: "revenue", text: "States the revenue", required: true },
        { id: "margin", text: "Nothing in the answer contradicts this: The margin fell", requiredMinScore: 8 },
      ],
    });
  });

  it("skills that must not be used, sets of assertions, scripts with settings of their own", () => {
    const { evaluators } = one(`
tests:
  - id: a
    input: q
    assert:
      - { type: skill-trigger, skill: deploy, should_trigger: false }
      - type: not-skill-used
        value: deploy
      - metric: gate
        type: assert-set
        threshold: 0.5
        assert: [{ type: contains, value: Paris, weight: 2 }, { type: contains, value: capital }]
      - { type: script, command: [bun, x.ts], expected_files: [a] }
`);
    expect(evaluators.map(({ name, type, minScore }) => [name, type, minScore])).toEqual([
      ["skill_trigger", "skill_trigger", undefined],
      ["not_skill_trigger", "skill_trigger", undefined],
      ["gate", "composite", 0.5],
      ["code_judge", "code_judge", undefined],
    ]);
    expect(evaluators[0]!.params).toEqual({ skill: "deploy", shouldTrigger: false });
  });

  it("variables with paths, in the suite's input, the goal and the expected output", () => {
    const text = `
input: [{ role: system, content: "You answer {{ topic }} questions." }]
tests:
  - id: a
    vars: { topic: geography, question: Where?, expected: { answer: Paris } }
    criteria: "Answers {{question}}"
    input: "Question: {{ question }}"
    expected_output: "{{expected.answer}}"
  - id: b
    vars: { topic: x, expected_output: { risk: low } }
    input: q
    execution: { skip_defaults: true }
`;
    const { cases } = load({ "evals/f.eval.yaml": text });
    expect(promptOf(cases[0]!.input)).toBe("@[System]:\nYou answer geography questions.\n\n@[User]:\nQuestion: Where?");
    expect(cases[0]).toMatchObject({
      goal: "Answers Where?",
      expectedMessages: [{ role: "assistant", content: "Paris" }],
    });
    expect(promptOf(cases[1]!.input)).toBe("q");
    expect(cases[1]!.expectedMessages).toEqual([{ role: "assistant", content: { risk: "low" } }]);
  });

  it("files from the root of the repository, and files of the suite", () => {
    const text = `
input_files: [./shared.md]
tests:
  - id: a
    input: [{ role: user, content: [{ type: file, value: /docs/a.md }, { type: text, value: Read it }] }]
`;
    const files = one(text, { "docs/a.md": "a", "evals/shared.md": "b" }).input.flatMap(({ files }) => files);
    expect(files.map((file) => file.slice(file.lastIndexOf("/")))).toEqual(["/shared.md", "/a.md"]);
  });

  it("cases in lists of files and in a folder with a folder for each", () => {
    const cases = {
      "evals/cases/add/case.yaml": "input: Add\n",
      "evals/cases/fix/case.yaml": "id: repaired\ninput: Fix\n",
      "evals/more.jsonl": '{"id":"line","input":"q"}\n',
    };
    const folder = load({ ...cases, "evals/f.eval.yaml": "tests: ./cases/\n" });
    expect(folder.cases.map(({ id }) => id)).toEqual(["add", "repaired"]);
    const listed = load({ ...cases, "evals/f.eval.yaml": "tests: [{id: own, input: q}, file://more.jsonl]\n" });
    expect(listed.cases.map(({ id }) => id)).toEqual(["own", "line"]);
  });

  it("experiment and run for execution, repeat with a count, a host environment", () => {
    const entry = one(
      `
experiment: { target: bot, repeat: { count: 3, strategy: pass_at_k }, total_budget_usd: 2 }
environment: { type: host, workdir: ../project }
tests:
  - { id: a, input: q, suite: x, run: { threshold: 0.4, repeat: { count: 2 } } }
`,
      { "project/a.txt": "x" },
    );
    expect(entry).toMatchObject({ repeat: 2, threshold: 0.4 });
    expect(entry.workspace?.template).toMatch(/project$/);
  });

  it("workspaces with repositories, hooks in words and resets, also in a file that several share", () => {
    const workspace = `
workspace:
  mode: pooled
  scope: suite
  template: ./project
  repos: [{ path: ./repo, source: { type: git, url: https://example.com/a.git }, checkout: { ref: main, resolve: local }, clone: { depth: 1 } }]
  hooks:
    before_all: { command: [node, setup.mjs, "a b"] }
    before_each: { reset: fast }
    after_each: { command: rm -rf x, timeout_ms: 1000 }
`;
    const cases = "tests: [{ id: a, input: q }]\n";
    const inline = one(`${workspace.replace("./project", "../project")}${cases}`, { "project/a.txt": "x" }).workspace!;
    expect(inline).toMatchObject({ setup: [], teardown: ["rm -rf x"], beforeAll: ["node setup.mjs 'a b'"] });
    expect(inline.repos).toEqual([{ source: "https://example.com/a.git", commit: "main", path: "./repo" }]);
    const files = { "project/a.txt": "x", "workspace.yaml": workspace };
    const shared = one(`workspace: ../workspace.yaml\n${cases}`, files).workspace!;
    expect({ ...shared, template: "" }).toEqual({ ...inline, template: "" });
    expect(shared.template).toMatch(/[\\/]project$/);
  });

  it("merges, composites by weight, plain texts for a judge", () => {
    expect(
      typesOf(`
x-base: &base { type: contains, value: a }
tests:
  - id: a
    input: q
    assert:
      - Is polite
      - { <<: *base, value: b }
      - { type: composite, assertions: [{ name: x, type: contains, value: a }], aggregator: { type: weighted_average, weights: { x: 1 } } }
`),
    ).toEqual(["contains", "composite", "llm_judge"]);
  });
});

describe("what is refused, each in one line", () => {
  const inCase = (more: string) => `tests:\n  - id: a\n    input: q\n${more}`;
  it.each([
    [
      "a command that combines scores",
      inCase(
        "    assert: [{type: composite, assertions: [{type: contains, value: a}], aggregator: {type: code_judge, path: x.js}}]",
      ),
      "a command that combines the scores",
    ],
    [
      "a judge that combines scores",
      inCase(
        "    assert: [{type: composite, evaluators: [{type: contains, value: a}], aggregator: {type: llm-grader, prompt: x.md}}]",
      ),
      "a judge that combines the scores",
    ],
    [
      "images",
      "tests: [{id: a, input: [{role: user, content: [{type: image, value: a.png}]}]}]",
      "images are not handed to agents",
    ],
    ["a container", `environment: {type: docker, image: x}\n${inCase("")}`, "runs in a docker are not made"],
    [
      "a folder that a script makes",
      `environment: {type: host, setup: {command: [x]}}\n${inCase("")}`,
      "script of its own",
    ],
    ["an environment file", `environment: env.yaml\n${inCase("")}`, "the file with it is not read"],
    [
      "functions around runs",
      `extensions: [file://x.ts:beforeEach]\n${inCase("")}`,
      "functions of a script around runs",
    ],
    ["converted outputs", `preprocessors: [{type: xlsx, command: [x]}]\n${inCase("")}`, "shown to judges as they are"],
    [
      "hooks of a target",
      `target: {name: t, hooks: {before_each: {command: [x]}}}\n${inCase("")}`,
      "hooks of a target are not run",
    ],
    ["a target made of another", `target: {name: t, extends: u}\n${inCase("")}`, "described in targets.yaml"],
    ["evaluators of another file", inCase("    assert: [{include: shared}]"), "not taken over"],
    [
      "a workspace in a container",
      `workspace: {docker: {image: x}}\n${inCase("")}`,
      "runs in a container are not made",
    ],
    ["a workspace without a copy", `workspace: {mode: static}\n${inCase("")}`, "runs do not work in the folder itself"],
    ["a workspace file that is not there", `workspace: ../none.yaml\n${inCase("")}`, "was not found in the project"],
    ["dependencies", inCase("    depends_on: [b]"), "dependencies between cases are not supported"],
  ])("%s", (_name, text, words) => {
    let problems: readonly { message: string }[] = [];
    try {
      load({ "evals/f.eval.yaml": text });
    } catch (error) {
      if (!(error instanceof SpoorError)) throw error;
      problems = error.problems;
    }
    expect(problems.filter(({ message }) => message.includes(words))).toHaveLength(1);
    expect(problems[0]!.message).not.toContain("\n");
  });
});

describe.skipIf(!sharedExists)(onShared("AgentV's own eval files"), () => {
  const folder = join(sharedFolder, "vectors/agentv/eval-files");
  const page = fileURLToPath(new URL("../../../../docs/migrate/agentv.md", import.meta.url));

  it("load as often as the migration page says", () => {
    const files = readdirSync(folder).filter((file) => file.endsWith(".yaml"));
    const refused = files.filter((file) => {
      try {
        loadEvalFile(join(folder, file), { cwd: folder, strict: false });
        return false;
      } catch (error) {
        if (error instanceof SpoorError) return true;
        throw error;
      }
    });
    const [, loads, of] = /\*\*(\d+) of (\d+)\*\* of AgentV's own eval files/.exec(readFileSync(page, "utf8")) ?? [];
    expect([files.length - refused.length, files.length]).toEqual([Number(loads), Number(of)]);
  });
});

it.each([
  [
    "tests:\n  - { id: a, input: q, assert: [{ type: sentiment-of-acme, value: 1 }] }",
    'unknown type "sentiment-of-acme". A check of your own is a command here: type: code_judge, script: [node, check.mjs].',
  ],
  [
    "tests:\n  - { id: a, input: q, assert: [{ type: not-word-count, max: 5 }] }",
    'unknown type "not-word-count". A check of your own is a command here: type: code_judge, script: [node, check.mjs].',
  ],
  ["tests:\n  - { id: a, input: q, assert: [{ type: contain }] }", 'unknown type "contain". Did you mean contains?'],
  [
    "tests:\n  - include: other.eval.yaml",
    "include: suites are not taken into another; give both files to spoor eval, or name a list of cases: tests: [file://cases.yaml].",
  ],
  [
    "tests:\n  - { include: 'suites/*.yaml', type: suite, select: { tags: [a] } }",
    "include: suites are not taken into another; give both files to spoor eval, or name a list of cases: tests: [file://cases.yaml].",
  ],
])("is refused in one line: %s", (text, message) => {
  let thrown: unknown;
  try {
    load({ "evals/f.eval.yaml": text });
  } catch (error) {
    thrown = error;
  }
  expect((thrown as SpoorError).problems?.map((problem) => problem.message)).toEqual([message]);
});

it("conversations in AgentV's words run", () => {
  const { conversation } = one(`
tests:
  - id: talk
    mode: conversation
    turns:
      - { input: hello, assertions: [{ type: contains, value: hi }] }
      - { input: bye }
`);
  expect(conversation?.turns.map((turn) => turn.map(({ text }) => text))).toEqual([["hello"], ["bye"]]);
});
