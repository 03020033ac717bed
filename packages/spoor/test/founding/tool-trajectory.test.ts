/** The guide to tool trajectories, statement by statement, through the built command line. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json } from "@spoor/core";
import type { EvaluatorResult } from "@spoor/core/internal/evaluators/evaluation";
import type { ScoreReport, TraceScore } from "@spoor/core/internal/evaluators/score-report";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runSpoor } from "../e2e/run-spoor.ts";
import { describeFounding, foundingLines } from "./founding-text.ts";

type Call = string | { readonly [key: string]: Json };

/** A call: `Read`, `Read 45` (milliseconds), or what the provider wrote. */
function toolCall(call: Call): Json {
  if (typeof call !== "string") return call;
  const [tool, duration] = call.split(" ");
  return { tool: tool!, ...(duration === undefined ? {} : { duration_ms: Number(duration) }) };
}

function messages(calls: readonly Call[]): Json {
  return { output_messages: calls.map((call) => ({ role: "assistant", tool_calls: [toolCall(call)] })) };
}

const folder = mkdtempSync(join(tmpdir(), "spoor-founding-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs recorded as files, all scored in one go; results by file name. */
async function score(
  name: string,
  yaml: string,
  runs: Record<string, readonly Call[]>,
): Promise<Map<string, TraceScore>> {
  const home = join(folder, name);
  mkdirSync(home);
  writeFileSync(join(home, "evaluators.yaml"), yaml);
  for (const [run, calls] of Object.entries(runs))
    writeFileSync(join(home, `${run}.json`), JSON.stringify(messages(calls)));
  const files = Object.keys(runs).map((run) => `${run}.json`);
  const { stdout, stderr } = await runSpoor(
    ["score", ...files, "--evaluators", "evaluators.yaml", "--format", "json"],
    { cwd: home },
  );
  if (stdout === "") throw new Error(stderr);
  return new Map((JSON.parse(stdout) as ScoreReport).results.map((result) => [result.trace, result]));
}

/** The only evaluator's result on a run. */
function of(scores: Map<string, TraceScore>, run: string): EvaluatorResult {
  const [only] = scores.get(run)!.evaluators;
  return only!;
}

const pipeline = ["loadData", "validate", "transform", "export"];

describeFounding("the guide to tool trajectories", () => {
  describe("least counts in any order", () => {
    let scores: Map<string, TraceScore>;
    beforeAll(async () => {
      scores = await score("any", foundingLines("002", 13, 22), {
        enough: ["knowledgeSearch", "knowledgeSearch", "documentRetrieve"],
        shuffled: ["documentRetrieve", "knowledgeSearch", "other", "knowledgeSearch"],
        short: ["knowledgeSearch", "documentRetrieve"],
      });
    });

    it("each tool called at least so often scores full marks", () => expect(of(scores, "enough").score).toBe(1));
    it("the order and other tools do not matter", () => expect(of(scores, "shuffled").score).toBe(1));
    it("the score is the share of tools that reach their least count", () => {
      expect(of(scores, "short")).toMatchObject({ score: 0.5, status: "failed" });
    });
  });

  describe("a sequence with gaps", () => {
    let scores: Map<string, TraceScore>;
    beforeAll(async () => {
      scores = await score("in-order", foundingLines("002", 33, 44), {
        all: ["fetchData", "validateSchema", "transformData", "saveResults"],
        gaps: ["a", "fetchData", "b", "c", "validateSchema", "transformData", "d", "saveResults", "e"],
        skipped: ["fetchData", "transformData", "saveResults"],
      });
    });

    it("the expected order scores full marks", () => expect(of(scores, "all").score).toBe(1));
    it("other tools may stand between", () => expect(of(scores, "gaps").score).toBe(1));
    it("a step left out is a miss, and what the best alignment would give is told", () => {
      expect(of(scores, "skipped")).toMatchObject({ status: "failed", trajectory: { bestScore: 0.75 } });
    });
  });

  describe("arguments", () => {
    let scores: Map<string, TraceScore>;
    let exact: Map<string, TraceScore>;
    const search = (input: Json): Call => ({ tool: "search", input });
    beforeAll(async () => {
      const yaml = foundingLines("002", 55, 72);
      [scores, exact] = await Promise.all([
        score("args", yaml, {
          same: [search({ query: "machine learning" }), { tool: "process", input: { n: 1 } }, "saveResults"],
          more: [
            search({ query: "machine learning", limit: 5 }),
            "process",
            { tool: "saveResults", input: { to: "x" } },
          ],
          other: [search({ query: "cooking" }), "process", "saveResults"],
          lacking: [search({ limit: 5 }), "process", "saveResults"],
        }),
        score("args-exact", yaml.replace("in_order", "exact"), {
          same: [search({ query: "machine learning" }), "process", "saveResults"],
          other: [search({ query: "cooking" }), "process", "saveResults"],
        }),
      ]);
    });

    it("given keys are compared, further keys are not", () => {
      expect(of(scores, "same").score).toBe(1);
      expect(of(scores, "more").score).toBe(1);
    });
    it("another value or a missing key is a miss of that step", () => {
      expect(of(scores, "other").score).toBeCloseTo(2 / 3, 12);
      expect(of(scores, "lacking").score).toBeCloseTo(2 / 3, 12);
    });
    it("any, and no args at all, accept every argument", () => {
      expect(
        of(scores, "other")
          .trajectory!.steps.slice(1)
          .map((step) => step.passed),
      ).toEqual([true, true]);
    });
    it("they are checked in exact mode too", () => {
      expect(of(exact, "same").score).toBe(1);
      expect(of(exact, "other")).toMatchObject({ status: "failed" });
    });
  });

  describe("time limits", () => {
    let scores: Map<string, TraceScore>;
    beforeAll(async () => {
      scores = await score("latency", foundingLines("002", 83, 95), {
        within: ["Read 45", "Edit 120", "Write"],
        equal: ["Read 100", "Edit 500", "Write"],
        slow: ["Read 45", "Edit 501", "Write"],
        unknown: ["Read", "Edit 120", "Write"],
        elsewhere: ["Other 1", "Edit 120", "Write"],
      });
    });

    it("three tools and two limits are five aspects", () => {
      expect(of(scores, "within")).toMatchObject({ score: 1, aspects: 5 });
    });
    it("a call as long as its limit is a hit", () => expect(of(scores, "equal").score).toBe(1));
    it("a longer call is a miss", () => expect(of(scores, "slow").score).toBeCloseTo(4 / 5, 12));
    it("a call without a duration is neither, and a warning says so", () => {
      expect(of(scores, "unknown")).toMatchObject({ score: 1, aspects: 4 });
      expect(of(scores, "unknown").notChecked!.join()).toContain("Read");
    });
    it("a limit is checked only once its step has matched", () => {
      expect(of(scores, "elsewhere").trajectory!.steps[0]!.limit).toMatchObject({ outcome: "not_reached" });
    });
  });

  describe("an exact sequence", () => {
    let scores: Map<string, TraceScore>;
    let pipelines: Map<string, TraceScore>;
    const auth = ["checkCredentials", "generateToken", "auditLog"];
    beforeAll(async () => {
      [scores, pipelines] = await Promise.all([
        score("exact", foundingLines("002", 123, 133), {
          whole: auth,
          short: auth.slice(0, 2),
          gap: [auth[0]!, "x", auth[1]!, auth[2]!],
          extra: [...auth, "x"],
        }),
        score("pipeline", foundingLines("002", 235, 254), {
          whole: pipeline,
          extra: [...pipeline, "deleteEverything"],
          inserted: ["loadData", "deleteEverything", "validate", "transform", "export"],
        }),
      ]);
    });

    it("the same calls pass", () => expect(of(scores, "whole")).toMatchObject({ score: 1, status: "passed" }));
    it("a missing call is a miss and no pass", () => {
      expect(of(scores, "short")).toMatchObject({ status: "failed" });
      expect(of(scores, "short").score).toBeCloseTo(2 / 3, 12);
    });
    it("no gaps: a call between fails, and is the one that is named", () => {
      expect(of(scores, "gap")).toMatchObject({
        status: "failed",
        trajectory: { extras: [{ tool: "x", position: 1 }] },
      });
    });
    it("no extra tools: one call too many fails", () => {
      expect(of(scores, "extra")).toMatchObject({ status: "failed", trajectory: { extras: [{ tool: "x" }] } });
    });
    it("the score without extras stands beside", () => {
      expect(of(scores, "extra").trajectory!.scoreIgnoringExtras).toBe(1);
    });
    it("nor does the longer pipeline of the guide pass with a call too many, though its score reaches the line", () => {
      expect(pipelines.get("whole")).toMatchObject({ status: "passed" });
      expect(pipelines.get("extra")).toMatchObject({ score: 0.8, status: "failed", reason: "ruled_out" });
      expect(pipelines.get("inserted")).toMatchObject({ status: "failed" });
      expect(of(pipelines, "inserted").trajectory!.extras).toMatchObject([{ tool: "deleteEverything", position: 1 }]);
    });
  });

  describe("the complete examples", () => {
    let research: Map<string, TraceScore>;
    let perf: Map<string, TraceScore>;
    beforeAll(async () => {
      [research, perf] = await Promise.all([
        score("research", foundingLines("002", 199, 231), {
          good: ["webSearch", "documentRead", "documentRead", "noteTaking", "summarize"],
          poor: ["webSearch", "documentRead", "noteTaking"],
        }),
        score("perf", foundingLines("002", 258, 280), {
          quick: ["loadData 900", "validate", "transform 400", "export 100"],
          slow: ["loadData 900", "validate", "transform 900", "export 100"],
        }),
      ]);
    });

    it("a research run is judged by its counts and by its order", () => {
      expect(research.get("good")).toMatchObject({ score: 1, status: "passed" });
      expect(research.get("poor")!.evaluators.map((evaluator) => evaluator.name)).toEqual(["coverage", "workflow"]);
      // Two of three least counts, two of three steps.
      expect(of(research, "poor").score).toBeCloseTo(2 / 3, 12);
    });
    it("sequence hits and time hits over steps and limits: four steps and three limits are seven", () => {
      expect(of(perf, "quick")).toMatchObject({ score: 1, aspects: 7 });
      expect(of(perf, "slow").score).toBeCloseTo(6 / 7, 12);
    });
  });

  describe("what providers return", () => {
    const home = join(folder, "providers");
    let shown: string;
    let scored: ScoreReport;
    beforeAll(async () => {
      mkdirSync(home);
      writeFileSync(join(home, "calls.json"), foundingLines("002", 105, 112));
      // The guide abbreviates the results with dots, which are no JSON.
      const record = foundingLines("002", 163, 183).replace("[...]", "[]");
      writeFileSync(join(home, "record.json"), record);
      const second = JSON.stringify({ ...JSON.parse(record), id: "eval-002" });
      writeFileSync(join(home, "two.jsonl"), `${JSON.stringify(JSON.parse(record))}\n${second}\n`);
      writeFileSync(join(home, "dots.json"), foundingLines("002", 163, 183));
      writeFileSync(join(home, "limits.yaml"), foundingLines("002", 83, 95));
      const [show, score] = await Promise.all([
        runSpoor(["show", "calls.json", "record.json", "two.jsonl", "--format", "json"], { cwd: home }),
        runSpoor(["score", "calls.json", "--evaluators", "limits.yaml", "--format", "json"], { cwd: home }),
      ]);
      shown = show.stdout;
      scored = JSON.parse(score.stdout) as ScoreReport;
    });

    it("a bare list of calls with durations is a trace, and its limits are checked", () => {
      expect(scored.results[0]!.evaluators[0]!.trajectory!.steps[0]!.limit).toMatchObject({
        outcome: "within",
        durationMs: 45,
      });
    });
    it("calls come from the tool_calls of the messages, one record per line being one run each", () => {
      const { traces } = JSON.parse(shown) as { traces: { toolCalls: number }[] };
      expect(traces).toHaveLength(4);
      expect(traces.map((trace) => trace.toolCalls)).toEqual([1, 1, 1, 1]);
    });
    it("text that only looks like JSON is refused with its place", async () => {
      const run = await runSpoor(["show", "dots.json"], { cwd: home });
      expect(run.code).toBe(2);
      expect(run.stderr).toContain("dots.json:11:");
    });
  });

  describe("a run of the evals", () => {
    const home = join(folder, "evals");
    let stdout: string;
    let code: number | null;
    let results: readonly { [key: string]: Json }[];
    beforeAll(async () => {
      mkdirSync(join(home, "evals"), { recursive: true });
      const perf = foundingLines("002", 258, 280);
      writeFileSync(join(home, "evals/research.yaml"), foundingLines("002", 199, 231));
      writeFileSync(join(home, "evals/pipeline.yaml"), foundingLines("002", 235, 254));
      writeFileSync(join(home, "evals/perf.yaml"), perf);
      const said = {
        "Research machine learning frameworks": messages([
          "webSearch",
          "documentRead",
          "documentRead",
          "noteTaking",
          "summarize",
        ]),
        "Process the customer dataset": messages([
          ...pipeline,
          { tool: "deleteEverything", input: { path: `${home}/data` } },
        ]),
        "Process the customer dataset quickly": {
          tool_calls: ["loadData 900", "validate", "transform 400", "export 100"].map(toolCall),
        },
      };
      writeFileSync(
        join(home, "agent.mjs"),
        `const said = ${JSON.stringify(said)};\nconst asked = Object.keys(said).filter((one) => process.argv.at(-1).includes(one)).sort((a, b) => b.length - a.length)[0];\nconsole.log(JSON.stringify(said[asked]));\n`,
      );
      const targets = ["codex_agent", "default"].map((name) => ({
        name,
        provider: "cli",
        command: "node agent.mjs {PROMPT}",
        cwd: home,
      }));
      writeFileSync(join(home, "targets.yaml"), JSON.stringify({ targets }));
      const run = await runSpoor(
        [
          "eval",
          "evals",
          "--targets",
          "targets.yaml",
          "--dump-traces",
          "--include-trace",
          "--results",
          "results.jsonl",
        ],
        { cwd: home, env: { PWD: home } },
      );
      ({ stdout, code } = run);
      if (stdout === "") throw new Error(run.stderr);
      results = readFileSync(join(home, "results.jsonl"), "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as { [key: string]: Json });
    });
    const result = (id: string) => results.find((one) => one["eval_id"] === id)!;

    it("asks the target that the file names", () =>
      expect(result("comprehensive-research")["target"]).toBe("codex_agent"));
    it("passes what follows the workflow", () => expect(result("comprehensive-research")["passed"]).toBe(true));
    it("reads a command that prints nothing but tool_calls", () => {
      expect(result("data-pipeline-perf")).toMatchObject({ passed: true, score: 1 });
    });
    it("fails the exact pipeline that did something more, and names it", () => {
      expect(code).toBe(1);
      expect(result("data-pipeline")).toMatchObject({ passed: false, score: 0.8, verdict: "fail" });
      expect(stdout.replace(/\s+/g, " ")).toContain("deleteEverything");
    });
    it("the result line holds the messages when asked", () => {
      expect(result("data-pipeline")["output_messages"]).toHaveLength(5);
    });
    it("traces are written to disk as they were, and the place is printed", async () => {
      expect(stdout).toContain(".spoor/traces");
      const names = ["pipeline.default/data-pipeline_attempt-1.agentlog"];
      const text = readFileSync(join(home, ".spoor/traces", names[0]!), "utf8");
      expect(text).toContain(`${home}/data`);
    });
  });
});
