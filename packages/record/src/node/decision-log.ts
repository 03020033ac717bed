/**
 * A decision log as a file: one line each, in one write, so that doors of parallel calls and processes do not mix theirs. Written
 * before the call runs, so not later: what is only promised to be written is no log. `spoor show` and `spoor check` read it.
 */
import { appendFileSync, constants } from "node:fs";
import { dirname } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import { type JsonObject, stringifyJson } from "@spoor/core/internal/trace/json";
import { makeFolderSync } from "./make-folder.ts";

/** Without waiting: a pipe that nobody reads is refused at once, and the call with it, instead of keeping the agent for ever. */
const APPEND_NOW = (constants.O_WRONLY |
  constants.O_APPEND |
  constants.O_CREAT |
  constants.O_NONBLOCK) as unknown as "a";

/** For `onDecision` of a guard. The file is opened for each line: whoever moves it away gets a new one. */
export function createDecisionLog(file: string): (line: JsonObject) => void {
  /** Whether the latest write failed, perhaps in the middle of a line. */
  let torn = false;
  return (line) => {
    try {
      makeFolderSync(dirname(file));
      appendFileSync(file, `${torn ? "\n" : ""}${stringifyJson(line)}\n`, { mode: 0o600, flag: APPEND_NOW });
      torn = false;
    } catch (error) {
      torn = true;
      throw new SpoorError(
        "output.unwritable",
        `The decision log ${file} cannot be written: ${(error as Error).message}.`,
        {
          at: { file },
          consequence: "A decision that cannot be logged is a no.",
          hint: "Name another file.",
          cause: error,
        },
      );
    }
  };
}
