/**
 * A line of plain words that runs one program and nothing else: most of what agents type. There is nothing in it to be worked out,
 * so that it is read in a fraction of the time that following a script takes; a guard reads one before every command.
 */
import { knownWord, type ShellCommand } from "./command.ts";
import { doesMoreThanRun, type Followed } from "./follow-script.ts";
import { isKeyword } from "./parse-script.ts";

/** No character of these means anything but itself, wherever it stands; `=` in the first word would set a variable. */
const PLAIN = /^[\w./+@%,:-]+(?: [\w./+@%,:=-]+)*$/;

const NO_VARIABLES: ShellCommand["variables"] = new Map();
const NONE: readonly never[] = [];

/** Undefined for every other line. */
export function readPlainLine(text: string, folders: readonly string[]): Followed | undefined {
  if (!PLAIN.test(text)) return undefined;
  const [first, ...rest] = text.split(" ");
  const program = first!.slice(first!.lastIndexOf("/") + 1);
  if (isKeyword(first!) || doesMoreThanRun(program)) return undefined;
  const words = rest.map(knownWord);
  const commands = folders.map(
    (folder): ShellCommand => ({ program, words, variables: NO_VARIABLES, writes: NONE, folder, fedBy: NONE }),
  );
  return { commands, folders };
}
