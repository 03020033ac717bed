/** Cases in tables, lines and large files: read as if they had been written as YAML, or refused with their line. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SpoorError } from "@spoor/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadEvalFile } from "./load-eval-files.ts";
import { promptOf } from "./parse-input.ts";

function load(files: Record<string, string>, file: string) {
  const folder = mkdtempSync(join(tmpdir(), "spoor-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return loadEvalFile(join(folder, file), { cwd: folder, strict: false });
}

function failure(files: Record<string, string>, file: string): SpoorError {
  try {
    load(files, file);
  } catch (error) {
    if (error instanceof SpoorError) return error;
    throw error;
  }
  throw new Error("was accepted");
}

const asked = ({ cases }: ReturnType<typeof load>) => cases.map(({ id, input }) => [id, promptOf(input)]);

describe("tables", () => {
  it("have a case per row: keys, variables, tags, parts", () => {
    const suite = load(
      {
        "refunds.yaml":
          'execution: {target: bot}\nprompts: ["{{ name }} asks: {{ question }}"]\nassert: [{type: contains, value: ok}]\n',
        "refunds.csv":
          '\uFEFFid,name,question,criteria,tags,skip,metadata.owner,execution.threshold\r\nr1,Ada,"Where is it, please?",Finds the order,"smoke, slow",,ops,0.5\r\nr2,Bob,"He said ""no""\nand left",,,waits,,\r\n',
      },
      "refunds.csv",
    );
    expect(asked(suite)).toEqual([
      ["r1", "Ada asks: Where is it, please?"],
      ["r2", 'Bob asks: He said "no"\nand left'],
    ]);
    expect(suite.name).toBe("refunds");
    expect(suite.targets).toEqual(["bot"]);
    expect(suite.cases[0]).toMatchObject({
      goal: "Finds the order",
      tags: ["smoke", "slow"],
      metadata: { owner: "ops" },
      threshold: 0.5,
      at: { line: 2 },
    });
    expect(suite.cases[1]).toMatchObject({ skip: "waits", at: { line: 3 } });
    expect(suite.cases[1]).not.toHaveProperty("goal");
  });

  it("are named by an eval file, with JSON in cells and numbered rows", () => {
    const suite = load(
      {
        "f.yaml": "tests: rows.csv\n",
        "rows.csv":
          'input,expected_output,assert\nOne?,1,"[{""type"":""contains"",""value"":""1""}]"\nTwo?,2,Says two\n',
      },
      "f.yaml",
    );
    expect(asked(suite)).toEqual([
      ["row-1", "One?"],
      ["row-2", "Two?"],
    ]);
    expect(suite.cases.map(({ evaluators }) => evaluators.map(({ type }) => type))).toEqual([
      ["contains"],
      ["llm_judge"],
    ]);
    expect(suite.cases[0]!.expectedMessages).toEqual([{ role: "assistant", content: "1" }]);
  });

  it.each([
    ["an unclosed quote", 'id,input\na,"x\nb,y\n', 2, "never closed"],
    ["a row that is too long", "id,input\na,x\nb,y,z\n", 3, "this row has 3 cells, the header has 2"],
    ["a misspelt column", "id,inputt\na,x\n", 1, "Did you mean input?"],
    ["a column of another tool", "id,input,__expected\na,x,contains:y\n", 1, "promptfoo's"],
    ["broken JSON in a cell", 'id,input,assert\na,x,"[{"\n', 2, "not valid JSON"],
    ["an empty file", "", 1, "no header"],
  ])("are refused for %s", (_name, text, line, words) => {
    const error = failure({ "f.csv": text }, "f.csv");
    expect(error.code).toBe("eval.bad-table");
    expect(error.at?.line).toBe(line);
    expect(error.message).toContain(words);
  });

  it("without an input or a prompt name their rows and their own file", () => {
    const error = failure({ "f.yaml": "tests: rows.csv\n", "rows.csv": "id,topic\na,x\nb,y\n" }, "f.yaml");
    expect(error.problems.map(({ at, message }) => [at.file, at.line, message.slice(0, 24)])).toEqual([
      ["rows.csv", 2, 'case "a" needs input (or'],
      ["rows.csv", 3, 'case "b" needs input (or'],
    ]);
  });

  it("and a list of cases that has none are errors", () => {
    expect(failure({ "f.csv": "id,input\n" }, "f.csv").problems[0]!.message).toContain("no case in the list");
  });
});

describe("lines", () => {
  it("may begin with a byte order mark and end with CRLF", () => {
    const suite = load({ "f.jsonl": '\uFEFF{"id":"a","input":"q"}\r\n\r\n{"id":"b","input":"r"}\r\n' }, "f.jsonl");
    expect(asked(suite)).toEqual([
      ["a", "q"],
      ["b", "r"],
    ]);
    expect(suite.cases[1]!.at.line).toBe(3);
  });

  it("are joined from several files, and an id that is used twice names the other file", () => {
    const files = {
      "a.jsonl": '{"id":"a","input":"q"}\n',
      "b.jsonl": '\n{"id":"b","input":"q"}\n',
      "f.yaml": "tests:\n  - file://a.jsonl\n  - b.jsonl\n  - {id: c, input: q}\n",
    };
    expect(asked(load(files, "f.yaml")).map(([id]) => id)).toEqual(["a", "b", "c"]);
    const error = failure({ ...files, "b.jsonl": '\n{"id":"a","input":"q"}\n' }, "f.yaml");
    expect(error.problems[0]).toMatchObject({ at: { file: "b.jsonl", line: 2 } });
    expect(error.problems[0]!.message).toContain('id "a" is already used in a.jsonl:1');
  });
});

describe("YAML", () => {
  it("of any size, whose cases share their evaluators through an x- key", () => {
    const cases = Array.from(
      { length: 5000 },
      (_, n) => `  - {id: c${n}, input: ${"word ".repeat(60)}, evaluators: *std}`,
    );
    const text = `x-std: &std\n  - {type: contains, value: a}\n  - {type: contains, value: b}\nevalcases:\n${cases.join("\n")}\n`;
    expect(text.length).toBeGreaterThan(1024 * 1024);
    const suite = load({ "f.yaml": text }, "f.yaml");
    expect(suite.cases).toHaveLength(5000);
    expect(suite.cases[4999]!.evaluators.map(({ type }) => type)).toEqual(["contains", "contains"]);
  });

  it("gives every case the file's defaults, unless it says otherwise", () => {
    const suite = load(
      {
        "f.yaml": `
defaults:
  tags: [support]
  vars: {tone: kind, name: Ada}
  metadata: {owner: ops}
  criteria: Helps
  execution: {threshold: 0.5, repeat: 2}
  assert: [{type: contains, value: ok}]
tests:
  - {id: a, input: "{{ name }}, {{ tone }}"}
  - {id: b, input: "{{ name }}, {{ tone }}", vars: {name: Bob}, tags: [slow], criteria: Ends, execution: {repeat: 1}, assert: [{type: contains, value: b}]}
`,
      },
      "f.yaml",
    );
    expect(asked(suite)).toEqual([
      ["a", "Ada, kind"],
      ["b", "Bob, kind"],
    ]);
    expect(suite.cases[0]).toMatchObject({ tags: ["support"], goal: "Helps", threshold: 0.5, repeat: 2 });
    expect(suite.cases[1]).toMatchObject({ tags: ["support", "slow"], goal: "Ends", threshold: 0.5, repeat: 1 });
    const values = suite.cases.map(({ evaluators }) =>
      evaluators.map(({ params }) => (params as { value: string }).value),
    );
    expect(values).toEqual([["ok"], ["b", "ok"]]);
  });

  it("reports a misspelt default once, at its place", () => {
    const error = failure(
      { "f.yaml": "defaults:\n  tag: [x]\ntests: [{id: a, input: q}, {id: b, input: q}]\n" },
      "f.yaml",
    );
    expect(error.problems.map(({ at, message }) => [at.line, message.slice(0, 30)])).toEqual([
      [2, 'unknown key "tag" in defaults.'],
    ]);
  });

  it("a tag, a skip or a note more leaves stored runs valid", () => {
    const digest = (more: string) => load({ "f.yaml": `tests: [{id: a, input: q${more}}]` }, "f.yaml").cases[0]!.digest;
    expect(digest(", tags: [x], skip: true, note: y")).toBe(digest(""));
    expect(digest(", criteria: y")).not.toBe(digest(""));
  });
});

it("a results file is told apart from cases", () => {
  const { message, hint } = failure({ "runs.jsonl": '{"schema":"spoor.eval-run/1","eval_id":"a"}\n' }, "runs.jsonl");
  expect(message).toContain("holds the results of runs, not cases");
  expect(hint).toContain("spoor eval compare");
});
