/** Not now: what the client is to do about it is part of the refusal. */
import { SpoorError } from "@spoor/core/internal/errors";

/** Seconds after which it is worth trying again, for `Retry-After`. */
const waits = new WeakMap<SpoorError, number>();

export function busy(message: string, seconds: number): SpoorError {
  return waiting(new SpoorError("ingest.busy", message, { hint: `Send it again after ${seconds} s.` }), seconds);
}

export function waiting(error: SpoorError, seconds: number): SpoorError {
  waits.set(error, seconds);
  return error;
}

export function waitOf(error: SpoorError): number | undefined {
  return waits.get(error);
}
