/** What `spoor hook` costs, which an agent starts twice for every tool call: against a Node process that does nothing. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Benchmark, BenchmarkRow } from "./benchmark.ts";
import { childCpu, dataFolder, emptyProgram, leastCpu, spoorBin } from "./child-figures.ts";

const folder = `${dataFolder}hook/`;
const ROUNDS = 9;
const CALLS = 10_000;
const MOST = 1.5;

const POLICY = `rules:
  - { id: no-rm, kind: no_call, params: { tool: Rm } }
  - { id: few, kind: max_calls, params: { tool: Bash, limit: 1000000 } }
`;

export const hookBenchmark: Benchmark = {
  name: "hook",
  promise: `spoor hook takes at most ${MOST} times the CPU of an empty Node process, and the reading of its history`,
  run() {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}policy.yaml`, POLICY);
    // The first start compiles and reads; agents start it thousands of times.
    cpuOf(hook("policy.yaml"));
    cpuOf(hook("spoor:coding-agent"));
    const nothing = [emptyProgram()];
    const [empty, short, pack] = leastOf([nothing, hook("policy.yaml"), hook("spoor:coding-agent")]);
    const reader = [readerOf(lengthen())];
    const [again, reading, long] = leastOf([nothing, reader, hook("policy.yaml")]);
    return [
      row("a policy of two rules", short!, empty!, MOST * empty!),
      row("spoor:coding-agent, the reading of its rules included", pack!, empty!),
      row(
        `two rules after ${CALLS.toLocaleString("en")} calls`,
        long!,
        again!,
        MOST * again! + (reading! - again!),
        ` and ${Math.round((reading! - again!) * 1000)} ms for JSON.parse of its history`,
      ),
    ];
  },
};

function hook(policy: string): string[] {
  return [spoorBin, "hook", "--policy", policy];
}

function leastOf(programs: readonly (readonly string[])[]): number[] {
  return leastCpu(
    programs.map((args) => () => cpuOf(args)),
    ROUNDS,
  );
}

function cpuOf(args: readonly string[]): number {
  const event = { hook_event_name: "PreToolUse", session_id: "s", tool_name: "Bash", tool_use_id: "t", tool_input: {} };
  const env = { XDG_STATE_HOME: `${folder}state`, CLAUDE_PROJECT_DIR: "" };
  return childCpu(args, { cwd: folder, env, input: JSON.stringify(event) });
}

/** A program that does nothing but read what the hook has to read. */
function readerOf(history: string): string {
  const program = `${folder}reader.mjs`;
  const text = `import { readFileSync } from "node:fs";
for (const line of readFileSync(${JSON.stringify(history)}, "utf8").split("\n")) if (line !== "") JSON.parse(line);
`;
  writeFileSync(program, text);
  return program;
}

/** A history of many calls, in the form the hook itself wrote for the first. */
function lengthen(): string {
  let longest = "";
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
    longest = histories + name;
    writeFileSync(longest, `${lines[0]}\n${many.join("")}`);
  }
  return longest;
}

function row(what: string, seconds: number, empty: number, most?: number, plus = ""): BenchmarkRow {
  const limit = most === undefined ? "" : ` (at most ${MOST} times${plus})`;
  return {
    what,
    measured: `${(seconds / empty).toFixed(2)} times`,
    against: `an empty Node process, ${Math.round(empty * 1000)} ms of CPU${limit}`,
    ...(most === undefined ? {} : { kept: seconds <= most }),
  };
}
