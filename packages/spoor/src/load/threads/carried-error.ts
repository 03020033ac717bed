/** Errors on their way from a thread: copying keeps neither their class nor what they say beside the message. */
import type { ErrorCode } from "@spoor/core/internal/error-codes";
import { SpoorError, type SpoorErrorOptions } from "@spoor/core/internal/errors";
import { present } from "@spoor/core/internal/trace/present";

export type CarriedError =
  | { readonly code: ErrorCode; readonly message: string; readonly options: Omit<SpoorErrorOptions, "cause"> }
  | { readonly name: string; readonly message: string; readonly stack: string | undefined; readonly system: System };

/** What the system said with a refusal of its own. */
type System = Pick<NodeJS.ErrnoException, "code" | "syscall" | "path">;

export function carryError(error: unknown): CarriedError {
  if (error instanceof SpoorError) {
    const { code, message, at, hint, excerpt, excerptNote, consequence, problems } = error;
    return { code, message, options: present({ at, hint, excerpt, excerptNote, consequence, problems }) };
  }
  if (error instanceof Error) {
    const { name, message, stack, code, syscall, path } = error as NodeJS.ErrnoException;
    return { name, message, stack, system: present({ code, syscall, path }) };
  }
  return { name: "Error", message: String(error), stack: undefined, system: {} };
}

export function errorOf(carried: CarriedError): Error {
  if ("code" in carried) return new SpoorError(carried.code, carried.message, carried.options);
  const error = Object.assign(new Error(carried.message), carried.system);
  error.name = carried.name;
  // Of the thread, where it happened.
  if (carried.stack !== undefined) error.stack = carried.stack;
  return error;
}
