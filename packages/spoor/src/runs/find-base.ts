/**
 * The agent of another checkout: where it is started and how. Its own configuration says how, where it has one that does; scenarios, repeats
 * and limits are always this project's, or the two sides would not be given the same tasks.
 */
import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import type { Config } from "../config/config.ts";
import { requireKnownRun } from "../config/known-run.ts";
import { configNames, type LoadedConfig, loadConfig } from "../config/load-config.ts";

type RunConfig = NonNullable<Config["run"]>;

export interface BaseAgent {
  readonly cwd: string;
  readonly command: RunConfig["command"];
  readonly env: Readonly<Record<string, string>>;
}

/** `folder` as it was typed, seen from `cwd`. */
export async function findBase(folder: string, loaded: LoadedConfig, run: RunConfig, cwd: string): Promise<BaseAgent> {
  const root = requireFolder(folder, cwd);
  const place = placeOf(root, loaded.folder);
  if (realpathSync(place) === realpathSync(loaded.folder))
    throw noBase(folder, "is this project itself: the agent would be compared with itself");
  const name = configNames.find((one) => existsSync(join(place, one)));
  const other = name === undefined ? undefined : await loadConfig(join(place, name), cwd);
  const own = other?.config.run;
  if (own !== undefined) requireKnownRun(other!);
  const { command, env = {} } = own ?? run;
  return { cwd: place, command, env };
}

function requireFolder(folder: string, cwd: string): string {
  const full = resolve(cwd, folder);
  const facts = statSync(full, { throwIfNoEntry: false });
  if (facts === undefined) throw noBase(folder, "does not exist");
  if (!facts.isDirectory()) throw noBase(folder, "is no folder");
  if (readdirSync(full).every((name) => name === ".git")) throw noBase(folder, "is empty");
  return full;
}

/** A project inside its repository stands at the same place in the other checkout. */
function placeOf(root: string, project: string): string {
  const inside = relative(repositoryOf(project), project);
  const same = join(root, inside);
  return inside !== "" && statSync(same, { throwIfNoEntry: false })?.isDirectory() === true ? same : root;
}

function repositoryOf(project: string): string {
  for (let folder = project; folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, ".git"))) return folder;
  return project;
}

function noBase(folder: string, what: string): SpoorError {
  return new SpoorError("run.no-base", `--base ${folder} ${what}.`, {
    consequence: "Nothing was run.",
    hint: "Name a checkout of the commit to compare with: git worktree add ../base origin/main",
  });
}
