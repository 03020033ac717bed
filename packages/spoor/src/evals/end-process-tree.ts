/**
 * Ends a program and everything it started. Coding agents run commands in sessions of their own, which a signal to the
 * process group does not reach, so the tree is looked up before its root is gone. First a request, so that the program can
 * clean up; whoever is still there a moment later is killed.
 */
import { type ChildProcess, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

const GRACE_MS = 1000;

/** A variable of the environment, which a process hands on to all it starts, wherever they move. */
const MARK = "SPOOR_PROCESS";

export function markedEnvironment(mark: string): Readonly<Record<string, string>> {
  return { [MARK]: mark };
}

export function endProcessTree(child: ChildProcess, mark: string): void {
  const { pid } = child;
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const tree = [pid, ...descendantsOf(pid)];
  signalGroup(pid, "SIGTERM");
  const kill = () => {
    // What the program started in the meantime belongs to it as well.
    for (const member of new Set([...tree, ...tree.flatMap(descendantsOf)])) signal(member, "SIGKILL");
    endLeftovers(child, mark);
  };
  const timer = setTimeout(kill, GRACE_MS);
  child.once("exit", () => {
    clearTimeout(timer);
    kill();
  });
}

/** Ends what a program that is gone has left running: in its group, and what left the group but bears its mark. */
export function endLeftovers({ pid }: ChildProcess, mark: string): void {
  if (pid === undefined || process.platform === "win32") return;
  signal(-pid, "SIGKILL");
  endMarked(mark, pid);
}

/** Numbers of processes grow, so that only those above the first need be looked at; where they begin anew some are missed. */
function endMarked(mark: string, from: number): void {
  if (process.platform !== "linux") return;
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (pid > from && pid !== process.pid && environmentOf(name).includes(`${MARK}=${mark}\0`)) signal(pid, "SIGKILL");
  }
}

/** Empty for processes of others, and for those that are gone. */
function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    return "";
  }
}

function descendantsOf(root: number): number[] {
  const childrenOf = new Map<number, number[]>();
  for (const [pid, parent] of processTable()) {
    const siblings = childrenOf.get(parent);
    if (siblings === undefined) childrenOf.set(parent, [pid]);
    else siblings.push(pid);
  }
  const found: number[] = [];
  const open = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const children = childrenOf.get(next) ?? [];
    found.push(...children);
    open.push(...children);
  }
  return found;
}

/** Every process with its parent; empty where the system does not say. */
function processTable(): [number, number][] {
  if (process.platform === "linux") {
    return readdirSync("/proc").flatMap((name): [number, number][] => {
      const parent = /^\d+$/.test(name) ? parentOf(name) : undefined;
      return parent === undefined ? [] : [[Number(name), parent]];
    });
  }
  if (process.platform === "win32") return [];
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  return [...(stdout ?? "").matchAll(/^\s*(\d+)\s+(\d+)\s*$/gm)].map((row) => [Number(row[1]), Number(row[2])]);
}

function parentOf(pid: string): number | undefined {
  try {
    // pid (name) state parent …: the name may hold anything, so count from its closing bracket.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return undefined;
  }
}

function signalGroup(pid: number, name: NodeJS.Signals): void {
  signal(process.platform === "win32" ? pid : -pid, name);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Already gone.
  }
}
