/** Errors on their way from a thread: copying keeps neither their class nor what they say beside the message. */
import type { ErrorCode } from "@spoor/core/internal/error-codes";
import { SpoorError, type SpoorErrorOptions } from "@spoor/core/internal/errors";
import { present } from "@spoor/core/internal/trace/present";

export type CarriedError =
  | { readonly code: ErrorCode; readonly message: string; readonly options: Omit<SpoorErrorOptions, "cause"> }
  | { readonly name: string; readonly message: string; readonly stack: string | undefined };

export function carryError(error: unknown): CarriedError {
  if (error instanceof SpoorError) {
    const { code, message, at, hint, excerpt, excerptNote, consequence, problems } = error;
    return { code, message, options: present({ at, hint, excerpt, excerptNote, consequence, problems }) };
  }
  if (error instanceof Error) return { name: error.name, message: error.message, stack: error.stack };
  return { name: "Error", message: String(error), stack: undefined };
}

export function errorOf(carried: CarriedError): Error {
  if ("code" in carried) return new SpoorError(carried.code, carried.message, carried.options);
  const error = new Error(carried.message);
  error.name = carried.name;
  // Of the thread, where it happened.
  if (carried.stack !== undefined) error.stack = carried.stack;
  return error;
}
