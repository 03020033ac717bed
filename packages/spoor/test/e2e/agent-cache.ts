/**
 * The two coding agents themselves, installed on demand into a cache folder outside of the repository (SPOOR_AGENT_CACHE, or
 * a folder for temporary files). They are never dependencies; where they cannot be installed, their tests say so and skip.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const cache = process.env["SPOOR_AGENT_CACHE"] ?? join(tmpdir(), "spoor-agent-cache");
const INSTALL_MS = 180_000;

export interface InstalledAgent {
  /** Absent when it could not be installed. */
  readonly program?: string;
  readonly why: string;
}

function installAgent(
  name: string,
  packageName: string,
  program: (modules: string) => string | undefined,
): InstalledAgent {
  if (process.env["SPOOR_SKIP_AGENTS"]) return { why: "SPOOR_SKIP_AGENTS is set" };
  const folder = join(cache, name);
  const modules = join(folder, "node_modules");
  const found = () => {
    const path = existsSync(modules) ? program(modules) : undefined;
    return path !== undefined && existsSync(path) ? path : undefined;
  };
  const ready = found();
  if (ready !== undefined) return { program: ready, why: "" };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"private":true}\n');
  const npm = spawnSync(
    "npm",
    ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=0", `${packageName}@latest`],
    {
      cwd: folder,
      encoding: "utf8",
      timeout: INSTALL_MS,
    },
  );
  const installed = found();
  return installed === undefined
    ? {
        why: `npm could not install ${packageName}: ${npm.error?.message ?? npm.stderr?.trim().split("\n").at(-1) ?? "no reason given"}`,
      }
    : { program: installed, why: "" };
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
