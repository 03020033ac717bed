/** Runs the real, built binary the way a shell would. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

export const spoorBin = fileURLToPath(new URL("../../bin/spoor.js", import.meta.url));

/** As a global installation has it, a link called `spoor`, so that the commands it prints begin with that name. */
const linked = join(mkdtempSync(join(tmpdir(), "spoor-bin-")), "spoor");
symlinkSync(spoorBin, linked);
process.once("exit", () => rmSync(dirname(linked), { recursive: true, force: true }));

export interface SpoorRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly stdin?: string | Uint8Array;
  readonly env?: Record<string, string>;
}

export function runSpoor(args: readonly string[], options: RunOptions = {}): Promise<SpoorRun> {
  const { NO_COLOR: _noColor, FORCE_COLOR: _force, CI: _ci, ...inherited } = process.env;
  const child = spawn(process.execPath, [linked, ...args], {
    cwd: options.cwd ?? process.cwd(),
    env: { ...inherited, LC_ALL: "C.UTF-8", ...options.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end(options.stdin ?? "");
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

/** A folder of its own for a test, gone when the test is. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "spoor-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
