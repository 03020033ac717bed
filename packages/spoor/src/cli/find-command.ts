/** Words → the command they name, and the words that are left for it. A wrong name is answered with the nearest right one. */
import { nearest } from "@spoor/core/internal/text/nearest";
import { type Command, type CommandEntry, loadCommand } from "./command.ts";
import { commands } from "./commands.ts";
import { usageError } from "./option.ts";

export interface FoundCommand {
  readonly command: Command;
  readonly rest: readonly string[];
}

export async function findCommand(words: readonly string[]): Promise<FoundCommand> {
  const [name = "", ...rest] = words;
  const entry = commands.find((known) => known.name === name);
  if (entry === undefined) throw unknownName("spoor", "command", name, commands);
  return findSubcommand(await loadCommand(entry), rest);
}

async function findSubcommand(command: Command, words: readonly string[]): Promise<FoundCommand> {
  const [word, ...rest] = words;
  const { subcommands = [] } = command;
  const entry = subcommands.find((known) => known.name === word);
  if (entry !== undefined) return findSubcommand(await loadCommand(entry, command.name), rest);
  const isGroup = command.run === undefined;
  if (!isGroup || word === undefined || isHelp(word)) return { command, rest: words };
  throw unknownName(`spoor ${command.name}`, "subcommand", word, subcommands);
}

export function isHelp(word: string): boolean {
  return word === "--help" || word === "-h";
}

function unknownName(owner: string, kind: string, word: string, known: readonly CommandEntry[]): Error {
  const names = known.map((entry) => entry.name);
  const close = nearest(word, names);
  const all = kind === "command" ? "All commands: spoor --help" : `It has ${names.join(", ")}; more: ${owner} --help`;
  return usageError(
    `${owner} has no ${kind} "${word}".`,
    close === undefined ? all : `Did you mean ${owner} ${close}? ${all}`,
  );
}
