/**
 * Cliffs: how a cost grows when one thing grows. Each case is run at several sizes, start-up subtracted, and printed with its
 * exponent between the smallest and the largest: 1 is linear, 2 the square. Sorting and the fixed part of a cost move it by a few
 * tenths, so up to 1.3 counts as n log n.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Benchmark, BenchmarkRow } from "./benchmark.ts";
import { commandFigures } from "./child-figures.ts";
import * as documents from "./cliff-documents.ts";
import { syntheticAgentlog } from "./synthetic.ts";
import { TWELVE_RULES } from "./twelve-rules.ts";

const folder = fileURLToPath(new URL("../.data/cliffs/", import.meta.url));
const LARGEST_EXPONENT = 1.3;

interface Case {
  readonly what: string;
  readonly unit: string;
  readonly sizes: readonly number[];
  /** Writes the files of one size and says the command. */
  words(size: number): string[];
}

const CASES: readonly Case[] = [
  {
    what: "gate with policy, baseline and page",
    unit: "pairs of 20 turns",
    sizes: [200, 800, 3_200],
    words: gateProject,
  },
  shown("show of a Claude Code session", "turns", [5_000, 20_000, 60_000], (size) =>
    documents.claudeSession(size, false),
  ),
  compared("diff of Claude Code sessions", "turns", [5_000, 20_000, 60_000], documents.claudeSession),
  compared("diff of OpenAI chat messages", "turns", [5_000, 20_000, 60_000], documents.chatMessages),
  shown("show of calls before the first turn", "calls", [10_000, 50_000, 100_000], (size) =>
    documents.earlyCalls(size, false),
  ),
  shown("show of calls that the first turn asks for", "calls", [10_000, 50_000, 100_000], (size) =>
    documents.earlyCalls(size, true),
  ),
  compared("diff of one turn", "calls", [10_000, 50_000], documents.manyCalls),
  compared("diff of tools that are called once each", "tools", [10_000, 100_000], documents.manyNames),
  compared("diff of one argument", "times 0.1 MB", [10, 40, 150], documents.largeArgument),
  { what: "check of 1,000 turns", unit: "rules", sizes: [10, 100, 1_000], words: ruledRun },
];

export const cliffsBenchmark: Benchmark = {
  name: "cliffs",
  promise: `no cost grows faster than n log n: exponents of at most ${LARGEST_EXPONENT} between the smallest and the largest size`,
  run() {
    mkdirSync(folder, { recursive: true });
    const startUp = commandFigures(
      ["show", write("tiny.agentlog", syntheticAgentlog({ turns: 1, seed: 1 }))],
      5,
    ).seconds;
    const rows = CASES.map((one) => growthRow(one, startUp));
    rmSync(folder, { recursive: true, force: true });
    return rows;
  },
};

function growthRow({ what, unit, sizes, words }: Case, startUp: number): BenchmarkRow {
  // The smallest is over soon, and other work on the machine would show in it most.
  const figures = sizes.map((size, index) => commandFigures(words(size), index === 0 ? 3 : 1));
  const seconds = figures.map((one) => Math.max(0.01, one.seconds - startUp));
  const [first, last] = [sizes[0]!, sizes.at(-1)!];
  const exponent = Math.log(seconds.at(-1)! / seconds[0]!) / Math.log(last / first);
  const memory = Math.max(...figures.map((one) => one.megabytes));
  return {
    what: `${what}, ${sizes.map((size) => size.toLocaleString("en")).join(", ")} ${unit}`,
    measured: `${seconds.map((one) => one.toFixed(2)).join(", ")} s CPU, at most ${memory.toFixed(0)} MB, exponent ${exponent.toFixed(2)}`,
    against: `exponent ${LARGEST_EXPONENT}`,
    kept: exponent <= LARGEST_EXPONENT,
  };
}

function shown(what: string, unit: string, sizes: readonly number[], document: (size: number) => string): Case {
  return { what, unit, sizes, words: (size) => ["show", write("shown.jsonl", document(size))] };
}

function compared(
  what: string,
  unit: string,
  sizes: readonly number[],
  document: (size: number, changed: boolean) => string,
): Case {
  const words = (size: number) => [
    "diff",
    write("baseline.jsonl", document(size, false)),
    write("candidate.jsonl", document(size, true)),
  ];
  return { what, unit, sizes, words };
}

function ruledRun(rules: number): string[] {
  const run = write("ruled.agentlog", syntheticAgentlog({ turns: 1_000, seed: 1 }));
  return ["check", run, "--policy", write("many.yaml", documents.manyRules(rules))];
}

function gateProject(pairs: number): string[] {
  const project = `${folder}gate/`;
  rmSync(project, { recursive: true, force: true });
  for (const [side, changed] of [
    ["baseline", 0],
    ["candidate", 0.05],
  ] as const) {
    mkdirSync(`${project}${side}`, { recursive: true });
    for (let seed = 0; seed < pairs; seed++)
      write(`gate/${side}/task-${seed}.agentlog`, syntheticAgentlog({ turns: 20, seed, changed }));
  }
  write("gate/policy.yaml", TWELVE_RULES);
  const config = write(
    "gate/spoor.config.yaml",
    "agent: support_agent\ntraces: candidate\ndiff: { baseline: baseline }\npolicy: { files: [policy.yaml] }\nbaseline: { file: known.json }\n",
  );
  commandFigures(["baseline", "build", `${project}baseline`, "--config", config, "--quiet"], 1);
  return ["gate", "--config", config, "-o", `${project}report.html`, "--quiet"];
}

function write(name: string, text: string): string {
  writeFileSync(folder + name, text);
  return folder + name;
}
