/** Damaged files that Spoor itself wrote and reads back: reports, results, baselines. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runInMemory } from "spoor/internal/cli/run-in-memory";
import { defineCommandArea } from "../command-area.ts";
import { readSeed, type Seed } from "../mutate/mutate.ts";
import { seedOf } from "../repository-files.ts";

/** One command line for each kind of report that is made without running anything. */
const REPORTS: Readonly<Record<string, string>> = {
  diff: "diff @/baseline @/candidate --policy @/policies/refunds.yaml --level token",
  "diff-one": "diff @/baseline/ticket-1042.agentlog @/candidate/ticket-1042.agentlog",
  check: "check @/candidate --policy @/policies/refunds.yaml",
  score: "score @/candidate/ticket-1042.agentlog --evaluators @/evaluators.yaml --case ticket-1042",
  fingerprint: "fingerprint @/baseline @/candidate",
  baseline: "baseline compare @/candidate --baseline @/baselines",
  "baseline-show": "baseline show --baseline @/baselines",
  "baseline-history": "baseline history --baseline @/baselines",
  cohort: "cohort @/baseline @/candidate",
  "cohort-plan": "cohort plan @/baseline --rounds 20",
  "cohort-sequential": "cohort @/baseline @/candidate --sequential",
  trend: "trend @/baseline @/candidate",
  gate: "gate --config @/spoor.config.yaml",
  eval: "eval @/evals/data-pipeline.yaml --target mock_agent --results @/made.jsonl",
  "eval-compare": "eval compare @/before.jsonl @/after.jsonl",
  accept: "accept --config @/spoor.config.yaml",
};

export const reportsArea = defineCommandArea({
  name: "reports",
  about: "saved reports of every kind, printed again in every format and judged again",
  share: 1,
  seeds: madeReports,
  place: "input.json",
  forms: [
    "report FILE --format FORMAT",
    "report FILE --format FORMAT",
    "report FILE --fail-on minor",
    "report FILE --mode warn",
  ],
});

async function madeReports(project: string): Promise<Seed[]> {
  writeResults(project);
  process.chdir(project);
  const seeds: Seed[] = [];
  for (const [name, form] of Object.entries(REPORTS)) {
    const words = [...form.replaceAll("@", project).split(" "), "--format", "json"];
    const { out, err } = await runInMemory(words, { cwd: project });
    if (!out.startsWith("{")) throw new Error(`spoor ${words.join(" ")} made no report: ${err}`);
    // Where the project stands differs from run to run; what is damaged must not.
    seeds.push(readSeed(`${name}.json`, Buffer.from(out.replaceAll(project, "/project"))));
  }
  return seeds;
}

export const resultsArea = defineCommandArea({
  name: "results",
  about: "results files of evals: compared, gone on with, evaluated again",
  share: 2,
  seeds(project) {
    writeResults(project);
    return ["before.jsonl", "after.jsonl"].map((name) => readSeed(name, readFileSync(join(project, name))));
  },
  place: "input.jsonl",
  forms: [
    "eval compare FILE @/after.jsonl --format FORMAT",
    "eval compare @/before.jsonl FILE --format FORMAT",
    "eval @/evals/data-pipeline.yaml --target mock_agent --against FILE --results FRESH/r.jsonl",
    "eval @/evals/data-pipeline.yaml --target mock_agent --resume --results FILE",
    "eval @/evals/data-pipeline.yaml --target mock_agent --regrade=FILE --results FRESH/r.jsonl",
  ],
});

/** Two results files, before and after a case got worse. */
function writeResults(project: string): void {
  for (const [name, passing] of [
    ["before.jsonl", 5],
    ["after.jsonl", 1],
  ] as const) {
    const lines = Array.from({ length: 6 }, (_, index) => JSON.stringify(resultOf(index, index < passing)));
    writeFileSync(join(project, name), `${lines.join("\n")}\n`);
  }
}

function resultOf(index: number, passed: boolean): object {
  return {
    schema: "spoor.eval-run/1",
    timestamp: "2026-01-05T09:00:00.000Z",
    eval_id: index % 2 === 0 ? "refund" : "data-pipeline",
    dataset: "support",
    eval_file: "support.yaml",
    target: "agent",
    run: index + 1,
    key: `k-${index}`,
    status: passed ? "passed" : "failed",
    passed,
    ended: "answered",
    score: passed ? 1 : 0.5,
    threshold: 0.8,
    verdict: passed ? "pass" : "fail",
    hits: ["a"],
    misses: passed ? [] : ["b"],
    candidate_answer: "Done.",
    evaluator_results: [
      { name: "path", type: "tool_trajectory", score: passed ? 1 : 0.5, verdict: "pass", hits: [], misses: [] },
    ],
    trace_summary: { event_count: 2, tool_names: ["a"], tool_calls_by_name: { a: 2 }, error_count: 0 },
    token_usage: { input: 100 + index, output: 20 },
    cost_usd: 0.01,
    duration_ms: 1000,
  };
}

export const baselinesArea = defineCommandArea({
  name: "baselines",
  about: "baselines: shown, compared with, built upon, rolled back",
  share: 2,
  seeds: () => [seedOf("examples/refund/baselines/support_agent.json")],
  place: "kept/support_agent.json",
  forms: [
    "baseline show --baseline FILE --format FORMAT",
    "baseline history --baseline FILE --format FORMAT",
    "baseline compare @/candidate --baseline FILE --format FORMAT",
    "baseline build @/candidate/ticket-1042.agentlog --baseline FILE --update",
    "gate --config @/kept.config.json --format FORMAT",
  ],
});

export const carriedArea = defineCommandArea({
  name: "carried",
  about: "evidence that goes on from one comparison to the next, and what an interrupted decision has noted",
  share: 2,
  async seeds(project) {
    const words = "cohort baseline candidate --sequential --wait 0 --carry made.json".split(" ");
    process.chdir(project);
    await runInMemory(words, { cwd: project });
    return [readSeed("carried.json", readFileSync(join(project, "made.json"))), JOURNAL];
  },
  place: ".spoor/decisions.journal",
  forms: [
    "cohort @/baseline @/candidate --sequential --wait 0 --carry FILE --format FORMAT",
    "accept --config @/spoor.config.yaml",
  ],
});

const JOURNAL = readSeed(
  "decisions.journal",
  Buffer.from('{"renames":[{"from":"../.draft","to":"../spoor.decisions.jsonl","file":"1"}],"removes":["../none"]}'),
);
