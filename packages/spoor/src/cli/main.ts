/**
 * The entry point: finds the command, parses its arguments, runs it, and turns whatever happens into an exit code.
 * Nothing heavy is imported here: `spoor --version` starts like an empty program.
 */

import { version } from "../tool-info.ts";
import { type ExitCode, exitCode } from "./exit-code.ts";
import type { Io } from "./io.ts";

export async function main(words: readonly string[] = process.argv.slice(2), io?: Io): Promise<ExitCode> {
  if (io === undefined && (words[0] === "--version" || words[0] === "-v" || words[0] === "version")) {
    process.stdout.write(`${version}\n`);
    return exitCode.ok;
  }
  const { runCommandLine } = await import("./run-command-line.ts");
  if (io !== undefined) return runCommandLine(words, io);
  const { processIo, flushed } = await import("./process-io.ts");
  const code = await runCommandLine(words, processIo());
  await flushed();
  process.exitCode = code;
  return code;
}
