/** The tools that names in a policy are compared with: from the command line, else from the configuration that names the policy. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import { collectTools, type KnownTools } from "@spoor/core/internal/policy/review/known-tools";
import { isGlob } from "@spoor/core/internal/text/glob";
import { configPaths } from "../config/config-paths.ts";
import { loadTools } from "../load/load-tools.ts";
import { loadTraces } from "../load/load-traces.ts";
import type { CommonValues } from "./command.ts";
import type { Io } from "./io.ts";
import { loadOptions } from "./load-options.ts";
import { findProject } from "./project.ts";

interface ToolArgs extends CommonValues {
  readonly policy: string;
  readonly traces: readonly string[];
  readonly tools: readonly string[];
}

export interface ComparedTools {
  readonly known: KnownTools | undefined;
  /** The traces and lists they come from. */
  readonly paths: readonly string[];
}

export async function loadKnownTools(args: ToolArgs, io: Io): Promise<ComparedTools> {
  const definitions = args.tools.flatMap((file) => loadTools(file, io.cwd));
  const named = args.traces.length > 0 || args.tools.length > 0;
  const paths = named ? args.traces : await configuredPaths(args, io);
  const files = paths.map((path) => (path === "-" ? path : resolve(io.cwd, path)));
  const traces = files.length === 0 ? [] : await loadTraces(files, loadOptions(args, io));
  return { known: collectTools({ traces, definitions }), paths: [...paths, ...args.tools] };
}

/** Without being told, only a configuration that applies this very policy says which agent it is for. */
async function configuredPaths(args: ToolArgs, io: Io): Promise<readonly string[]> {
  const loaded = await findProject(args, io);
  if (loaded === undefined) return [];
  const { policyPaths } = await import("../config/configured-policy.ts");
  const applies = policyPaths(loaded, io.cwd).some((file) => sameFile(file, args.policy, io.cwd));
  if (args.config === undefined && !applies) return [];
  const paths = [...configPaths(loaded, "traces", io.cwd), ...configPaths(loaded, "diff.baseline", io.cwd)];
  const there = paths.filter((path) => isGlob(path) || existsSync(resolve(io.cwd, path)));
  if (there.length === 0 && args.config !== undefined)
    throw new SpoorError("input.missing", `${loaded.file} names traces that do not exist: ${paths.join(", ")}.`, {
      at: { file: loaded.file },
      consequence: "Nothing was tested.",
    });
  return there;
}

function sameFile(left: string, right: string, cwd: string): boolean {
  return left === right || resolve(cwd, left) === resolve(cwd, right);
}
