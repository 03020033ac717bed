/** The real world: standard streams and the environment. A closed pipe (`spoor show x | head`) is not an error. */
import { exitCode } from "./exit-code.ts";
import type { Io } from "./io.ts";
import { processTerminal } from "./process-terminal.ts";
import { startedAs } from "./started-as.ts";

export function processIo(): Io {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      // The reader has seen enough. The verdict still counts: a gate that blocks exits 1 into a closed pipe, too.
      if (error.code === "EPIPE") return;
      // The terminal was closed. What is under way has still to be ended and put away.
      if (error.code === "EIO" && stream.isTTY) return;
      if (stream === process.stdout) process.stderr.write(`The report cannot be printed: ${error.message}.\n`);
      process.exit(exitCode.couldNotRun);
    });
  }
  const terminal = processTerminal();
  const cwd = startedIn();
  return {
    cwd,
    program: startedAs({ script: process.argv[1], cwd, env: process.env }),
    env: process.env,
    stdin: process.stdin,
    interactive: Boolean(process.stdin.isTTY && process.stdout.isTTY) && !process.env["CI"],
    stdoutIsTerminal: Boolean(process.stdout.isTTY),
    stderrIsTerminal: Boolean(process.stderr.isTTY),
    columns: process.stdout.columns ?? 80,
    ...(terminal === undefined ? {} : { terminal }),
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    now: () => new Date(),
  };
}

/** The folder may be gone since the shell went there. Nothing that a command names can be found then, and nothing it writes kept. */
function startedIn(): string {
  try {
    return process.cwd();
  } catch {
    process.stderr.write(
      "The folder in which spoor was started does not exist any more, or may not be entered.\n" +
        "Change into one that exists and try again.\nsystem.refused  exit code 2\n",
    );
    process.exit(exitCode.couldNotRun);
  }
}

/** Resolves when everything written has left the process. */
export async function flushed(): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    await new Promise<void>((resolve) => stream.write("", () => resolve()));
  }
}
