/** `spoor --help` and `spoor COMMAND --help`: teaches by example, written from the definitions. */
import { padEnd, wrap } from "../write/terminal/layout.ts";
import { type Command, type CommandEntry, commonOptions } from "./command.ts";
import { commands } from "./commands.ts";
import type { Option } from "./option.ts";
import { optionName, usageLine } from "./parse-args.ts";

export function renderMainHelp(version: string): string {
  return [
    `spoor ${version}: behavioural CI for AI agents`,
    "",
    "Usage: spoor COMMAND [options]. Every command reads any known trace format from",
    "files, folders, globs or - (standard input).",
    "",
    ...entryLines(commands),
    "",
    "Start here",
    "  spoor demo                                 the whole story in one minute",
    "  spoor show session.jsonl                   what did the agent do?",
    "  spoor diff baseline/ candidate/            what changed between two runs?",
    "",
    "More about one command: spoor COMMAND --help",
    "Exit codes: 0 passed, 1 a gate tripped, 2 could not run, 3 internal error",
    "",
  ].join("\n");
}

export function renderCommandHelp(command: Command): string {
  const lines = [...wrap(`${command.summary}.`, 80), ""];
  if (command.description !== undefined) lines.push(...wrap(command.description, 80), "");
  lines.push(`Usage: ${usageLine(command)}`, "");
  if (command.examples.length > 0) {
    lines.push("Examples");
    for (const example of command.examples)
      lines.push(`  $ ${example.run}`, ...wrap(example.does, 74).map((line) => `      ${line}`));
    lines.push("");
  }
  const { subcommands = [] } = command;
  if (subcommands.length > 0) {
    lines.push("Subcommands", ...entryLines(subcommands), "");
    lines.push(`More about one: spoor ${command.name} SUBCOMMAND --help`, "");
  }
  if (command.run === undefined) return lines.join("\n");
  const own = Object.entries(command.options);
  if (own.length > 0) lines.push("Options", ...own.flatMap(optionLines), "");
  const common = Object.entries(commonOptions).filter(([key]) => !Object.hasOwn(command.options, key));
  lines.push("Common options", ...common.flatMap(optionLines), "");
  return lines.join("\n");
}

function entryLines(entries: readonly CommandEntry[]): string[] {
  const width = Math.max(...entries.map((entry) => entry.name.length)) + 2;
  return entries.flatMap((entry) =>
    wrap(entry.summary, 78 - width).map((line, at) => `  ${padEnd(at === 0 ? entry.name : "", width)}${line}`),
  );
}

function optionLines([key, spec]: [string, Option<unknown>]): string[] {
  const value = placeOfValue(spec);
  const name = `${spec.short ? `-${spec.short}, ` : ""}--${optionName(key)}${value}`;
  const fallback = spec.defaultValue;
  const shown =
    fallback !== undefined && spec.type !== "flag" && spec.type !== "texts" ? ` (default ${String(fallback)})` : "";
  const help = wrap(`${spec.help}${shown}`, 50);
  const head = `  ${name}`;
  if (head.length > 27) return [head, ...help.map((line) => `${" ".repeat(28)}${line}`)];
  return help.map((line, index) => (index === 0 ? padEnd(head, 28) : " ".repeat(28)) + line);
}

function placeOfValue({ type, placeholder = "TEXT", bare, takes }: Option<unknown>): string {
  if (type === "flag") return "";
  if (takes !== undefined) return ` [${placeholder}]`;
  return bare === undefined ? ` ${placeholder}` : `[=${placeholder}]`;
}
