/**
 * Whether a command line would change what the hook rests on: files that output goes to, and what is named to a program that
 * does more than look. Of a program that is not known to only look, naming such a file is enough; of code in another
 * language, that it speaks of one.
 */
import { isKnown, type ShellCommand, SOME_NAME } from "@spoor/core/internal/shell/command";
import { resolvePath } from "@spoor/core/internal/shell/path";
import { readCommands } from "@spoor/core/internal/shell/read-commands";
import { isGlob } from "@spoor/core/internal/text/glob";
import type { OwnFiles } from "./own-files.ts";

const LOOKS: ReadonlySet<string> = new Set(
  (
    "cat less more head tail bat grep egrep fgrep rg ag ls tree stat file wc du df diff cmp md5sum sha1sum sha256sum cksum jq " +
    "sort uniq cut tr xxd od hexdump strings basename dirname realpath readlink which type test [ [[ cd pushd popd pwd echo " +
    "printf true false : export set spoor mkdir"
  ).split(" "),
);
/** What they run is judged by itself. */
const STARTS: ReadonlySet<string> = new Set(
  "sudo doas env xargs nohup nice ionice time timeout command exec builtin eval bash sh zsh dash ksh stdbuf setsid".split(
    " ",
  ),
);
const STARTS_PACKAGES: ReadonlySet<string> = new Set(["npx", "pnpm", "yarn", "bunx", "npm"]);
const GIT_CHANGES: ReadonlySet<string> = new Set([
  "checkout",
  "restore",
  "rm",
  "mv",
  "clean",
  "reset",
  "apply",
  "switch",
]);
/** They take what they are given away, a folder with all that is in it. */
const REMOVES: ReadonlySet<string> = new Set(["rm", "mv", "rmdir", "unlink", "shred", "trash", "ln", "rsync", "git"]);
const RUNS_CODE =
  /^(python|pypy|node|deno|bun|perl|ruby|php|lua|awk|gawk|mawk|sed|gsed|ed|ex|vi|vim|nvim|emacs|osascript)[\d.]*$/;

/** The protected file that would be touched; undefined when none is. */
export function touchedByScript(text: string, folder: string, own: OwnFiles): string | undefined {
  const read = readCommands(text, [folder]);
  if ("problem" in read) return own.namedIn(text);
  for (const command of read.commands) {
    const touched = touchedBy(command, own);
    if (touched !== undefined) return touched;
  }
  return undefined;
}

function touchedBy(command: ShellCommand, own: OwnFiles): string | undefined {
  for (const path of command.writes) {
    const found = isKnown(path) ? own.of(path) : undefined;
    if (found !== undefined) return found;
  }
  if (isLooking(command)) return undefined;
  if (RUNS_CODE.test(command.program)) {
    const code = [...command.words.map(({ text }) => text), command.input ?? ""].join("\n");
    return own.namedIn(code);
  }
  for (const path of pathsOf(command)) {
    const found = touchedPath(path, REMOVES.has(command.program), own);
    if (found !== undefined) return found;
  }
  return undefined;
}

function touchedPath(path: string, removes: boolean, own: OwnFiles): string | undefined {
  // Something that another command finds in a folder.
  if (path.includes(SOME_NAME)) return own.of(path.replace(SOME_NAME, "settings.json"));
  if (isGlob(path)) return own.matching(path, removes);
  return own.of(path) ?? (removes ? own.within(path) : undefined);
}

function isLooking({ program, words }: ShellCommand): boolean {
  const given = words.map(({ text }) => text);
  if (STARTS_PACKAGES.has(program)) return given.find((word) => !/^(-|exec$|run$|dlx$)/.test(word)) === "spoor";
  if (program === "git") return !given.some((word) => GIT_CHANGES.has(word));
  if (program === "find" || program === "fd") return !given.some((word) => /^-(delete|fprint|fls|exec|ok)/.test(word));
  if (program === "yq") return !given.some((word) => /^(-i|--inplace|--in-place)/.test(word));
  return LOOKS.has(program) || STARTS.has(program);
}

/** Operands, and values of options and of `of=…`, as paths from where the script began. */
function pathsOf({ program, words, folder }: ShellCommand): string[] {
  const operands = words.map(({ text }) => text).filter((text) => isKnown(text) && text !== "");
  // What is copied is only read.
  const into = program === "cp" || program === "install" ? operands.slice(-1) : operands;
  return into
    .flatMap((text) => [text, ...(text.includes("=") ? [text.slice(text.indexOf("=") + 1)] : [])])
    .filter((text) => text !== "" && !text.includes("\n"))
    .map((text) => resolvePath(folder, text));
}
