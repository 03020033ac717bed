/** Looks at a repository without changing anything: what the agent is built with, what was recorded, which CI runs. */
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { readWholeText } from "../load/read-text.ts";
import { findRecordings } from "./find-recordings.ts";
import { frameworks } from "./frameworks.ts";
import { type HookAgent, hookAgents } from "./render-hook.ts";
import type { CiSystem, FoundFramework, PackageManager, RepositoryFacts } from "./repository-facts.ts";

export async function lookAtRepository(root: string): Promise<RepositoryFacts> {
  const manifest = readManifest(root);
  const ci = ciSystems.find(({ path }) => existsSync(join(root, path)));
  return {
    ...(manifest === undefined ? {} : { manifest: manifest.file }),
    frameworks: manifest === undefined ? [] : foundIn(manifest.versions),
    ...startOf(root, manifest),
    ...(manifest?.file === "package.json" ? { packageManager: packageManagerOf(root) } : {}),
    dependsOnSpoor: manifest?.versions.has("spoor") ?? false,
    ci,
    codeOwners: ownerFiles(ci).find((path) => existsSync(join(root, path))) ?? ownerFiles(ci)[0]!,
    projectName: manifest?.name ?? basename(root),
    recordings: await findRecordings(root),
    codingAgents: hookAgents.filter((agent) => agentFiles[agent].some((path) => existsSync(join(root, path)))),
  };
}

/** A script of its own, else a file that is called as agents are. */
function startOf(root: string, manifest: Manifest | undefined): { readonly start?: string } {
  if (manifest?.hasStart) return { start: `${packageManagerOf(root)} start` };
  const [program, endings] =
    manifest === undefined || manifest.file === "package.json" ? ["node", [".mjs", ".js"]] : ["python", [".py"]];
  const names = ["agent", "main", "app"].flatMap((name) => endings.map((ending) => `${name}${ending}`));
  const file = names.find((name) => existsSync(join(root, name)));
  return file === undefined ? {} : { start: `${program} ${file}` };
}

/** What a repository holds in which one of them works. */
const agentFiles: Readonly<Record<HookAgent, readonly string[]>> = {
  claude: [".claude", "CLAUDE.md"],
  codex: [".codex"],
  copilot: [".github/copilot-instructions.md", ".github/copilot", ".github/hooks"],
};

const ciSystems: readonly CiSystem[] = [
  { name: "GitHub Actions", path: ".github/workflows" },
  { name: "GitLab CI", path: ".gitlab-ci.yml" },
  { name: "Jenkins", path: "Jenkinsfile" },
  { name: "CircleCI", path: ".circleci/config.yml" },
  { name: "Azure Pipelines", path: "azure-pipelines.yml" },
  { name: "Bitbucket Pipelines", path: "bitbucket-pipelines.yml" },
];

/** Where GitHub or GitLab looks, in its order. */
function ownerFiles(ci: CiSystem | undefined): readonly string[] {
  if (ci?.name === "GitLab CI") return ["CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"];
  return [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"];
}

interface Manifest {
  readonly file: string;
  readonly name?: string;
  /** Whether a script `start` starts it. */
  readonly hasStart?: boolean;
  /** Dependency → version range; empty when none is given. */
  readonly versions: ReadonlyMap<string, string>;
}

function readManifest(root: string): Manifest | undefined {
  const text = readIfThere(join(root, "package.json"));
  if (text !== undefined) return readPackageJson(text);
  for (const file of ["pyproject.toml", "requirements.txt"]) {
    const python = readIfThere(join(root, file));
    if (python !== undefined) return { file, versions: pythonDependencies(python) };
  }
  return undefined;
}

function readPackageJson(text: string): Manifest {
  const file = "package.json";
  const versions = new Map<string, string>();
  try {
    const manifest = JSON.parse(text) as Record<string, unknown>;
    for (const key of ["dependencies", "devDependencies", "peerDependencies"]) {
      for (const [name, range] of Object.entries(manifest[key] ?? {}))
        if (typeof range === "string") versions.set(name, range);
    }
    const { name, scripts } = manifest;
    return {
      hasStart: typeof scripts === "object" && scripts !== null && "start" in scripts,
      file,
      versions,
      ...(typeof name === "string" && name !== "" ? { name: name.replace(/^@[^/]*\//, "") } : {}),
    };
  } catch {
    // A broken package.json is npm's to complain about; init only looks.
    return { file, versions };
  }
}

/** Names with versions as they stand in requirements.txt and in the lists of pyproject.toml; enough to recognise a framework. */
function pythonDependencies(text: string): Map<string, string> {
  const found = text.matchAll(/(?:^|["'\s])([A-Za-z][\w.-]*)(?:\[[^\]]*\])?\s*(?:[=~><!]=?\s*["']?([\d.]+))?/gm);
  return new Map([...found].map((match) => [match[1]!.toLowerCase().replaceAll("_", "-"), match[2] ?? ""]));
}

function foundIn(versions: ReadonlyMap<string, string>): FoundFramework[] {
  return frameworks
    .filter((framework) => versions.has(framework.package))
    .map((framework) => {
      const version = /\d+(\.\d+)?/.exec(versions.get(framework.package)!)?.[0];
      return { framework, ...(version === undefined ? {} : { version }) };
    });
}

function packageManagerOf(root: string): PackageManager {
  if (existsSync(join(root, "pnpm-lock.yaml"))) return "pnpm";
  if (existsSync(join(root, "yarn.lock"))) return "yarn";
  return existsSync(join(root, "bun.lock")) || existsSync(join(root, "bun.lockb")) ? "bun" : "npm";
}

function readIfThere(file: string): string | undefined {
  try {
    return readWholeText(file);
  } catch {
    return undefined;
  }
}
