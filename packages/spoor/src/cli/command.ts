/**
 * A command loads, computes, renders and decides. `defineCommand` types its arguments from the declaration, so that `run`
 * reads `args.baseline` and `args.failOn` without a cast, and `--help` is written from the same words. Name and summary
 * stand in the list that names the command (`commands.ts`, or the group's own file), so that a list can be printed without
 * loading what it lists.
 */
import type { ExitCode } from "./exit-code.ts";
import type { Io } from "./io.ts";
import { type Option, option } from "./option.ts";

/** Options every command has. */
export const commonOptions = {
  format: option.text("how to print the report: terminal, json, markdown, … (default terminal)", "FORMAT"),
  output: option.texts("also write the report to FILE; the format follows its extension", "FILE", "o"),
  quiet: option.flag("print nothing but the report"),
  verbose: option.flag("print more detail"),
  noColor: option.flag("no colour (also NO_COLOR)"),
  ascii: option.flag("plain ASCII symbols"),
  seed: option.optionalInteger("seed of everything random (default 42; cohorts: made of the runs)", { min: 0 }),
  config: option.path("configuration file (default spoor.config.yaml)"),
  from: option.text("read inputs as this format instead of recognising it", "FORMAT"),
  lenient: option.flag("skip lines that cannot be read, and count them"),
  strict: option.flag("diagnostics become errors"),
  allowCommands: option.flag(
    "in the job of a pull request: commands that it brings may run, because its author is trusted",
  ),
} as const;

type Options = Readonly<Record<string, Option<unknown>>>;
type ValuesOf<O extends Options> = { readonly [K in keyof O]: O[K] extends Option<infer T> ? T : never };

/** "baseline" is required, "[trace]" optional, "traces..." one or more, "[traces...]" any number. */
type PositionalValue<P extends string> = P extends `[${infer N}...]`
  ? { readonly [K in N]: readonly string[] }
  : P extends `${infer N}...`
    ? { readonly [K in N]: readonly string[] }
    : P extends `[${infer N}]`
      ? { readonly [K in N]: string | undefined }
      : { readonly [K in P]: string };
type UnionToIntersection<U> = (U extends unknown ? (value: U) => void : never) extends (value: infer I) => void
  ? I
  : never;
type PositionalsOf<P extends readonly string[]> = P extends readonly []
  ? unknown
  : UnionToIntersection<PositionalValue<P[number]>>;

export type CommonValues = ValuesOf<typeof commonOptions>;
export type ArgsOf<P extends readonly string[], O extends Options> = PositionalsOf<P> & ValuesOf<O> & CommonValues;

export interface Example {
  readonly run: string;
  readonly does: string;
}

export interface CommandDefinition<P extends readonly string[], O extends Options> {
  /** One paragraph more than the summary, for the command's own help. */
  readonly description?: string;
  readonly positionals: P;
  readonly options: O;
  readonly examples: readonly Example[];
  /** `spoor cohort plan`: a first word that is one of these names is the subcommand; a file of that name is `./plan`. */
  readonly subcommands?: readonly CommandEntry[];
  run(args: ArgsOf<P, O>, io: Io): Promise<ExitCode>;
}

/** A command that only holds subcommands: `spoor baseline`. */
export interface CommandGroup {
  readonly description?: string;
  readonly examples: readonly Example[];
  readonly subcommands: readonly CommandEntry[];
}

/** A definition whose types have been forgotten. */
export interface LoadedDefinition {
  readonly description?: string;
  readonly positionals: readonly string[];
  readonly options: Options;
  readonly examples: readonly Example[];
  readonly subcommands?: readonly CommandEntry[];
  /** Absent for a group. */
  run?(args: never, io: Io): Promise<ExitCode>;
}

/** A line of a list of commands: enough to print the list, and the way to the rest. */
export interface CommandEntry {
  readonly name: string;
  /** One line, without a full stop. */
  readonly summary: string;
  readonly load: () => Promise<LoadedDefinition>;
}

/** What parser, help, completion and reference page work with: an entry and its definition. */
export interface Command extends LoadedDefinition {
  /** As typed after `spoor`: "show", "baseline build". */
  readonly name: string;
  readonly summary: string;
}

export function defineCommand<const P extends readonly string[], O extends Options>(
  definition: CommandDefinition<P, O>,
): CommandDefinition<P, O> {
  return definition;
}

export function defineGroup(group: CommandGroup): LoadedDefinition & CommandGroup {
  return { ...group, positionals: [], options: {} };
}

/** A line of a list: its name, its summary, and where it is defined. */
export function command(name: string, summary: string, load: CommandEntry["load"]): CommandEntry {
  return { name, summary, load };
}

/** The command of an entry; `parent` is the name of the group it stands in. */
export async function loadCommand(entry: CommandEntry, parent?: string): Promise<Command> {
  const name = parent === undefined ? entry.name : `${parent} ${entry.name}`;
  return { ...(await entry.load()), name, summary: entry.summary };
}
