/** What a format's reader is told about the content it reads, and how it refuses some of it. */
import type { Json } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import type { Format, ImportedTrace, ReadContext } from "../formats/format.ts";

/** `stands`: the content is that of a file on the disk, which may have companions. */
export interface FileContext extends ReadContext {
  readonly stands: boolean;
}

export function createContext(file: string, lenient: boolean, stands: boolean, onlySteps = false): FileContext {
  return {
    file,
    stands,
    lenient,
    onlySteps,
    fail(message, { hint, ...at } = {}) {
      const place = at.line === undefined ? file : `${file}:${at.line}`;
      throw new SpoorError("trace.bad-record", `${place}${at.path === undefined ? "" : ` (${at.path})`} ${message}.`, {
        at: { file, ...at },
        hint:
          hint ??
          (at.line === undefined
            ? "Compare it with a file that works: spoor formats"
            : "To skip such lines and count them, add --lenient."),
      });
    },
  };
}

/** One JSON value as a format reads it: a document, or the only line. */
export function importDocument(format: Format, value: Json, context: ReadContext): ImportedTrace[] {
  if (format.readDocument !== undefined) return format.readDocument(value, context);
  const reader = format.openLines?.(context);
  if (reader === undefined) return context.fail(`cannot be read as ${format.name}: that format is not JSON`);
  reader.line(value, 1);
  return reader.finish();
}
