/** Tool calls in which coding agents type commands: the same thing under a dozen names. */
import { isObject, type Json, member } from "../trace/json.ts";

export interface ShellCall {
  /** The script; undefined when it is not where such a call has it, or has no readable shape. */
  readonly text: string | undefined;
  /** The folder that the call itself names. */
  readonly folder?: string;
}

/** Names by which agents call their shell. */
export const shellTools: readonly string[] = [
  "Bash",
  "bash",
  "shell",
  "shell_command",
  "local_shell",
  "local_shell_call",
  "exec_command",
  "unified_exec",
  "write_stdin",
  "container.exec",
  "run_shell_command",
  "run_terminal_cmd",
  "run_terminal_command",
  "run_in_terminal",
  "runInTerminal",
  "execute_command",
  "execute_bash",
  "developer__shell",
  "terminal",
  "powershell",
  "PowerShell",
];

const COMMAND_KEYS = ["command", "cmd", "script", "chars"];
const FOLDER_KEYS = ["workdir", "working_directory", "cwd"];

/** The script of a call; `[bash, -lc, script]` and other lists of words are put together. */
export function readShellCall(name: string, input: Json | undefined): ShellCall {
  // Another language, of which nothing here understands a word.
  if (/^powershell$/i.test(name)) return { text: undefined };
  const holder = isObject(member(input, "action")) ? member(input, "action") : input;
  const folder = FOLDER_KEYS.map((key) => member(holder, key)).find((value) => typeof value === "string");
  const command = typeof holder === "string" ? holder : COMMAND_KEYS.map((key) => member(holder, key)).find(isPresent);
  return { text: scriptOf(command), ...(typeof folder === "string" ? { folder } : {}) };
}

function isPresent(value: Json | undefined): value is Json {
  return value !== undefined && value !== null;
}

function scriptOf(command: Json | undefined): string | undefined {
  if (typeof command === "string") return command;
  if (!Array.isArray(command) || !command.every((word) => typeof word === "string")) return undefined;
  return command.map(quoted).join(" ");
}

/** A word that a shell reads as itself. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
