/**
 * What a command prints, as far as that matters for the command that is given it: names below a folder, words that are
 * written out, something harmless. All else is unknown.
 */
import { isKnown, type ShellCommand, type ShellWord, SOME_NAME, UNKNOWN } from "./command.ts";

const SILENT: ReadonlySet<string> = new Set([
  "true",
  "false",
  ":",
  "cd",
  "rm",
  "mkdir",
  "touch",
  "[",
  "[[",
  "test",
  "export",
  "set",
]);
const PRINT_NAMES_BELOW: ReadonlySet<string> = new Set(["find", "fd", "ls", "rg", "grep"]);
const PASS_ON: ReadonlySet<string> = new Set(["head", "tail", "sort", "uniq", "tac", "cat", "tee", "grep", "rg"]);
/** A branch, a commit, a date: never an option, never a path out of here. */
const PRINT_A_NAME: ReadonlySet<string> = new Set([
  "date",
  "hostname",
  "whoami",
  "uname",
  "nproc",
  "wc",
  "id",
  "node",
  "npm",
  "uuidgen",
]);
const GIT_NAMES: ReadonlySet<string> = new Set([
  "branch",
  "rev-parse",
  "symbolic-ref",
  "describe",
  "log",
  "ls-files",
  "diff",
  "status",
  "config",
  "remote",
  "merge-base",
  "rev-list",
  "tag",
]);

/** All of whose output anything is known. */
const PRINTS: ReadonlySet<string> = new Set([
  ...["echo", "printf", "pwd", "mktemp", "dirname", "realpath", "readlink", "basename", "git"],
  ...PRINT_A_NAME,
  ...PASS_ON,
  ...PRINT_NAMES_BELOW,
]);

/** Words separated by blanks; `UNKNOWN` stands for all that is not known. */
export function outputOf(command: ShellCommand): string {
  const { program } = command;
  if (SILENT.has(program)) return "";
  if (!PRINTS.has(program)) return UNKNOWN;
  const operands = command.words.map(({ text }) => text).filter((text) => !text.startsWith("-"));
  if (program === "echo")
    return command.words
      .filter(({ text }) => !/^-[neE]+$/.test(text))
      .map(({ text }) => text)
      .join(" ");
  if (program === "printf") return printed(operands);
  if (program === "pwd") return command.folder;
  if (program === "mktemp") return `/tmp/${SOME_NAME}`;
  if (program === "dirname" || program === "realpath" || program === "readlink") return operands[0] ?? UNKNOWN;
  if (program === "basename" || PRINT_A_NAME.has(program)) return SOME_NAME;
  if (program === "git") return GIT_NAMES.has(operands.find((text) => !text.includes("=")) ?? "") ? SOME_NAME : UNKNOWN;
  if (program === "cat" && command.input !== undefined && operands.length === 0) return command.input;
  if (PASS_ON.has(program) && command.fedBy.length > 0) return command.fedBy.map(outputOf).join(" ");
  if (PRINT_NAMES_BELOW.has(program)) return namesBelow(command, operands);
  return UNKNOWN;
}

function printed([format = "", ...rest]: readonly string[]): string {
  const values = rest.length === 0 ? [""] : rest;
  if (!isKnown(format)) return UNKNOWN;
  return values.map((value) => format.replace(/\\n/g, "\n").replace(/%[sb]/g, () => value)).join("");
}

function namesBelow({ program, words }: ShellCommand, operands: readonly string[]): string {
  // `grep -l word folder`: the first operand is what is looked for.
  const isSearch = program === "grep" || program === "rg" || program === "fd";
  if (isSearch && program !== "fd" && !words.some(({ text }) => /^-\w*[lL]|^--files/.test(text))) return UNKNOWN;
  const named = operands.slice(isSearch ? 1 : 0);
  const starts = program === "find" ? findStarts(words) : named.length === 0 ? ["."] : named;
  return starts.map((start) => `${start}/${SOME_NAME}`).join(" ");
}

/** The folders in which `find` begins: what stands before the first condition. */
export function findStarts(words: readonly ShellWord[]): readonly string[] {
  // `find -L / …`: how links are taken is said before the folders, and is no condition yet.
  const begin = words.findIndex(({ text }) => !/^-(?:[HLP]|O\d?|D\w*)$/.test(text));
  const rest = words.slice(Math.max(begin, 0));
  const firstOption = rest.findIndex(({ text }) => /^[-(!]/.test(text));
  const starts = rest.slice(0, firstOption < 0 ? rest.length : firstOption).map(({ text }) => text);
  return starts.length === 0 ? ["."] : starts;
}
