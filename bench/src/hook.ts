/** What `spoor hook` costs, which an agent starts twice for every tool call: against a Node process that does nothing. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Benchmark, BenchmarkRow } from "./benchmark.ts";

const folder = fileURLToPath(new URL("../.data/hook/", import.meta.url));
const spoorBin = fileURLToPath(new URL("../../packages/spoor/bin/spoor.js", import.meta.url));
const ROUNDS = 9;
const CALLS = 10_000;
const MOST = 1.5;
/** A session that goes on for days may cost a little more. */
const MOST_LONG = 2;

const POLICY = `rules:
  - { id: no-rm, kind: no_call, params: { tool: Rm } }
  - { id: few, kind: max_calls, params: { tool: Bash, limit: 1000000 } }
`;

export const hookBenchmark: Benchmark = {
  name: "hook",
  promise: `spoor hook takes at most ${MOST} times the CPU of an empty Node process, and the reading of its policy`,
  run() {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}empty.mjs`, "");
    writeFileSync(`${folder}policy.yaml`, POLICY);
    writeFileSync(`${folder}count.cjs`, COUNT);
    // The first start compiles and reads; agents start it thousands of times.
    cpuOf(hook("policy.yaml"));
    cpuOf(hook("spoor:coding-agent"));
    const empty = best([`${folder}empty.mjs`]);
    const short = best(hook("policy.yaml"));
    const pack = best(hook("spoor:coding-agent"));
    lengthen();
    const long = best(hook("policy.yaml"));
    return [
      row("a policy of two rules", short / empty, empty, MOST),
      row("spoor:coding-agent, the reading of its rules included", pack / empty, empty),
      row(`two rules after ${CALLS.toLocaleString("en")} calls`, long / empty, empty, MOST_LONG),
    ];
  },
};

/** Runs inside of each process: tells at its end what it took. */
const COUNT = `process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  require("node:fs").writeFileSync(process.env.COUNT_FILE, String(user + system));
});
`;

function hook(policy: string): string[] {
  return [spoorBin, "hook", "--policy", policy];
}

function best(args: readonly string[]): number {
  return Math.min(...Array.from({ length: ROUNDS }, () => cpuOf(args)));
}

function cpuOf(args: readonly string[]): number {
  const event = { hook_event_name: "PreToolUse", session_id: "s", tool_name: "Bash", tool_use_id: "t", tool_input: {} };
  const env = { ...process.env, XDG_STATE_HOME: `${folder}state`, CLAUDE_PROJECT_DIR: "", COUNT_FILE: `${folder}cpu` };
  const child = spawnSync(process.execPath, ["--require", `${folder}count.cjs`, ...args], {
    cwd: folder,
    encoding: "utf8",
    env,
    input: JSON.stringify(event),
  });
  if (child.status !== 0) throw new Error(child.stderr);
  return Number(readFileSync(`${folder}cpu`, "utf8")) / 1e6;
}

/** A history of many calls, in the form the hook itself wrote for the first. */
function lengthen(): void {
  const histories = `${folder}state/spoor/hooks/`;
  for (const name of readdirSync(histories)) {
    const lines = readFileSync(histories + name, "utf8").split("\n");
    const call = lines.find((line) => line.includes('"kind":"call"'));
    if (call === undefined) continue;
    const many = Array.from({ length: CALLS }, (_, index) => {
      const id = `t${index}`;
      const one = JSON.stringify({ ...(JSON.parse(call) as object), id, group: id });
      return `${one}\n${JSON.stringify({ kind: "result", id, status: "ok" })}\n`;
    });
    writeFileSync(histories + name, `${lines[0]}\n${many.join("")}`);
  }
}

function row(what: string, ratio: number, empty: number, most?: number): BenchmarkRow {
  return {
    what,
    measured: `${ratio.toFixed(2)} times`,
    against: `an empty Node process, ${Math.round(empty * 1000)} ms of CPU${most === undefined ? "" : ` (at most ${most} times)`}`,
    ...(most === undefined ? {} : { kept: ratio <= most }),
  };
}
