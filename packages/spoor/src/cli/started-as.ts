/** How this program was started, so that the commands it prints can be pasted where it was typed. */
import { basename, dirname, relative, sep } from "node:path";
import { shellWord } from "../document/shell-word.ts";

export interface Start {
  /** The script as Node was given it: `process.argv[1]`. */
  readonly script: string | undefined;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** `npx spoor`, `pnpm exec spoor`, `spoor`, `node packages/spoor/bin/spoor.js`. */
export function startedAs({ script, cwd, env }: Start): string {
  if (script === undefined) return "spoor";
  const project = projectOf(script);
  // One that belongs to a project is not on the path of the shell that reads this; a global one is.
  if (project !== undefined && (isInside(cwd, project) || env["npm_command"] === "exec")) return runnerOf(env);
  if (project !== undefined || !/\.[cm]?js$/.test(basename(script))) return "spoor";
  const near = relative(cwd, script);
  return `node ${shellWord(near.length < script.length ? near : script)}`;
}

/** The folder whose `node_modules` the script stands in; undefined when it stands in none. */
function projectOf(script: string): string | undefined {
  const at = script.lastIndexOf(`${sep}node_modules${sep}`);
  return at < 0 ? undefined : script.slice(0, at);
}

function isInside(folder: string, project: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (at === project) return true;
    if (at === dirname(at)) return false;
  }
}

function runnerOf(env: Start["env"]): string {
  const manager = env["npm_config_user_agent"]?.split("/")[0];
  if (manager === "pnpm") return "pnpm exec spoor";
  if (manager === "yarn") return "yarn spoor";
  return manager === "bun" ? "bunx spoor" : "npx spoor";
}
