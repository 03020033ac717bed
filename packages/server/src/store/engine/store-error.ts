/** Failures of a database in words: no room, not there, not to be written to. What is left is our own bug and keeps its stack. */
import { SpoorError } from "@spoor/core/internal/errors";

export function storeError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof SpoorError) return error;
  const code = codeOf(error);
  if (FULL.has(code)) {
    return new SpoorError("store.full", "The store has no room left on its disk.", {
      consequence: "Nothing was written.",
      hint: "Free some space, or keep bodies for fewer days.",
      cause: error,
    });
  }
  const reason = UNAVAILABLE.find(([pattern]) => pattern.test(code) || pattern.test(error.message))?.[1];
  if (reason === undefined) return error;
  return new SpoorError("store.unavailable", `The store cannot be used: ${reason} (${error.message}).`, {
    consequence: "Nothing was written.",
    hint: "What was sent is not lost: send it again when the store is back.",
    cause: error,
  });
}

/** Two writers waited for each other, or one read what the other wrote: the work may be begun again. */
export function isConflict(error: unknown): boolean {
  return error instanceof Error && ["40001", "40P01"].includes(codeOf(error));
}

function codeOf(error: Error): string {
  const { code } = error as { readonly code?: unknown };
  return typeof code === "string" ? code : "";
}

/** 53100 is PostgreSQL's disk_full. */
const FULL: ReadonlySet<string> = new Set(["SQLITE_FULL", "53100", "ENOSPC"]);

const UNAVAILABLE: readonly (readonly [RegExp, string])[] = [
  [/^SQLITE_READONLY|^25006$|^EROFS$/, "it may not be written to"],
  [/^SQLITE_(BUSY|LOCKED)/, "another process is writing to it"],
  [/^SQLITE_(CORRUPT|NOTADB)/, "the file is not a database of spoor, or it is damaged"],
  [
    /^SQLITE_(IOERR|CANTOPEN)|^E(ACCES|PERM|IO|EXIST|NOTDIR|ISDIR)$|Unable to open connection to local database/,
    "the file cannot be read or written",
  ],
  [
    /^08|^57P0|^53[23]00$|^E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NOTFOUND|AI_AGAIN)$/,
    "the database does not answer",
  ],
  [
    /^Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect/,
    "the database does not answer",
  ],
  [/^28|^3D000$/, "the database does not let this user in"],
  [/^42501$/, "this user may not do that in the database"],
];
