/**
 * Python packages for tests, in a virtual environment of their own in the cache of `agent-cache.ts`. Where there is no Python, no
 * `venv` or no way to install, the tests that need them say so and skip.
 */
import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { agentCache } from "./agent-cache.ts";

const INSTALL_MS = 420_000;

export interface InstalledPython {
  /** The interpreter; absent when the packages could not be installed. */
  readonly python?: string;
  readonly why: string;
}

export function installPython(packages: readonly string[]): InstalledPython {
  const folder = join(agentCache, `python+${packages.join("+").replace(/[^A-Za-z0-9.+-]/g, "_")}`);
  const python = join(folder, "bin", "python");
  // Written last: a folder that another run left unfinished is not taken for an installed one.
  const done = join(folder, "installed");
  if (process.env["SPOOR_SKIP_AGENTS"]) return { why: "SPOOR_SKIP_AGENTS is set" };
  if (existsSync(done)) return { python, why: "" };
  const made = spawnSync("python3", ["-m", "venv", folder], { encoding: "utf8" });
  if (made.status !== 0)
    return { why: `python3 -m venv: ${made.error?.message ?? lastLine(made.stdout + made.stderr)}` };
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "0", ...packages];
  const installed = spawnSync(python, pip, { encoding: "utf8", timeout: INSTALL_MS });
  if (installed.status !== 0) return { why: `pip: ${installed.error?.message ?? lastLine(installed.stderr)}` };
  writeFileSync(done, "");
  return { python, why: "" };
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}
