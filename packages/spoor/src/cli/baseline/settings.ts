/** What every action of `spoor baseline` needs to know: the store, the mode, who is asking. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Baseline, Decision, Producer } from "@spoor/core/fingerprint/baseline";
import { chooseMode, type FingerprintMode, fingerprintModes } from "@spoor/core/fingerprint/mode";
import type { ModelAliases } from "@spoor/core/fingerprint/segments";
import { baselineGates } from "@spoor/core/fingerprint/verdict";
import { configNames, loadConfig, resolveConfigPath } from "../../config/load-config.ts";
import { type BaselineStore, createFileStore } from "../../store/baseline-store.ts";
import type { ArgsOf } from "../command.ts";
import type { Io } from "../io.ts";
import { option, usageError } from "../option.ts";
import { version } from "../version.ts";

export const baselineOptions = {
  baseline: option.path("folder of baselines, or one baseline file (default baselines)", "PATH"),
  agent: option.text("only this agent; runs that name none count as its own", "NAME"),
  mode: option.choice(fingerprintModes, undefined, "sequence: order counts; structural: only the set of steps"),
  failOn: option.choice(
    baselineGates,
    "tools",
    "compare: what blocks (tools: new or lost tools and fields; new: any unknown path)",
  ),
  policy: option.path("compare: also check this drift policy (YAML)"),
  block: option.choice(["yes", "no"], undefined, "compare: whether findings block; beats block_merges of the policy"),
  update: option.flag("build: add the runs to an existing baseline"),
  replace: option.flag("build: start anew, keeping the old one in the history"),
  window: option.optionalInteger("build: runs kept per behaviour (default 10)", { min: 1, max: 100 }),
  minRuns: option.integer(0, "build: leave out behaviours seen in fewer runs", { min: 0 }),
  maxErrorRate: option.number(1, "build: leave out behaviours with more failed steps (share)", { min: 0, max: 1 }),
  maxLatencyVariation: option.optionalNumber(
    "build: leave out behaviours whose times vary more (deviation over mean)",
    { min: 0 },
  ),
  of: option.text("approve: the behaviour it is a variant of (hash or name)", "BEHAVIOUR"),
  own: option.flag("approve: a behaviour of its own, not a variant"),
  by: option.text("who decides (default: the git user)", "NAME"),
  why: option.text("why it was decided", "TEXT"),
  to: option.optionalInteger("rollback: the generation to go back to (default: the last kept)", { min: 0 }),
} as const;

/** The arguments, with what the project's configuration adds to them. */
export type BaselineArgs = ArgsOf<readonly ["action", "[paths...]"], typeof baselineOptions> & {
  readonly project: ProjectSettings;
};

/** What the project's configuration says about fingerprints; empty when there is none. */
export interface ProjectSettings {
  readonly baseline?: string;
  readonly mode?: FingerprintMode;
  readonly modelAliases?: ModelAliases;
}

/** A configuration is read when one is named or stands in the working folder. */
export async function loadProjectSettings(config: string | undefined, io: Io): Promise<ProjectSettings> {
  if (config === undefined && !configNames.some((name) => existsSync(join(io.cwd, name)))) return {};
  const loaded = await loadConfig(config, io.cwd);
  const { baseline } = loaded.config;
  if (baseline === undefined) return {};
  return {
    baseline: resolveConfigPath(loaded, baseline.file, io.cwd),
    ...(baseline.mode === undefined ? {} : { mode: baseline.mode }),
    ...(baseline.modelAliases === undefined ? {} : { modelAliases: baseline.modelAliases }),
  };
}

const DEFAULT_FOLDER = "baselines";

export function baselinePath(args: BaselineArgs): string {
  return args.baseline ?? args.project.baseline ?? DEFAULT_FOLDER;
}

export function storeOf(args: BaselineArgs): BaselineStore {
  return createFileStore(baselinePath(args), { toolVersion: version });
}

/** Without a flag or variable the mode of the baseline file counts, so that a comparison needs no option. */
export function modeOf(args: BaselineArgs, io: Io, baseline?: Baseline): FingerprintMode {
  return chooseMode({ flag: args.mode, environment: io.env, config: baseline?.mode ?? args.project.mode });
}

export function producerOf(): Producer {
  return { tool: "spoor", version, runner: `node ${process.versions.node.split(".").slice(0, 2).join(".")}` };
}

/** Who, when and why. The reason is required where a person takes responsibility. */
export function decisionOf(args: BaselineArgs, io: Io, fallbackWhy?: string): Decision {
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
