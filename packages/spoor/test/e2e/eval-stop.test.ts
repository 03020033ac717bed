/** Evals that are stopped or killed at any moment: no agent, no folder and no result is left behind or lost. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRandom } from "@spoor/core/internal/stats/random";
import { expect, it } from "vitest";
import { spoorBin, temporaryFolder } from "./run-spoor.ts";

const CASES = 200;
const TIMES = 20;

/** Starts two helpers, one of them in a session of its own, tells the numbers of all three, and takes its time. */
const AGENT = `#!/bin/sh
sleep 1000 >/dev/null 2>&1 &
one=$!
setsid sleep 1000 >/dev/null 2>&1 &
echo "$$ $one $!" >> "$PIDS"
sleep 0.1
echo '{"output_messages": [{"role": "assistant", "tool_calls": [{"tool": "search"}]}]}'
`;

interface Project {
  readonly folder: string;
  readonly temporary: string;
}

function project(): Project {
  const folder = temporaryFolder();
  const temporary = join(folder, "temporary");
  mkdirSync(temporary);
  mkdirSync(join(folder, "template"));
  writeFileSync(join(folder, "template", "data.txt"), "kept");
  writeFileSync(join(folder, "agent.sh"), AGENT, { mode: 0o755 });
  writeFileSync(join(folder, "pids"), "");
  const evaluators = [{ name: "path", type: "tool_trajectory", mode: "in_order", expected: [{ tool: "search" }] }];
  const workspace = { template: "template", teardown: 'echo "$SPOOR_CASE_ID" >> "$DONE"' };
  const evalcases = Array.from({ length: CASES }, (_, index) => ({
    id: `c${index}`,
    input: "q",
    workspace,
    evaluators,
  }));
  writeFileSync(join(folder, "suite.eval.yaml"), JSON.stringify({ evalcases }));
  const target = { name: "default", provider: "cli", command: [join(folder, "agent.sh")] };
  writeFileSync(join(folder, "targets.yaml"), JSON.stringify({ targets: [target] }));
  return { folder, temporary };
}

function start({ folder, temporary }: Project): ChildProcess {
  return spawn(
    process.execPath,
    [spoorBin, "eval", "suite.eval.yaml", "--results", "results.jsonl", "--resume", "--quiet", "--workers", "3"],
    {
      cwd: folder,
      env: { ...process.env, TMPDIR: temporary, PIDS: join(folder, "pids"), DONE: join(folder, "done") },
      stdio: "ignore",
    },
  );
}

const lines = (file: string) => (existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : []);
const agentsOf = ({ folder }: Project) => lines(join(folder, "pids"));

/** The cases that are done, a torn last line left out. */
function results({ folder }: Project): string[] {
  return lines(join(folder, "results.jsonl")).flatMap((line) => {
    try {
      return [(JSON.parse(line) as { eval_id?: string }).eval_id ?? []].flat();
    } catch {
      return [];
    }
  });
}

function alive(project: Project): string[] {
  const pids = agentsOf(project).flatMap((line) => line.split(" "));
  return pids.filter((pid) => {
    try {
      return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
    } catch {
      return false;
    }
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await new Promise((resolve) => child.once("exit", resolve));
}

it.runIf(process.platform === "linux").each(["SIGINT", "SIGKILL"] as const)(
  `${TIMES} times %s at random moments leave no process, no folder, and lose no result`,
  async (signal) => {
    const random = createRandom(signal === "SIGINT" ? 11 : 12);
    const made = project();
    for (let time = 0; time < TIMES; time++) {
      const before = results(made);
      const until = agentsOf(made).length + 1 + random.below(6);
      const child = start(made);
      // A moment that the run itself sets: so many agents have begun, wherever they are by now.
      while (agentsOf(made).length < until && child.exitCode === null) await pause(5);
      await pause(random.below(60));
      child.kill(signal);
      await ended(child);
      await expect.poll(() => alive(made), { timeout: 20_000 }).toEqual([]);
      await expect.poll(() => readdirSync(made.temporary), { timeout: 20_000 }).toEqual([]);
      const after = results(made);
      expect(after.slice(0, before.length).sort()).toEqual([...before].sort());
      expect(new Set(after).size).toBe(after.length);
    }
    // Stopped in order, every attempt that began was cleaned up behind; a result needs a cleaned-up run.
    const cleaned = lines(join(made.folder, "done"));
    expect(results(made).every((id) => cleaned.includes(id))).toBe(true);
    if (signal === "SIGINT") expect(cleaned.length).toBeGreaterThanOrEqual(agentsOf(made).length);
  },
);

it.runIf(process.platform === "linux").each(["SIGTERM", "SIGHUP"] as const)(
  "%s ends agents and runs teardown",
  async (signal) => {
    const made = project();
    const child = start(made);
    while (agentsOf(made).length < 2 && child.exitCode === null) await pause(5);
    child.kill(signal);
    await ended(child);
    expect(child.exitCode).toBe(130);
    expect(alive(made)).toEqual([]);
    expect(readdirSync(made.temporary)).toEqual([]);
    expect(lines(join(made.folder, "done")).length).toBeGreaterThanOrEqual(agentsOf(made).length);
  },
);

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
