/** Runs the real, built binary the way a shell would. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

export const spoorBin = fileURLToPath(new URL("../../bin/spoor.js", import.meta.url));

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
  const child = spawn(process.execPath, [spoorBin, ...args], {
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
