/** A git repository at a commit, inside a workspace. Never asks for a password, and shares no file with a local source. */
import { dirname, relative, resolve, sep } from "node:path";
import { makeFolder } from "../load/make-folder.ts";
import type { RepoConfig } from "./eval-suite.ts";
import type { Environment } from "./interpolate.ts";
import { ProviderError } from "./providers/provider.ts";
import { processFailure, runProcess } from "./run-process.ts";

export async function cloneRepo(
  { source, commit, path }: RepoConfig,
  folder: string,
  context: { readonly env: Environment; readonly signal: AbortSignal },
): Promise<void> {
  const place = resolve(folder, path);
  const inside = relative(folder, place);
  if (inside === ".." || inside.startsWith(`..${sep}`))
    throw new ProviderError("workspace", `the repository's path "${path}" leads out of the workspace`);
  await makeFolder(dirname(place));
  await git(["clone", "--quiet", "--no-hardlinks", "--no-checkout", "--", source, place], dirname(place));
  await git(["checkout", "--quiet", "--detach", commit ?? "HEAD", "--"], place);

  async function git(words: readonly string[], cwd: string): Promise<void> {
    const env = { ...context.env, GIT_TERMINAL_PROMPT: "0" };
    const failure = processFailure(await runProcess(["git", ...words], { cwd, env, signal: context.signal }));
    if (failure !== undefined)
      throw new ProviderError(
        "workspace",
        `${source}${commit === undefined ? "" : ` at ${commit}`}: ${failure.message}`,
      );
  }
}
