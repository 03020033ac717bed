/** What was thrown → what a client hears: a code for programs, words for people, a status for both. */
import type { Json } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { present } from "@spoor/core/internal/trace/present";
import { RefusedBody } from "spoor/internal/record/otlp/otlp-body";
import { waitOf } from "../ingest/busy.ts";
import type { Answer } from "./route.ts";

/** By code, then by the family of the code: everything else that a user can cause is about what was sent. */
const STATUSES: Readonly<Record<string, number>> = {
  "auth.token": 401,
  auth: 403,
  "ingest.busy": 429,
  "ingest.encoding": 415,
  "ingest.too-large": 413,
  "trace.too-large": 413,
  "request.not-found": 404,
  "request.conflict": 409,
  "server.body-gone": 404,
  "server.internal": 500,
  "server.no-runs": 404,
  store: 503,
};

export function statusOf(code: string): number {
  return STATUSES[code] ?? STATUSES[code.split(".")[0]!] ?? 400;
}

export function errorAnswer(error: SpoorError): Answer {
  const status = statusOf(error.code);
  const wait = waitOf(error) ?? (status === 503 ? 1 : undefined);
  return {
    status,
    json: { error: errorJson(error) },
    headers: {
      // Whole seconds are all that the header has: the exact time stands in the words.
      ...(wait === undefined ? {} : { "retry-after": String(Math.max(1, Math.ceil(wait))) }),
      ...(status === 401 ? { "www-authenticate": 'Bearer realm="spoor"' } : {}),
    },
  };
}

function errorJson({ code, message, at, hint, consequence, problems }: SpoorError): Json {
  return present({
    code,
    message,
    at: Object.keys(at).length === 0 ? undefined : ({ ...at } as Json),
    hint,
    consequence,
    problems:
      problems.length === 0 ? undefined : problems.map((one) => ({ message: one.message, at: { ...one.at } as Json })),
  }) as Json;
}

/** Whatever was thrown as an error that may be said aloud. What is a bug is told to the operator and not to the client. */
export function saidAloud(error: unknown, onProblem: (error: unknown) => void): SpoorError {
  if (error instanceof SpoorError) return error;
  if (error instanceof RefusedBody) return refusedBody(error);
  onProblem(error);
  return new SpoorError("server.internal", "The service failed at this request.", {
    hint: "What happened stands in the service's own output.",
  });
}

function refusedBody({ status, message }: RefusedBody): SpoorError {
  const code = status === 413 ? "ingest.too-large" : status === 415 ? "ingest.encoding" : "request.broken";
  return new SpoorError(code, `It is not taken: ${message}.`, {
    ...(status === 413 ? { hint: "Send it in parts, or compress it with gzip." } : {}),
  });
}

export function notFound(what: string): SpoorError {
  return new SpoorError("request.not-found", `There is no ${what} here.`);
}
