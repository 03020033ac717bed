import { messageOf } from "@spoor/core/internal/errors";

/** Why a call failed, as far as the error of `fetch` tells: the cause behind "fetch failed" is what one wants to know. */
export function describeFailure(error: unknown): { readonly code?: string; readonly message: string } {
  const message = messageOf(error);
  const cause = error instanceof Error ? error.cause : undefined;
  const code = codeOf(cause) ?? codeOf(error);
  const why = cause instanceof Error && cause.message !== "" ? `${message}: ${cause.message}` : message;
  return code === undefined ? { message: why } : { code, message: why };
}

/** Whether the application gave up itself; a body that it aborted looks like one that was cut. */
export function isAbort(error: unknown, signal: AbortSignal | undefined): boolean {
  if (signal?.aborted === true) return true;
  return typeof error === "object" && error !== null && "name" in error && error.name === "AbortError";
}

function codeOf(error: unknown): string | undefined {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}
