/**
 * What every command costs before its own work, on the traces of a small example: the CPU of the whole process, less what the same
 * command takes when the same process does it once more, against a Node process that does nothing.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Benchmark, BenchmarkRow } from "./benchmark.ts";
import { childCpu, dataFolder, emptyProgram, leastCpu, spoorBin } from "./child-figures.ts";

const folder = `${dataFolder}start/`;
const startChild = fileURLToPath(new URL("./start-child.js", import.meta.url));
const example = fileURLToPath(new URL("../../examples/refund/", import.meta.url));
const ROUNDS = 7;
const MOST = 1.5;
const AIM = 1.3;
const MOST_RECORD_MS = 40;

/** Whatever reads traces does so with five small ones a side: their work is a few milliseconds. */
const COMMANDS: readonly (readonly string[])[] = [
  ["--version"],
  ["formats"],
  ["schema", "diff"],
  ["verify", "candidate/ticket-1042.agentlog"],
  ["show", "candidate/ticket-1042.agentlog"],
  ["fingerprint", "candidate"],
  ["convert", "candidate/ticket-1042.agentlog", "--to", "otlp", "-o", "converted.json"],
  ["policy", "explain", "policies/refunds.yaml"],
  ["check", "candidate", "--policy", "policies/refunds.yaml"],
  ["diff", "baseline", "candidate"],
  ["diff", "baseline", "candidate", "--policy", "policies/refunds.yaml"],
  ["baseline", "compare", "candidate"],
  ["cohort", "baseline", "candidate"],
  ["trend", "baseline", "candidate"],
  ["score", "candidate", "--config", "spoor.config.yaml"],
  ["gate"],
  ["eval", "cases.yaml", "--no-store"],
  ["doctor"],
  ["init", "--dry-run"],
];

export const startBenchmark: Benchmark = {
  name: "start",
  promise: `every command at most ${MOST} times an empty Node process beside its own work (aim ${AIM}); import "@spoor/record" at most ${MOST_RECORD_MS} ms above an empty module`,
  run() {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    cpSync(example, folder, { recursive: true });
    writeFileSync(`${folder}cases.yaml`, CASES);
    writeFileSync(`${folder}record.mjs`, 'import "@spoor/record";\n');
    const empty = emptyProgram();
    const programs = [[empty], [`${folder}record.mjs`], ...COMMANDS.map((words) => [spoorBin, ...words])];
    const children = programs.map((args) => () => childCpu(args, { cwd: folder }));
    // The first start compiles; people start it every day.
    for (const child of children) child();
    const [floor, record, ...commands] = leastCpu(children, ROUNDS);
    const works = leastCpu(
      COMMANDS.map((words) => () => workOf(words)),
      3,
    );
    return [
      ...commands.map((whole, index) => commandRow(COMMANDS[index]!, { whole, work: works[index]!, floor: floor! })),
      recordRow(record! - floor!),
    ];
  },
};

const CASES = `targets: [{ name: mock, provider: mock, response: done }]
tests: [{ id: one, input: hello, assert: [{ type: contains, value: done }] }]
`;

interface Measured {
  readonly whole: number;
  readonly work: number;
  readonly floor: number;
}

function commandRow(words: readonly string[], { whole, work, floor }: Measured): BenchmarkRow {
  const ratio = (whole - work) / floor;
  return {
    what: `\`spoor ${words.join(" ")}\``,
    measured: `${ratio.toFixed(2)} times`,
    against: `an empty Node process, ${ms(floor)} of CPU; own work ${ms(work)}`,
    kept: ratio <= MOST,
  };
}

const ms = (seconds: number) => `${Math.round(seconds * 1000)} ms`;

function workOf(words: readonly string[]): number {
  const result = `${folder}work`;
  const child = spawnSync(process.execPath, [startChild, dirname(spoorBin), result, ...words], { cwd: folder });
  if (child.status === null || child.status > 2) throw new Error(String(child.stderr));
  return Number(readFileSync(result, "utf8"));
}

function recordRow(seconds: number): BenchmarkRow {
  return {
    what: '`import "@spoor/record"`',
    measured: `${ms(seconds)} of CPU`,
    against: `${MOST_RECORD_MS} ms above an empty module`,
    kept: seconds * 1000 <= MOST_RECORD_MS,
  };
}
