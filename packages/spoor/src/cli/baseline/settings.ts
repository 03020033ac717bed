/** What the subcommands of `spoor baseline` share: the store, the mode, who is asking, and the options that say so. */
import { execFileSync } from "node:child_process";
import type { Baseline, Decision, Producer } from "@spoor/core/internal/fingerprint/baseline";
import { chooseMode, type FingerprintMode, fingerprintModes } from "@spoor/core/internal/fingerprint/mode";
import type { ModelAliases } from "@spoor/core/internal/fingerprint/segments";
import { configPaths, resolveConfigPath } from "../../config/config-paths.ts";
import { type BaselineStore, createFileStore } from "../../store/baseline-store.ts";
import { version } from "../../tool-info.ts";
import type { ArgsOf, CommonValues } from "../command.ts";
import type { Io } from "../io.ts";
import { option, usageError } from "../option.ts";
import { findProject } from "../project.ts";

/** Which baselines are meant. */
export const storeOptions = {
  baseline: option.path("folder of baselines, or one baseline file (default baselines)", "PATH"),
  agent: option.text("only this agent; runs that name none count as its own", "NAME"),
} as const;

/** How runs are compared with them. */
export const runOptions = {
  ...storeOptions,
  mode: option.choice(fingerprintModes, undefined, "sequence: order counts; structural: only the set of steps"),
} as const;

/** Who answers for a change. */
export const decisionOptions = {
  by: option.text("who decides (default: the git user)", "NAME"),
  why: option.text("why it was decided", "TEXT"),
} as const;

interface Project {
  readonly project: ProjectSettings;
}
export type StoreArgs = ArgsOf<readonly [], typeof storeOptions> & Project;
export type RunArgs = ArgsOf<readonly [], typeof runOptions> & Project;
type DecisionArgs = Pick<ArgsOf<readonly [], typeof decisionOptions>, "by" | "why">;

/** The arguments, with what the project's configuration adds to them. */
export async function withProject<A extends CommonValues>(args: A, io: Io): Promise<A & Project> {
  return { ...args, project: await loadProjectSettings(args, io) };
}

/** What the project's configuration says about fingerprints; empty when there is none. */
export interface ProjectSettings {
  readonly baseline?: string;
  readonly mode?: FingerprintMode;
  readonly modelAliases?: ModelAliases;
  /** Where the runs are that the gate judges, and the file that says so. */
  readonly judged?: { readonly paths: readonly string[]; readonly config: string };
}

/** A configuration is read when one is named, or found from the working folder upwards. */
export async function loadProjectSettings(args: CommonValues, io: Io): Promise<ProjectSettings> {
  const loaded = await findProject(args, io);
  if (loaded === undefined) return {};
  const { baseline } = loaded.config;
  const judged = { judged: { paths: configPaths(loaded, "traces", io.cwd), config: loaded.file } };
  if (baseline === undefined) return judged;
  return {
    ...judged,
    baseline: resolveConfigPath(loaded, baseline.file, io.cwd),
    ...(baseline.mode === undefined ? {} : { mode: baseline.mode }),
    ...(baseline.modelAliases === undefined ? {} : { modelAliases: baseline.modelAliases }),
  };
}

const DEFAULT_FOLDER = "baselines";

export function baselinePath(args: StoreArgs): string {
  return args.baseline ?? args.project.baseline ?? DEFAULT_FOLDER;
}

export function storeOf(args: StoreArgs): BaselineStore {
  return createFileStore(baselinePath(args), { toolVersion: version });
}

/** Without a flag or variable the mode of the baseline file counts, so that a comparison needs no option. */
export function modeOf(args: RunArgs, io: Io, baseline?: Baseline): FingerprintMode {
  return chooseMode({ flag: args.mode, environment: io.env, config: baseline?.mode ?? args.project.mode });
}

export function producerOf(): Producer {
  return { tool: "spoor", version, runner: `node ${process.versions.node.split(".").slice(0, 2).join(".")}` };
}

/** Who, when and why. The reason is required where a person takes responsibility. */
export function decisionOf(args: DecisionArgs, io: Io, fallbackWhy?: string): Decision {
  const why = args.why ?? fallbackWhy;
  if (why === undefined || why.trim() === "") {
    throw usageError(
      "--why is missing: the next reader of the baseline will want to know.",
      'For example --why "new refund flow, #123"',
    );
  }
  return { by: args.by ?? userName(io), why, at: io.now().toISOString() };
}

export function userName(io: Io): string {
  try {
    const name = execFileSync("git", ["config", "user.name"], {
      cwd: io.cwd,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
    if (name !== "") return name;
  } catch {
    // No git, or no name in it: the login name is the next best thing.
  }
  return io.env["USER"] ?? io.env["USERNAME"] ?? "unknown";
}
