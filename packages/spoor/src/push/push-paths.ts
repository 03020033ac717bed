/** What a command line names → the service, without the secrets that its environment knows. */
import { createRedaction } from "@spoor/core/internal/redact/redaction";
import { environmentSecrets } from "@spoor/record/internal/node/environment-secrets";
import { withoutCompanions } from "../load/claude-companions.ts";
import type { Destination, SendOptions } from "./ask-service.ts";
import type { Environment } from "./destination.ts";
import { type PushResult, pushFiles } from "./push-files.ts";
import { pushNames } from "./push-names.ts";

export interface PushPathsOptions extends SendOptions {
  readonly cwd: string;
  readonly env: Environment;
  /** What is said of every recording: agent, release, scenario. */
  readonly about: Readonly<Record<string, string>>;
}

export interface PushedPaths extends PushResult {
  /** How many files were meant. */
  readonly total: number;
}

export async function pushPaths(
  paths: readonly string[],
  destination: Destination,
  { cwd, env, about, ...send }: PushPathsOptions,
): Promise<PushedPaths> {
  const names = pushNames(paths, cwd);
  const files = withoutCompanions([...names.keys()]);
  const known = environmentSecrets(env);
  if (destination.token !== undefined) known.set(destination.token, "SPOOR_TOKEN");
  const result = await pushFiles(files, destination, {
    about,
    nameOf: (file) => names.get(file) ?? file,
    redaction: createRedaction({ personal: false, known }),
    ...send,
  });
  return { ...result, total: files.length };
}
