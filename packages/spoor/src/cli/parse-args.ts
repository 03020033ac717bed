/** Words of a command line → typed arguments. Every mistake is named, with the nearest correct spelling. */
import { nearest } from "@spoor/core/internal/text/nearest";
import { type Command, commonOptions } from "./command.ts";
import { type Option, usageError } from "./option.ts";

type Options = Readonly<Record<string, Option<unknown>>>;

/** camelCase → kebab-case, as options are typed. */
export function optionName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

export function parseArgs(command: Command, words: readonly string[]): Record<string, unknown> {
  const options: Options = { ...commonOptions, ...command.options };
  const values: Record<string, unknown> = {};
  for (const [key, spec] of Object.entries(options)) values[key] = spec.defaultValue;
  const rest = readOptions(command, options, words, values);
  Object.assign(values, readPositionals(command, rest));
  return values;
}

function readOptions(
  command: Command,
  options: Options,
  words: readonly string[],
  values: Record<string, unknown>,
): string[] {
  const byName = new Map(Object.entries(options).map(([key, spec]) => [optionName(key), { key, spec }]));
  const byShort = new Map(
    Object.entries(options).flatMap(([key, spec]) => (spec.short ? [[spec.short, { key, spec }] as const] : [])),
  );
  const positionals: string[] = [];
  let index = 0;
  while (index < words.length) {
    const word = words[index++]!;
    if (word === "--") {
      positionals.push(...words.slice(index));
      break;
    }
    if (!word.startsWith("-") || word === "-" || /^-[0-9.]/.test(word)) {
      positionals.push(word);
      continue;
    }
    const { name, inline, found } = find(word);
    if (found === undefined) throw unknownOption(command, name, [...byName.keys()]);
    const { key, spec } = found;
    if (spec.type === "flag") {
      if (inline !== undefined) throw usageError(`${name} takes no value.`);
      values[key] = true;
      continue;
    }
    const next = words[index];
    // A folder behind a name that can stand alone is its value, unless nothing would be left for the command itself.
    const takesNext = inline === undefined && next !== undefined && spec.takes?.(next) === true && isSpare(index);
    const text = inline ?? (takesNext || spec.bare === undefined ? words[index++] : spec.bare);
    if (text === undefined) throw usageError(`${name} needs a value (${spec.placeholder ?? "TEXT"}).`);
    const value = spec.parse(text, optionName(key));
    values[key] = spec.type === "texts" ? [...(values[key] as string[]), ...(value as string[])] : value;
  }
  return positionals;

  /** Whether the command has words of its own beside this one; the value of another option is none. */
  function isSpare(at: number): boolean {
    if (positionals.length > 0) return true;
    for (let next = at + 1; next < words.length; next++) {
      const word = words[next]!;
      if (word === "--") return next + 1 < words.length;
      if (!word.startsWith("-")) return true;
      const { inline, found } = find(word);
      const takesNext = found !== undefined && found.spec.type !== "flag" && found.spec.bare === undefined;
      if (takesNext && inline === undefined) next++;
    }
    return false;
  }

  function find(word: string) {
    if (!word.startsWith("--")) {
      return {
        name: word.slice(0, 2),
        inline: word.length > 2 ? word.slice(2) : undefined,
        found: byShort.get(word[1]!),
      };
    }
    const equals = word.indexOf("=");
    const name = equals < 0 ? word : word.slice(0, equals);
    return { name, inline: equals < 0 ? undefined : word.slice(equals + 1), found: byName.get(name.slice(2)) };
  }
}

function unknownOption(command: Command, name: string, known: readonly string[]): Error {
  const close = nearest(name.replace(/^-+/, ""), known);
  return usageError(
    `spoor ${command.name} has no option ${name}.`,
    close === undefined
      ? `All options: spoor ${command.name} --help`
      : `Did you mean --${close}? All options: spoor ${command.name} --help`,
  );
}

function readPositionals(command: Command, words: readonly string[]): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  let index = 0;
  for (const positional of command.positionals) {
    const optional = positional.startsWith("[");
    const bare = optional ? positional.slice(1, -1) : positional;
    if (bare.endsWith("...")) {
      const taken = words.slice(index);
      if (taken.length === 0 && !optional) throw missing(command, bare.slice(0, -3));
      values[bare.slice(0, -3)] = taken;
      index = words.length;
    } else {
      const word = words[index++];
      if (word === undefined && !optional) throw missing(command, bare);
      values[bare] = word;
    }
  }
  if (index < words.length) {
    throw usageError(`spoor ${command.name} does not take "${words[index]}".`, `Usage: ${usageLine(command)}`);
  }
  return values;
}

function missing(command: Command, name: string): Error {
  return usageError(`spoor ${command.name} needs ${name.toUpperCase()}.`, `Usage: ${usageLine(command)}`);
}

/** `spoor diff BASELINE CANDIDATE [options]`; a group: `spoor baseline SUBCOMMAND …` */
export function usageLine(command: Command): string {
  if (command.run === undefined) return `spoor ${command.name} SUBCOMMAND …`;
  const words = command.positionals.map((positional) => {
    const optional = positional.startsWith("[");
    const name = (optional ? positional.slice(1, -1) : positional).replace("...", "…").toUpperCase();
    return optional ? `[${name}]` : name;
  });
  return ["spoor", command.name, ...words, "[options]"].join(" ");
}
