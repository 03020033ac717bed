import type { EvaluatorResult } from "@spoor/core/internal/evaluators/evaluation";
import { evaluatorList } from "@spoor/core/internal/evaluators/evaluator-list";
import { subjectOfTrace } from "@spoor/core/internal/evaluators/subject";
import { Problems } from "@spoor/core/internal/read/located";
import { parseYaml } from "@spoor/core/internal/read/parse-yaml";
import { describe, expect, it } from "vitest";
import { importValues } from "../../../test/fixtures.ts";
import { runEvaluators } from "../run-evaluators.ts";
import { evaluators } from "./evaluators.ts";

const messages = [
  {
    role: "assistant",
    content: "done",
    tool_calls: [{ tool: "knowledgeSearch", input: { someKey: 1 }, duration_ms: 5 }],
  },
];
const [trace] = importValues("agentv", { document: { output_messages: messages, cost_usd: 0.5 } });
const subject = subjectOfTrace(trace, { question: "q?", expectedOutcome: "goal" });

/** Runs a script that finds what the evaluator was given in `given`. */
async function run(script: string, more = ""): Promise<EvaluatorResult> {
  const body = `let s="";process.stdin.on("data",d=>s+=d).on("end",()=>{const given=JSON.parse(s);${script}})`;
  const yaml = `- {type: code_judge, name: own, command: [${JSON.stringify(process.execPath)}, -e, ${JSON.stringify(body)}]${more}}`;
  const document = parseYaml(yaml, "e.yaml");
  const problems = new Problems(document);
  const configs = evaluatorList(evaluators).read(problems.root()) ?? [];
  expect(problems.errors).toEqual([]);
  return (await runEvaluators(configs, subject, { folder: import.meta.dirname, env: process.env }))[0]!;
}

describe("a command that decides", () => {
  it("reads the case and the run, names untouched, and its own settings", async () => {
    const result = await run(
      "console.log(JSON.stringify({score: 1, details: {q: given.question, goal: given.criteria, answer: given.candidate_answer, tools: given.trace_summary.tool_calls_by_name, key: given.output_messages[0].tool_calls[0].input, cost: given.cost_usd, config: given.config}}))",
      ", expected_tools: [a], config: {deep: true}",
    );
    expect(result).toMatchObject({
      score: 1,
      status: "passed",
      details: {
        q: "q?",
        goal: "goal",
        answer: "done",
        tools: { knowledgeSearch: 1 },
        key: { someKey: 1 },
        cost: 0.5,
        config: { expected_tools: ["a"], deep: true },
      },
    });
  });

  it("takes lines in both forms and keeps the score within 0 and 1", async () => {
    const result = await run(
      'console.log(JSON.stringify({score: 7, hits: ["h"], misses: ["m"], assertions: [{text: "t", passed: true}], reasoning: "why"}))',
    );
    expect(result).toMatchObject({
      score: 1,
      reasoning: "why",
      checks: [
        { passed: true, text: "h" },
        { passed: false, text: "m" },
        { passed: true, text: "t" },
      ],
    });
  });

  it.each([
    ["exits with an error", 'console.error("broken");process.exit(3)', "exit code 3: broken"],
    ["says nothing", "", "not JSON: it is empty"],
    ["answers words", 'console.log("fine")', "not JSON: fine"],
    ["gives no score", 'console.log("{}")', 'no number "score"'],
    ["gives a score that is no number", 'console.log(JSON.stringify({score: "1"}))', 'no number "score"'],
  ])("fails when it %s, also when negated", async (_name, script, words) => {
    for (const negate of ["", ", negate: true"]) {
      const result = await run(script, negate);
      expect(result).toMatchObject({ score: 0, status: "failed" });
      expect(result.checks[0]!.text).toContain(words);
    }
  });

  it("is ended when its time is up", async () => {
    const result = await run("setInterval(() => {}, 1000)", ", timeout_seconds: 0.3");
    expect(result.checks[0]!.text).toContain("no answer within 0.3 s");
  });

  it("says that a program is missing", async () => {
    const document = parseYaml("- {type: script, command: [/no/such/program]}", "e.yaml");
    const configs = evaluatorList(evaluators).read(new Problems(document).root()) ?? [];
    const [result] = await runEvaluators(configs, subject, { folder: import.meta.dirname, env: {} });
    expect(result!.checks[0]!.text).toContain("not found");
  });
});
