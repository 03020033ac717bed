/** Words → command → exit code. User mistakes become readable errors; our own keep their stack. */
import { SpoorError } from "@spoor/core/errors";
import { nearest } from "@spoor/core/text/nearest";
import { renderError } from "../render/error.ts";
import { toAscii } from "../render/text/ascii.ts";
import { version } from "../tool-info.ts";
import type { Command } from "./command.ts";
import { commands } from "./commands.ts";
import { type ExitCode, exitCode } from "./exit-code.ts";
import { renderCommandHelp, renderMainHelp } from "./help.ts";
import { type Io, styleOf } from "./io.ts";
import { usageError } from "./option.ts";
import { parseArgs } from "./parse-args.ts";

export async function runCommandLine(words: readonly string[], io: Io): Promise<ExitCode> {
  try {
    return await dispatch(words, io);
  } catch (error) {
    return reportError(error, words, io);
  }
}

async function dispatch(words: readonly string[], io: Io): Promise<ExitCode> {
  const [name, ...rest] = words;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    const topic = name === "help" ? rest[0] : undefined;
    io.out(topic === undefined ? renderMainHelp(version) : renderCommandHelp(await commandNamed(topic)));
    return name === undefined ? exitCode.couldNotRun : exitCode.ok;
  }
  if (name === "--version" || name === "-v" || name === "version") {
    io.out(`${version}\n`);
    return exitCode.ok;
  }
  const command = await commandNamed(name);
  const beforeDashes = rest.includes("--") ? rest.slice(0, rest.indexOf("--")) : rest;
  if (beforeDashes.includes("--help") || beforeDashes.includes("-h")) {
    io.out(renderCommandHelp(command));
    return exitCode.ok;
  }
  const args = parseArgs(command, rest);
  return command.run(args as never, io);
}

async function commandNamed(name: string): Promise<Command> {
  const entry = commands.find((command) => command.name === name);
  if (entry !== undefined) return entry.load();
  const close = nearest(
    name,
    commands.map((command) => command.name),
  );
  throw usageError(
    `spoor has no command "${name}".`,
    close === undefined ? "All commands: spoor --help" : `Did you mean spoor ${close}? All commands: spoor --help`,
  );
}

function reportError(error: unknown, words: readonly string[], io: Io): ExitCode {
  const style = styleOf(
    io,
    { ascii: words.includes("--ascii") || undefined, color: words.includes("--no-color") ? false : undefined },
    "stderr",
  );
  if (error instanceof SpoorError) {
    const code = error.code.startsWith("provider.") ? exitCode.internal : exitCode.couldNotRun;
    const text = renderError(error, code, style);
    io.err(style.ascii ? toAscii(text) : text);
    return code;
  }
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  io.err(
    `${style.symbols.failed} Spoor itself failed; this is a bug, and no verdict was reached.\n${detail}\nexit code ${exitCode.internal}\n`,
  );
  return exitCode.internal;
}
