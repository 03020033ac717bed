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
  const failure = FAILURES.find(({ pattern }) => pattern.test(code) || pattern.test(error.message));
  if (failure === undefined) return error;
  return unusable(failure.reason, error, failure);
}

function unusable(
  reason: string,
  error: Error,
  { code = "store.unavailable", hint }: Pick<Failure, "code" | "hint">,
): SpoorError {
  return new SpoorError(code, `The store cannot be used: ${reason} (${error.message}).`, {
    consequence: "Nothing was written.",
    hint,
    cause: error,
  });
}

/** No connection at all: whatever kept it from us, it is not in our hands. */
export function connectionError(error: unknown): unknown {
  const known = storeError(error);
  if (known !== error || !(error instanceof Error) || error instanceof SpoorError) return known;
  return unusable("there is no connection to the database", error, {
    hint: "Check address, password and encryption: postgres://user:password@host:5432/database?sslmode=verify-full",
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

interface Failure {
  /** Of the code or the message. */
  readonly pattern: RegExp;
  readonly code?: "store.damaged" | "store.address" | "store.unavailable";
  readonly reason: string;
  readonly hint: string;
}

const PATH = "Check the path and who may read and write there.";
const DATABASE =
  "Check that the database runs and that the address names its host and port; what could not be sent meanwhile can be sent again.";

const FAILURES: readonly Failure[] = [
  { pattern: /^SQLITE_READONLY|^EROFS$/, reason: "it may not be written to", hint: PATH },
  {
    pattern: /^25006$/,
    reason: "it may not be written to",
    hint: "Name the primary, not a standby, and a user whose transactions may write.",
  },
  {
    pattern: /^SQLITE_(BUSY|LOCKED)/,
    reason: "another process is writing to it",
    hint: "Let it finish, and try again.",
  },
  {
    pattern: /^SQLITE_(CORRUPT|NOTADB)/,
    code: "store.damaged",
    reason: "the file is damaged, or it is no database",
    hint: "Name the file of spoor serve; if this is it, put its last backup in its place.",
  },
  { pattern: /^E(EXIST|NOTDIR)$/, reason: "a file stands where its folder should be", hint: PATH },
  {
    pattern: /^SQLITE_(IOERR|CANTOPEN)|^E(ACCES|PERM|IO|ISDIR|NOENT)$|Unable to open connection to local database/,
    reason: "the file cannot be read or written",
    hint: PATH,
  },
  {
    pattern: /^ERR_INVALID_URL$/,
    code: "store.address",
    reason: "its address cannot be read",
    hint: "Write it as postgres://user:password@host:5432/database, with special characters of the password as %40 and the like.",
  },
  {
    pattern: /^08|^57P0|^53[23]00$|^E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NOTFOUND|AI_AGAIN)$/,
    reason: "the database does not answer",
    hint: DATABASE,
  },
  {
    pattern: /^Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect/,
    reason: "the database does not answer",
    hint: DATABASE,
  },
  {
    pattern: /^28|^3D000$/,
    reason: "the database does not let this user in",
    hint: "Check user, password and database in the address.",
  },
  {
    pattern: /^3F000$/,
    reason: "the schema of its address is not there",
    hint: "Make it (create schema NAME), or leave search_path out of the address.",
  },
  {
    // Undefined table, undefined column.
    pattern: /^42(P01|703)$|^no such (table|column)/,
    code: "store.damaged",
    reason: "its tables are not as they were made",
    hint: "Somebody changed them: put back the last backup, or begin a new store.",
  },
  {
    // Cancelled for taking too long; failures of the database's own files and memory.
    pattern: /^57014$|^58|^XX00[12]$/,
    reason: "the database gave up",
    hint: "Its log says why; what could not be sent meanwhile can be sent again.",
  },
  {
    pattern: /^42501$/,
    reason: "this user may not do that in the database",
    hint: "Let this user make and change tables there, or name another one.",
  },
];
