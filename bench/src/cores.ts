/**
 * Many files on two cores against one: wall time of whole commands, by turns, the least of several rounds each. On a machine whose cores
 * are busy with other things the ratio says less.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import type { Benchmark, BenchmarkRow } from "./benchmark.ts";
import { childCpu, dataFolder, leastCpu, spoorBin } from "./child-figures.ts";
import { syntheticAgentlog } from "./synthetic.ts";

const folder = `${dataFolder}cores/`;
const FILES = 20_000;
const TURNS = 3;
const ROUNDS = 3;
const LEAST = 1.7;
/** A measurement of the same twice differs by so much. */
const SLACK = 1.05;

const POLICY = `rules:
  - { id: before, kind: must_call_before, params: { first: lookup_order, second: issue_refund } }
  - { id: none, kind: no_call, params: { tool: delete } }
  - { id: turns, kind: max_turns, params: { n: 9000 } }
  - { id: stop, kind: required_stop_reason, params: { allowed: [end_turn, tool_use] } }
  - { id: tokens, kind: max_total_tokens, params: { n: 100000 } }
  - { id: forbidden, kind: forbidden_text, params: { text: secret } }
  - { id: each, kind: must_include_text_each, params: { text: the } }
`;

const COMMANDS = {
  check: ["check", "traces", "--policy", "policy.yaml", "--fail-on", "none"],
  fingerprint: ["fingerprint", "traces"],
  "baseline build": ["baseline", "build", "traces", "--baseline", "built.json"],
  cohort: ["cohort", "traces/0*.agentlog", "traces/1*.agentlog"],
} as const;

export const coresBenchmark: Benchmark = {
  name: "cores",
  promise: `${FILES.toLocaleString("en")} files on two cores at least ${LEAST} times as fast as on one, with the same report; a few files no slower`,
  run() {
    makeFiles();
    return [...Object.entries(COMMANDS).map(([name, words]) => speedRow(name, words)), sameRow(), fewRow()];
  },
};

function makeFiles(): void {
  writeFileSyncIn("policy.yaml", POLICY);
  if (existsSync(`${folder}done`)) return;
  for (let index = 0; index < FILES; index++) {
    const name = `traces/${String(index).padStart(5, "0")}.agentlog`;
    writeFileSyncIn(name, syntheticAgentlog({ turns: TURNS, seed: index + 1 }));
  }
  writeFileSyncIn("done", "");
}

function writeFileSyncIn(name: string, text: string): void {
  if (!existsSync(`${folder}traces`)) mkdirSync(`${folder}traces`, { recursive: true });
  writeFileSync(folder + name, text);
}

function speedRow(name: string, words: readonly string[]): BenchmarkRow {
  const [one, two] = leastOf([() => wall(words, 1), () => wall(words, 2)]);
  const ratio = one! / two!;
  return {
    what: `\`spoor ${name}\` of ${FILES.toLocaleString("en")} files, two threads`,
    measured: `${ratio.toFixed(2)} times as fast`,
    against: `one thread, ${one!.toFixed(1)} s of wall time`,
    kept: ratio >= LEAST,
  };
}

function leastOf(runs: readonly (() => number)[]): number[] {
  return leastCpu(runs, ROUNDS);
}

function wall(words: readonly string[], threads: number): number {
  rmSync(`${folder}built.json`, { force: true });
  const from = process.hrtime.bigint();
  run(words, threads);
  return Number(process.hrtime.bigint() - from) / 1e9;
}

function run(words: readonly string[], threads: number): string {
  const env = { ...process.env, SPOOR_THREADS: String(threads), CI: "" };
  const child = spawnSync(process.execPath, [spoorBin, ...words], {
    cwd: folder,
    env,
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
  if (child.status === null || child.status > 2) throw new Error(child.stderr);
  return child.stdout;
}

function sameRow(): BenchmarkRow {
  const reports = [1, 2, 3].map((threads) =>
    createHash("sha256")
      .update(run([...COMMANDS.check, "--format", "json"], threads))
      .digest("hex"),
  );
  const same = new Set(reports).size === 1;
  return {
    what: "the JSON report of the check, with two and three threads",
    measured: same ? "the same bytes" : "other bytes",
    against: "the report of one thread",
    kept: same,
  };
}

/** Threads are not started where they do not pay. */
function fewRow(): BenchmarkRow {
  const words = [spoorBin, "fingerprint", "traces/0000*.agentlog"];
  const cpu = (threads: string) => () => childCpu(words, { cwd: folder, env: { SPOOR_THREADS: threads } });
  const [one, more] = leastCpu([cpu("1"), cpu("8")], 7);
  const ratio = more! / one!;
  return {
    what: "ten files, as many threads as allowed",
    measured: `${ratio.toFixed(2)} times`,
    against: `one thread, ${(one! * 1000).toFixed(0)} ms of CPU`,
    kept: ratio <= SLACK,
  };
}
