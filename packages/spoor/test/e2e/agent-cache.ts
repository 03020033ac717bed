/**
 * The coding agents themselves, installed on demand into a cache folder outside of the repository (SPOOR_AGENT_CACHE, or
 * a folder for temporary files). They are never dependencies; where they cannot be installed, their tests say so and skip.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const agentCache = process.env["SPOOR_AGENT_CACHE"] ?? join(tmpdir(), "spoor-agent-cache");
const INSTALL_MS = 180_000;

export interface InstalledAgent {
  /** Absent when it could not be installed. */
  readonly program?: string;
  readonly why: string;
}

/** A folder of `node_modules` with these packages; absent when they could not be installed. */
export interface InstalledPackages {
  readonly modules?: string;
  readonly why: string;
}

/** Installs packages, named with their versions, into a folder of their own; once for all tests that ask for the same ones. */
export function installPackages(packages: readonly string[]): InstalledPackages {
  const folder = join(agentCache, packages.join("+").replace(/[^A-Za-z0-9.+-]/g, "_"));
  const modules = join(folder, "node_modules");
  // Written last: a folder that another run left unfinished is not taken for an installed one.
  const done = join(folder, "installed");
  if (existsSync(done)) return { modules, why: "" };
  const why = install(folder, packages);
  if (why !== "") return { why };
  writeFileSync(done, "");
  return { modules, why: "" };
}

function installAgent(
  name: string,
  packageName: string,
  program: (modules: string) => string | undefined,
): InstalledAgent {
  const folder = join(agentCache, name);
  const modules = join(folder, "node_modules");
  const found = () => {
    const path = existsSync(modules) ? program(modules) : undefined;
    return path !== undefined && existsSync(path) ? path : undefined;
  };
  const ready = process.env["SPOOR_SKIP_AGENTS"] ? undefined : found();
  if (ready !== undefined) return { program: ready, why: "" };
  const why = install(folder, [`${packageName}@latest`]);
  const installed = why === "" ? found() : undefined;
  return installed === undefined
    ? { why: why || `${packageName} has no program here` }
    : { program: installed, why: "" };
}

/** Why the packages could not be installed; empty when they could. */
function install(folder: string, packages: readonly string[]): string {
  if (process.env["SPOOR_SKIP_AGENTS"]) return "SPOOR_SKIP_AGENTS is set";
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"private":true}\n');
  const npm = spawnSync(
    "npm",
    // Settings of this repository reach npm through the environment; they are not meant for other people's packages.
    [
      "install",
      "--engine-strict=false",
      "--no-audit",
      "--no-fund",
      "--ignore-scripts",
      "--fetch-retries=0",
      ...packages,
    ],
    { cwd: folder, encoding: "utf8", timeout: INSTALL_MS },
  );
  if (npm.status === 0) return "";
  const reason = npm.error?.message ?? npm.stderr?.match(/npm error .*/)?.[0] ?? "no reason given";
  return `npm could not install ${packages.join(", ")}: ${reason}`;
}

export function installCodex(): InstalledAgent {
  return installAgent("codex", "@openai/codex", (modules) => join(modules, ".bin", "codex"));
}

/** Its launcher is put in place by an install script, which is not run; the program itself is in the platform's package. */
export function installClaude(): InstalledAgent {
  return installAgent("claude-code", "@anthropic-ai/claude-code", (modules) => {
    const scope = join(modules, "@anthropic-ai");
    const platform = existsSync(scope)
      ? readdirSync(scope).find((name) => name === `claude-code-${process.platform}-${process.arch}`)
      : undefined;
    return platform === undefined ? undefined : join(scope, platform, "claude");
  });
}

/** GitHub's, which works without an account when it is given a model of one's own. */
export function installCopilot(): InstalledAgent {
  return installAgent("copilot", "@github/copilot", (modules) => join(modules, ".bin", "copilot"));
}
