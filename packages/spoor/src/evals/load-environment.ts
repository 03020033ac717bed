/** The environment of a run: what is set, and below it the `.env` files from the project's root down to the eval file. */
import { join } from "node:path";
import { readWholeText } from "../load/read-text.ts";
import { requireUnchangedIfTracked } from "../load/trust/trust.ts";
import type { Environment } from "./interpolate.ts";
import { foldersUpTo } from "./project-root.ts";

/** Nearer files win over farther ones; nothing overrides what is already set. */
export function loadEnvironment(env: Environment, folder: string, root: string): Environment {
  const merged: Record<string, string | undefined> = {};
  for (const path of foldersUpTo(folder, root).reverse())
    Object.assign(merged, parseEnvFile(readEnvFile(join(path, ".env"))));
  return { ...merged, ...env };
}

/** A variable decides as much as a command: which program is found, where a key is sent. */
function readEnvFile(file: string): string {
  const text = readIfThere(file);
  if (text !== "") requireUnchangedIfTracked(file, "variables of the environment");
  return text;
}

function readIfThere(file: string): string {
  try {
    return readWholeText(file);
  } catch {
    return "";
  }
}

/** `NAME=value` lines; quotes around a value are not part of it, `#` begins a comment. */
export function parseEnvFile(text: string): Record<string, string> {
  const values: Record<string, string> = {};
  for (const line of text.split(/\r?\n/)) {
    const match = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$/.exec(line);
    if (match === null) continue;
    const raw = match[2]!.trim();
    const quoted = /^(["'])(.*)\1\s*(?:#.*)?$/.exec(raw);
    values[match[1]!] =
      quoted === null
        ? raw.replace(/\s+#.*$/, "")
        : quoted[1] === '"'
          ? quoted[2]!.replaceAll("\\n", "\n")
          : quoted[2]!;
  }
  return values;
}
