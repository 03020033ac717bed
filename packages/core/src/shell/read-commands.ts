/** The commands of a command line that an agent types. */
import type { ShellCommand } from "./command.ts";
import { followScript } from "./follow-script.ts";
import { parseScript } from "./parse-script.ts";
import { readPlainLine } from "./plain-line.ts";
import { ShellSyntaxError } from "./script.ts";

export type ReadCommands =
  | { readonly commands: readonly ShellCommand[]; readonly folders: readonly string[] }
  /** Why it cannot be read: "a single quote is not closed (character 12)". */
  | { readonly problem: string };

/** Longer texts are data, not a command line. */
const MAX_CHARS = 200_000;

/** The latest answer: several rules ask about one call, each in its turn. */
let latest: { readonly text: string; readonly folders: string; readonly answer: ReadCommands } | undefined;

export function readCommands(text: string, folders: readonly string[] = ["."]): ReadCommands {
  const key = folders.join("\n");
  if (latest === undefined || latest.text !== text || latest.folders !== key)
    latest = { text, folders: key, answer: read(text, folders) };
  return latest.answer;
}

function read(text: string, folders: readonly string[]): ReadCommands {
  if (text.length > MAX_CHARS) return { problem: `it has more than ${MAX_CHARS} characters` };
  try {
    return readPlainLine(text, folders) ?? followScript(parseScript(text), folders);
  } catch (error) {
    if (!(error instanceof ShellSyntaxError)) throw error;
    return { problem: `${error.message} (character ${error.at + 1})` };
  }
}
