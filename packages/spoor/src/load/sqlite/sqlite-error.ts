/** A database that cannot be read: what is wrong, and what to do. */
import { SpoorError } from "@spoor/core/internal/errors";

/** Thrown while pages are read; whoever opened the file says which one it is. */
export class DamagedDatabase extends Error {}

export function badDatabase(file: string, why: string, hint: string, cause?: unknown): SpoorError {
  return new SpoorError("trace.bad-database", `${file} begins like an SQLite database but cannot be read: ${why}.`, {
    at: { file },
    consequence: "Nothing of it was used.",
    hint,
    ...(cause === undefined ? {} : { cause }),
  });
}
