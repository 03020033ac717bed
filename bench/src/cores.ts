/**
 * Many files on two cores against one: wall time of whole commands, by turns, the least of several rounds each. On a machine whose cores
 * are busy with other things the ratio says less.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import type { Benchmark, BenchmarkRow } from "./benchmark.ts";
import { childCpu, dataFolder, leastCpu, spoorBin } from "./child-figures.ts";
import { syntheticAgentlog } from "./synthetic.ts";

const folder = `${dataFolder}cores/`;
const FILES = 20_000;
const TURNS = 3;
const ROUNDS = 2;
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

/** One that sends findings and one that sends facts; what they print is compared too. */
const COMMANDS = {
  check: ["check", "traces", "--policy", "policy.yaml", "--fail-on", "none", "--format", "json"],
  fingerprint: ["fingerprint", "traces", "--format", "json"],
} as const;

export const coresBenchmark: Benchmark = {
  name: "cores",
  promise: `${FILES.toLocaleString("en")} files on two cores at least ${LEAST} times as fast as on one, with the same report; a few files no slower`,
  run() {
    makeFiles();
    return [...Object.entries(COMMANDS).flatMap(([name, words]) => speedRows(name, words)), fewRow()];
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

function speedRows(name: string, words: readonly string[]): BenchmarkRow[] {
  const printed = new Set<string>();
  const [one, two] = leastCpu([() => wall(words, 1, printed), () => wall(words, 2, printed)], ROUNDS);
  const ratio = one! / two!;
  return [
    {
      what: `\`spoor ${name}\` of ${FILES.toLocaleString("en")} files, two threads`,
      measured: `${ratio.toFixed(2)} times as fast`,
      against: `one thread, ${one!.toFixed(1)} s of wall time`,
      kept: ratio >= LEAST,
    },
    {
      what: `the JSON report of \`spoor ${name}\`, with two threads`,
      measured: printed.size === 1 ? "the same bytes" : "other bytes",
      against: "the report of one thread",
      kept: printed.size === 1,
    },
  ];
}

/** Seconds; a digest of what was printed goes into the set. */
function wall(words: readonly string[], threads: number, printed: Set<string>): number {
  const from = process.hrtime.bigint();
  const child = spawnSync(process.execPath, [spoorBin, ...words], {
    cwd: folder,
    env: { ...process.env, SPOOR_THREADS: String(threads), CI: "" },
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
  const seconds = Number(process.hrtime.bigint() - from) / 1e9;
  if (child.status !== 0) throw new Error(child.stderr);
  printed.add(createHash("sha256").update(child.stdout).digest("hex"));
  return seconds;
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
