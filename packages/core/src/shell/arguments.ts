/** The words of a command, sorted: its options with their values, its operands, and words that may be either. */
import { isKnown, type ShellCommand, type ShellWord, UNKNOWN } from "./command.ts";

export interface CommandArguments {
  readonly options: readonly CommandOption[];
  /** The first operand of programs that have subcommands. */
  readonly operands: readonly ShellWord[];
  /** Words that begin with something unknown: each may be an option, an operand or, when it is open, several. */
  readonly unclear: readonly ShellWord[];
}

export interface CommandOption {
  /** `-f`, `--force`; a cluster `-uf` is two, and itself. */
  readonly name: string;
  readonly value?: string;
}

/** Options that take the next word as their value, where taking it for an option would mislead. */
const valued: Readonly<Record<string, readonly string[]>> = {
  git: ["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env"],
  "git commit": [
    ...["-m", "--message", "-F", "--file", "-C", "--reuse-message", "-c", "--reedit-message", "-t", "--template"],
    ...["--author", "--date", "--fixup", "--squash", "--trailer", "--cleanup"],
  ],
  "git push": ["-o", "--push-option", "--repo", "--receive-pack", "--exec"],
  "git tag": ["-m", "--message", "-F", "--file", "-u", "--local-user"],
  "git merge": ["-m", "--message", "-F", "--file", "-s", "--strategy", "-X", "--strategy-option"],
};

/** `subcommand` is the first operand: the options before it are the program's own, those behind it the subcommand's. */
export function readArguments(command: ShellCommand, more: readonly string[] = []): CommandArguments {
  const { program, words } = command;
  const options: CommandOption[] = [];
  const operands: ShellWord[] = [];
  const unclear: ShellWord[] = [];
  let takesValue = [...(valued[program] ?? []), ...more];
  let isBehindOptions = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const next = words[at + 1]?.text;
    if (isBehindOptions) operands.push(word);
    else if (word.text === "--") isBehindOptions = true;
    else if (word.text.startsWith(UNKNOWN)) unclear.push(word);
    else if (!word.text.startsWith("-") || word.text === "-") {
      if (operands.length === 0) takesValue = [...(valued[`${program} ${word.text}`] ?? takesValue), ...more];
      operands.push(word);
    } else if (readOption(word.text, next, takesValue, options)) at++;
    if (!isKnown(word.text) && word.isOpen && !word.text.startsWith(UNKNOWN)) unclear.push(word);
  }
  return { options, operands, unclear };
}

/** True when the next word is its value. */
function readOption(
  text: string,
  next: string | undefined,
  takesValue: readonly string[],
  into: CommandOption[],
): boolean {
  const equals = text.indexOf("=");
  if (equals > 0) into.push({ name: text.slice(0, equals), value: text.slice(equals + 1) });
  else if (takesValue.includes(text)) {
    into.push({ name: text, ...(next === undefined ? {} : { value: next }) });
    return true;
  } else into.push({ name: text });
  return text.startsWith("--") ? false : readCluster(text, next, takesValue, into);
}

/** `-uf` is `-u` and `-f`; what follows a letter that takes a value is that value. */
function readCluster(
  text: string,
  next: string | undefined,
  takesValue: readonly string[],
  into: CommandOption[],
): boolean {
  for (let at = 1; at < text.length; at++) {
    const name = `-${text[at]}`;
    if (!/^-[A-Za-z0-9]$/.test(name)) return false;
    if (!takesValue.includes(name)) {
      into.push({ name });
      continue;
    }
    const rest = text.slice(at + 1);
    const value = rest === "" ? next : rest;
    into.push({ name, ...(value === undefined ? {} : { value }) });
    return rest === "";
  }
  return false;
}
