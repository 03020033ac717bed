/** What `spoor init` saw in a repository before it proposes anything. */
import type { Trace } from "@spoor/core";
import type { Framework } from "./frameworks.ts";
import type { HookAgent } from "./render-hook.ts";

export interface RepositoryFacts {
  /** `package.json`, `pyproject.toml` or `requirements.txt`; absent when there is none. */
  readonly manifest?: string;
  readonly frameworks: readonly FoundFramework[];
  /** How the agent is started, where the repository says so: `npm start`. */
  readonly start?: string;
  /** How dependencies are installed in CI; absent without a package.json. */
  readonly packageManager?: PackageManager;
  /** True when package.json already has spoor. */
  readonly dependsOnSpoor: boolean;
  readonly ci: CiSystem | undefined;
  /** A name for the agent when no trace names one. */
  readonly projectName: string;
  readonly recordings: Recordings;
  /** The CODEOWNERS file that is there, or where one belongs. */
  readonly codeOwners: string;
  /** Coding agents of which the repository holds settings. */
  readonly codingAgents: readonly HookAgent[];
}

export interface FoundFramework {
  readonly framework: Framework;
  /** `6.0`; absent when the manifest names none. */
  readonly version?: string;
}

export type PackageManager = "npm" | "pnpm" | "yarn" | "bun";

export interface CiSystem {
  readonly name: "GitHub Actions" | "GitLab CI" | "Jenkins" | "CircleCI" | "Azure Pipelines" | "Bitbucket Pipelines";
  readonly path: string;
}

/** Every set of recorded runs that was found, the largest first. */
export interface Recordings {
  readonly groups: readonly TraceGroup[];
  /** Files that look like traces and could not be read. */
  readonly unreadable: readonly string[];
  /** True when there was more than init looks at. */
  readonly cut: boolean;
}

/** Trace files of one folder with one ending. */
export interface TraceGroup {
  readonly folder: string;
  readonly glob: string;
  readonly files: number;
  /** What people call the format: "OpenTelemetry". */
  readonly format: string;
  readonly traces: readonly Trace[];
}
