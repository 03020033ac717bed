/** Words → command → exit code. */
import { findPullRequest } from "../load/trust/pull-request.ts";
import { version } from "../tool-info.ts";
import type { CommonValues } from "./command.ts";
import { type ExitCode, exitCode } from "./exit-code.ts";
import { findCommand, isHelp } from "./find-command.ts";
import { renderCommandHelp, renderMainHelp } from "./help.ts";
import type { Io } from "./io.ts";
import { parseArgs } from "./parse-args.ts";
import { reportError } from "./report-error.ts";

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
  const args = parseArgs(command, rest);
  return underRule(args as unknown as CommonValues, io, () => command.run!(args as never, io));
}

/** In the job of a pull request only what its base has already may start. */
async function underRule<T>({ allowCommands }: CommonValues, io: Io, run: () => Promise<T>): Promise<T> {
  const pullRequest = allowCommands ? undefined : findPullRequest(io.env);
  if (pullRequest === undefined) return run();
  const { underPullRequest } = await import("../load/trust/trust.ts");
  return underPullRequest(pullRequest, run);
}
