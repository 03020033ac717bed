/** What keeps a recording from beginning. */
import { SpoorError } from "@spoor/core/internal/errors";

/** A mistake on the command line, or in a variable that stands for one. */
export function usageError(message: string, hint?: string): SpoorError {
  return new SpoorError("usage.bad-argument", message, hint === undefined ? {} : { hint });
}

export function cannotStart(program: string, error: NodeJS.ErrnoException): SpoorError {
  const why =
    error.code === "ENOENT"
      ? `The program ${program} was not found`
      : error.code === "EACCES"
        ? `The program ${program} may not be run`
        : `${program} could not be started: ${error.message}`;
  return new SpoorError("record.command", `${why}.`, {
    consequence: "Nothing was recorded.",
    hint: "The command stands behind --, as in a shell: spoor record -- node agent.mjs",
    cause: error,
  });
}

export function unwritable(folder: string, error: unknown): SpoorError {
  return new SpoorError("record.unwritable", `${folder} cannot be written: ${(error as Error).message}.`, {
    at: { file: folder },
    consequence: "The command was not started, because nothing of it could have been recorded.",
    hint: "Record elsewhere: spoor record --to FOLDER -- COMMAND",
    cause: error,
  });
}

export function cannotListen(error: unknown): SpoorError {
  return new SpoorError("record.port", `No port of 127.0.0.1 can be listened on: ${(error as Error).message}.`, {
    consequence: "The command was not started.",
    hint: "Record a Node program from within instead: spoor record --proxy off -- node agent.mjs",
    cause: error,
  });
}
