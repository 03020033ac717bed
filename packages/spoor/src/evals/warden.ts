/**
 * A small process that outlives this one for a moment. It is told what is under way, and when this process is gone without having
 * put everything away (killed, out of memory, a bug), it ends the programs that are left and removes their folders.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { packageFile } from "../package-files.ts";

/**
 * The mark that a program and all it starts will bear: told before it is started, because starting takes a moment in which this
 * process may be killed. Returns what to call with its number, and then when it has been ended.
 */
export function guardProcess(mark: string): { started(pid: number | undefined): void; ended(): void } {
  tell({ mark, runs: true });
  return {
    started: (pid) => tell({ mark, runs: true, ...(pid === undefined ? {} : { pid }) }),
    ended: () => tell({ mark }),
  };
}

/** A temporary folder. Returns what to call when it has been removed, or is to stay. */
export function guardFolder(folder: string): () => void {
  tell({ folder, remove: true });
  return () => tell({ folder });
}

/** What the warden is told; without `runs`, or without `remove`, a thing is settled. */
export type WardenWord =
  | { readonly mark: string; readonly runs?: true; readonly pid?: number }
  | { readonly folder: string; readonly remove?: true };

let warden: ChildProcess | undefined;

function tell(word: WardenWord): void {
  warden ??= start();
  if (warden?.stdin?.writable) warden.stdin.write(`${JSON.stringify(word)}\n`);
}

function start(): ChildProcess | undefined {
  const program = fileURLToPath(packageFile("dist/evals/warden-main.js"));
  if (!existsSync(program) || process.platform === "win32") return undefined;
  const child = spawn(process.execPath, [program], { detached: true, stdio: ["pipe", "ignore", "ignore"] });
  child.on("error", () => undefined);
  child.stdin.on("error", () => undefined);
  // It waits for us, not we for it.
  child.unref();
  (child.stdin as Socket).unref();
  return child;
}
