/**
 * Whether a command runs in Node, so that it can be recorded from within. Only then `NODE_OPTIONS` is set: programs with an
 * older Node inside would not start with it.
 */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { basename, delimiter, join, resolve } from "node:path";

const NODE_PROGRAMS: ReadonlySet<string> = new Set([
  ...["node", "nodejs", "npm", "npx", "pnpm", "pnpx", "yarn", "yarnpkg", "corepack", "tsx", "ts-node", "nodemon"],
]);
/** Coding agents that bring their own runtime; their launchers may be scripts of Node. */
const OTHER_RUNTIME: ReadonlySet<string> = new Set(["codex", "claude"]);

export function isNodeProgram(program: string, cwd: string, path: string | undefined): boolean {
  const name = basename(program).replace(/\.(exe|cmd)$/i, "");
  if (OTHER_RUNTIME.has(name)) return false;
  if (NODE_PROGRAMS.has(name) || /\.[cm]?[jt]sx?$/.test(name)) return true;
  const file = findProgram(program, cwd, path);
  return file !== undefined && /^#!.*\bnode\b/.test(firstLine(file));
}

function findProgram(program: string, cwd: string, path: string | undefined): string | undefined {
  const places = /[\\/]/.test(program)
    ? [resolve(cwd, program)]
    : (path ?? "").split(delimiter).map((folder) => join(folder || cwd, program));
  return places.find(isFile);
}

/** A folder of the path that may not be entered holds nothing for us, as for every shell. */
function isFile(place: string): boolean {
  try {
    return statSync(place).isFile();
  } catch {
    return false;
  }
}

function firstLine(file: string): string {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, "r");
    const head = Buffer.alloc(128);
    return head.toString("latin1", 0, readSync(descriptor, head, 0, head.length, 0)).split("\n")[0]!;
  } catch {
    return "";
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
