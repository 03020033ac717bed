/** What is met: each file of each command exchanged for something else, and some commands in each world. */
import { type CommandCase, commandCases } from "./commands.ts";
import { forbiddenFiles, type OddFile, oddInputs, oddOutputs } from "./odd-files.ts";
import { type World, worlds } from "./worlds.ts";

/** A command, one of whose paths is something else. */
export interface OddEncounter {
  readonly name: string;
  readonly command: CommandCase;
  readonly path: string;
  readonly file: OddFile;
}

export interface WorldEncounter {
  readonly name: string;
  readonly command: CommandCase;
  readonly world: World;
}

/** `scratch` holds what is large and only linked to. As nobody in particular only what is forbidden is met. */
export function oddEncounters(scratch: string, isNobody: boolean): readonly OddEncounter[] {
  const [inputs, outputs, forbidden] = [oddInputs(scratch), oddOutputs(), forbiddenFiles()];
  return commandCases.flatMap((command) => {
    const { reads, writes = [], words } = command;
    const meet = (paths: readonly string[], files: readonly OddFile[]) =>
      paths.flatMap((path) =>
        files
          .filter((file) => !file.isLarge || isFirstReader(command, path))
          .map((file) => ({ name: `spoor ${words.join(" ")}: ${path} is ${file.name}`, command, path, file })),
      );
    return isNobody
      ? meet([...new Set([...reads, ...writes])], forbidden)
      : [...meet(reads, inputs), ...meet(writes, outputs)];
  });
}

const READERS: ReadonlySet<string> = new Set(["show", "verify", "convert", "cohort", "push", "mcp"]);

/** Below the commands there is one reader for each kind of file: what is large is shown to it once, and recordings to all who read them their own way. */
function isFirstReader(command: CommandCase, path: string): boolean {
  return READERS.has(command.command) || commandCases.find(({ reads }) => reads.includes(path)) === command;
}

/** One of each way to read, to write, to start and to answer. */
const WORLDLY: ReadonlySet<string> = new Set([
  ...["init", "record", "gate", "show", "check", "eval", "baseline", "hook", "convert", "mcp", "serve", "doctor"],
  ...["report", "verify", "formats"],
]);

export function worldEncounters(all = false): readonly WorldEncounter[] {
  const seen = new Set<string>();
  const chosen = commandCases.filter(({ command }) => {
    const isFirst = !seen.has(command);
    seen.add(command);
    return all || (isFirst && WORLDLY.has(command));
  });
  return worlds.flatMap((world) =>
    chosen.map((command) => ({ name: `spoor ${command.words.join(" ")}: ${world.name}`, command, world })),
  );
}
