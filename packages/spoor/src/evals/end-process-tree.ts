/**
 * Ends a program and everything it started. Coding agents run commands in sessions of their own, which a signal to the
 * process group does not reach, so the tree is looked up before its root is gone. First a request, so that the program can
 * clean up; whoever is still there a moment later is killed.
 */
import { type ChildProcess, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

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

/** Ends programs whose starter is gone, with all that bears their marks; a number that belongs to another by now is spared. */
export async function endOrphans(processes: ReadonlyMap<string, number | undefined>): Promise<void> {
  const pids = [...processes.values()].filter((pid) => pid !== undefined);
  if (process.platform !== "linux") {
    for (const pid of pids) signalGroup(pid, "SIGKILL");
    return;
  }
  const marks = [...processes.keys()].map((mark) => `${MARK}=${mark}\0`);
  // Who is being killed may have started another a moment ago, and who is just beginning shows no environment yet.
  let calm = 0;
  for (let look = 0; look < ORPHAN_LOOKS && calm < CALM_LOOKS; look++) {
    const marked = readdirSync("/proc").filter((name) => {
      const environment = /^\d+$/.test(name) && Number(name) !== process.pid ? environmentOf(name) : "";
      return marks.some((mark) => environment.includes(mark));
    });
    const isBeginning = pids.some((pid) => isReadable(pid) && environmentOf(String(pid)) === "");
    calm = marked.length === 0 && !isBeginning ? calm + 1 : 0;
    for (const member of new Set(marked.map(Number).flatMap((pid) => [pid, ...descendantsOf(pid)])))
      signal(member, "SIGKILL");
    await sleep(ORPHAN_PAUSE_MS);
  }
}

const ORPHAN_LOOKS = 200;
const CALM_LOOKS = 10;
const ORPHAN_PAUSE_MS = 50;

/** Alive and ours; one that has ended and was not asked about yet has no environment either. */
function isReadable(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    readFileSync(`/proc/${pid}/environ`);
    return !/^\d+ \(.*\) [ZX]/s.test(stat);
  } catch {
    return false;
  }
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
