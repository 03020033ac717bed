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
const ROUNDS = 5;
const MOST = 1.5;
const AIM = 1.3;
const MOST_RECORD_MS = 40;

/**
 * Every command of `spoor --help`, in its order. Whatever reads traces does so with five small ones a side: their work is a few
 * milliseconds. Those that wait for a person, a service or a change of files say their help; `mcp` answers what a client asks first; `hook` has a
 * benchmark of its own.
 */
const COMMANDS: readonly (readonly string[])[] = [
  ["--version"],
  ["demo"],
  ["init", "--yes"],
  ["record", "--", "true"],
  ["replay", "--from", "baseline", "--", "true"],
  ["gate"],
  ["watch", "--help"],
  ["accept"],
  ["review", "--help"],
  ["show", "candidate/ticket-1042.agentlog"],
  ["view", "--help"],
  ["diff", "baseline", "candidate"],
  ["diff", "baseline", "candidate", "--policy", "policies/refunds.yaml"],
  ["why", "--help"],
  ["check", "candidate", "--policy", "policies/refunds.yaml"],
  ["score", "candidate/ticket-1042.agentlog", "--evaluators", "evaluators.yaml", "--case", "ticket-1042"],
  ["eval", "cases.yaml", "--target", "mock"],
  ["fingerprint", "candidate"],
  ["baseline", "compare", "candidate"],
  ["cohort", "baseline", "candidate"],
  ["trend", "baseline", "candidate"],
  ["policy", "explain", "policies/refunds.yaml"],
  ["explain", "must_call_before"],
  ["mcp"],
  ["hook", "--help"],
  ["guard", "--help"],
  ["convert", "candidate/ticket-1042.agentlog", "--to", "otlp", "-o", "converted.json"],
  ["prune", "recordings", "--keep", "9", "--yes"],
  ["verify", "candidate/ticket-1042.agentlog"],
  ["serve", "--help"],
  ["worker", "--help"],
  ["migrate", "--help"],
  ["push", "--help"],
  ["export", "--help"],
  ["formats"],
  ["doctor"],
  ["report", "report.json"],
  ["schema", "diff"],
  ["completion", "bash"],
];

export const startBenchmark: Benchmark = {
  name: "start",
  promise: `every command at most ${MOST} times an empty Node process beside its own work (aim ${AIM}); import "@spoor/record" at most ${MOST_RECORD_MS} ms above an empty module`,
  run() {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    cpSync(example, folder, { recursive: true });
    writeFileSync(`${folder}cases.yaml`, CASES);
    writeFileSync(`${folder}targets.yaml`, TARGETS);
    writeFileSync(`${folder}record.mjs`, 'import "@spoor/record";\n');
    mkdirSync(`${folder}recordings`);
    mkdirSync(`${folder}fresh`);
    childCpu([spoorBin, "gate", "--format", "json", "-o", "report.json"], { cwd: folder });
    const empty = emptyProgram();
    const programs = [[empty], [`${folder}record.mjs`], ...COMMANDS.map((words) => [spoorBin, ...words])];
    const children = programs.map(
      (args) => () => childCpu(args, { cwd: cwdOf(args[1]), input: args[1] === "mcp" ? FIRST_QUESTIONS : "" }),
    );
    // The first start compiles; people start it every day.
    for (const child of children) child();
    const [floor, record, ...commands] = leastCpu(children, ROUNDS);
    const works = leastCpu(
      COMMANDS.map((words) => () => workOf(words)),
      2,
    );
    return [
      ...commands.map((whole, index) => commandRow(COMMANDS[index]!, { whole, work: works[index]!, floor: floor! })),
      recordRow(record! - floor!),
    ];
  },
};

/** A repository that has a configuration is not set up again. */
function cwdOf(command: string | undefined): string {
  return command === "init" ? `${folder}fresh` : folder;
}

/** What a client says before anything else. */
const FIRST_QUESTIONS = [
  { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {} } },
  { jsonrpc: "2.0", method: "notifications/initialized" },
  { jsonrpc: "2.0", id: 2, method: "tools/list" },
]
  .map((message) => `${JSON.stringify(message)}\n`)
  .join("");

const TARGETS = "targets: [{ name: mock, provider: mock, response: done }]\n";
const CASES = `tests: [{ id: one, input: hello, assert: [{ type: contains, value: done }] }]
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
  const child = spawnSync(process.execPath, [startChild, dirname(spoorBin), result, ...words], {
    cwd: cwdOf(words[0]),
  });
  if (child.status === null || child.status > 1) throw new Error(String(child.stderr));
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
