/** What a rule says about a command line: a program, and what it must not be given. All that is said must hold. */
import { optional, preset } from "../read/field.ts";
import { named } from "../read/json-schema.ts";
import { mapping } from "../read/mapping.ts";
import type { Read } from "../read/shape.ts";
import { type CommandArguments, type CommandOption, readArguments } from "../shell/arguments.ts";
import { isKnown, type ShellCommand, type ShellWord, SOME_NAME, UNKNOWN } from "../shell/command.ts";
import { resolvePath } from "../shell/path.ts";
import { globMatcher } from "../text/glob.ts";
import { anyNames } from "./shapes.ts";

export const commandPattern = named(
  "command",
  mapping(
    "a command",
    {
      program: preset(anyNames, [], "the program, without its folder; globs are fine; absent: any program"),
      subcommand: preset(anyNames, [], "its first operand: push of git push"),
      options: preset(
        anyNames,
        [],
        "one of these is given: -f (also within -uf), --force (also shortened); with a value: -c core.hooksPath=*",
      ),
      operands: preset(anyNames, [], "one of these globs fits an operand: +* of git push origin +main"),
      paths: preset(
        anyNames,
        [],
        "one of these globs fits an operand as a path: /, ~, ~/.ssh/**; .. and . are worked out",
      ),
      writes: preset(anyNames, [], "one of these globs fits a file that the output goes to"),
      variables: preset(anyNames, [], "one of these is set for it: HUSKY=0; globs are fine in the value"),
      fedBy: preset(anyNames, [], "its input comes from one of these programs: curl of curl … | sh"),
      valued: optional(anyNames, "options whose value is the next word, so that it is not taken for an option"),
    },
    { atLeastOne: [["program", "options", "operands", "paths", "writes", "variables", "fedBy"]] },
  ),
);

export type CommandPattern = Read<typeof commandPattern>;

export type CommandMatch =
  | { readonly answer: "no" }
  /** Part of the command is known only when it runs, and may be what the rule speaks of. */
  | { readonly answer: "unknown" }
  /** What it was given: `--force`, `/etc`. */
  | { readonly answer: "yes"; readonly given: readonly string[] };

const NO: CommandMatch = { answer: "no" };
const UNCLEAR: CommandMatch = { answer: "unknown" };

export function matchCommand(pattern: CommandPattern, command: ShellCommand): CommandMatch {
  const program = matchTexts(pattern.program, [command.program]);
  if (program.answer === "no") return NO;
  const args = readArguments(command, pattern.valued ?? []);
  const operands = pattern.subcommand.length === 0 ? args.operands : args.operands.slice(1);
  const answers = [
    program,
    matchSubcommand(pattern.subcommand, args),
    pattern.options.length === 0 ? YES : matchOptions(pattern.options, args),
    pattern.operands.length === 0 ? YES : orUnclear(matchTexts(pattern.operands, textsOf(operands)), args),
    pattern.paths.length === 0 ? YES : orUnclear(matchPaths(pattern.paths, textsOf(operands), command.folder), args),
    pattern.writes.length === 0 ? YES : matchPaths(pattern.writes, command.writes, command.folder),
    pattern.variables.length === 0 ? YES : matchVariables(pattern.variables, command.variables),
    pattern.fedBy.length === 0 ? YES : matchTexts(pattern.fedBy, feeders(command)),
  ];
  if (answers.some(({ answer }) => answer === "no")) return NO;
  if (answers.some(({ answer }) => answer === "unknown")) return UNCLEAR;
  return { answer: "yes", given: answers.slice(2).flatMap((one) => (one.answer === "yes" ? one.given : [])) };
}

const YES: CommandMatch = { answer: "yes", given: [] };

function textsOf(words: readonly ShellWord[]): readonly string[] {
  return words.map(({ text }) => text);
}

/** A word that may be anything may be what is looked for. */
function orUnclear(match: CommandMatch, { unclear }: CommandArguments): CommandMatch {
  return match.answer === "no" && unclear.length > 0 ? UNCLEAR : match;
}

function matchSubcommand(names: readonly string[], { operands, unclear }: CommandArguments): CommandMatch {
  if (names.length === 0) return YES;
  const first = operands[0];
  const match = first === undefined ? NO : matchTexts(names, [first.text]);
  // `git $X push`: whether push is the subcommand depends on what X is.
  return unclear.length > 0 && match.answer === "no" && operands.length < 2 && first === undefined ? UNCLEAR : match;
}

function matchTexts(globs: readonly string[], texts: readonly string[]): CommandMatch {
  if (globs.length === 0) return YES;
  return best(globs, texts, (glob, text) => globMatcher(glob)(text));
}

function matchPaths(globs: readonly string[], texts: readonly string[], folder: string): CommandMatch {
  return best(globs, texts, (glob, text) => globMatcher(glob, { paths: true })(resolvePath(folder, text)));
}

/** With something unknown in a text, it may be empty or some name; at its beginning it may be anything. */
function best(
  globs: readonly string[],
  texts: readonly string[],
  fits: (glob: string, text: string) => boolean,
): CommandMatch {
  let isUnclear = false;
  for (const text of texts) {
    if (isKnown(text)) {
      if (globs.some((glob) => fits(glob, text))) return { answer: "yes", given: [text] };
    } else {
      const guesses = [text.replaceAll(UNKNOWN, ""), text.replaceAll(UNKNOWN, SOME_NAME)];
      isUnclear ||= text.startsWith(UNKNOWN) || globs.some((glob) => guesses.some((guess) => fits(glob, guess)));
    }
  }
  return isUnclear ? UNCLEAR : NO;
}

function matchOptions(wanted: readonly string[], { options, unclear }: CommandArguments): CommandMatch {
  let isUnclear = unclear.length > 0;
  for (const option of options)
    for (const one of wanted) {
      const [name, value] = splitAt(one, " ");
      if (!isCalled(option, name)) continue;
      const match = value === undefined ? YES : matchTexts([value], option.value === undefined ? [] : [option.value]);
      if (match.answer === "yes") return { answer: "yes", given: [name] };
      isUnclear ||= match.answer === "unknown";
    }
  return isUnclear ? UNCLEAR : NO;
}

/** Programs take a long option by its first letters too: `--no-ver` is `--no-verify`. */
function isCalled(option: CommandOption, name: string): boolean {
  if (option.name === name) return true;
  return name.startsWith("--") && option.name.length > 2 && name.startsWith(option.name);
}

function matchVariables(wanted: readonly string[], variables: ShellCommand["variables"]): CommandMatch {
  const texts = [...variables].flatMap(([name, values]) => values.map((value) => `${name}=${value}`));
  return matchTexts(wanted, texts);
}

/** The programs whose output reaches the command, however many stand between. */
function feeders({ fedBy }: ShellCommand): readonly string[] {
  return fedBy.flatMap((command) => [command.program, ...feeders(command)]);
}

function splitAt(text: string, separator: string): readonly [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}
