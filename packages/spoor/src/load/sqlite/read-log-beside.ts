/** What stands beside a database file: the log of what was written since, or the journal of a change that is not done. */
import { closeSync, openSync, readFileSync } from "node:fs";
import { SpoorError } from "@spoor/core/internal/errors";
import { openInFence } from "../fence.ts";
import { pathKind } from "../path-kind.ts";
import { whyUnreadable } from "../why-unreadable.ts";
import { badDatabase } from "./sqlite-error.ts";

/** A journal that begins so is needed to undo a change; one that was overwritten with zeros is done with. */
const JOURNAL_MAGIC = Buffer.from("d9d505f920a163d7", "hex");

export function readLogBeside(file: string): Buffer | undefined {
  if (readBeside(file, "-journal")?.subarray(0, JOURNAL_MAGIC.length).equals(JOURNAL_MAGIC)) {
    throw badDatabase(
      file,
      `${file}-journal says that a program is in the middle of changing it`,
      "Wait until the program is done, or open the database once with it if it was killed.",
    );
  }
  return readBeside(file, "-wal");
}

function readBeside(file: string, ending: string): Buffer | undefined {
  const path = file + ending;
  if (pathKind(path) !== "file") return undefined;
  try {
    const handle = openInFence(path) ?? openSync(path, "r");
    try {
      return readFileSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (error instanceof SpoorError) throw error;
    throw badDatabase(file, `${path}, which belongs to it, ${whyUnreadable(error)}`, "Make both readable.", error);
  }
}
