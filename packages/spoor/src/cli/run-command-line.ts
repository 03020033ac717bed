/** Words → command → exit code. User mistakes become readable errors; our own keep their stack. */
import { SpoorError } from "@spoor/core/internal/errors";
import { version } from "../tool-info.ts";
import { toAscii } from "../write/terminal/ascii.ts";
import { renderError } from "../write/terminal/error.ts";
import { type ExitCode, exitCode } from "./exit-code.ts";
import { findCommand, isHelp } from "./find-command.ts";
import { renderCommandHelp, renderMainHelp } from "./help.ts";
import { type Io, styleOf } from "./io.ts";
import { parseArgs } from "./parse-args.ts";

export async function runCommandLine(words: readonly string[], io: Io): Promise<ExitCode> {
  try {
    return await dispatch(words, io);
  } catch (error) {
    return reportError(error, words, io);
  }
}

async function dispatch(words: readonly string[], io: Io): Promise<ExitCode> {
  const [name, ...topic] = words;
  if (name === undefined || name === "help" || isHelp(name)) {
    io.out(
      name === "help" && topic.length > 0
        ? renderCommandHelp((await findCommand(topic)).command)
        : renderMainHelp(version),
    );
    return name === undefined ? exitCode.couldNotRun : exitCode.ok;
  }
  if (name === "--version" || name === "-v" || name === "version") {
    io.out(`${version}\n`);
    return exitCode.ok;
  }
  const { command, rest } = await findCommand(words);
  const beforeDashes = rest.includes("--") ? rest.slice(0, rest.indexOf("--")) : rest;
  const asked = beforeDashes.some(isHelp);
  if (asked || command.run === undefined) {
    io.out(renderCommandHelp(command));
    return asked ? exitCode.ok : exitCode.couldNotRun;
  }
  return command.run(parseArgs(command, rest) as never, io);
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
