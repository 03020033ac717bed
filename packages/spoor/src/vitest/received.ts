/** What a test may hand to the matchers: whatever `readTrace` takes from memory. */
import type { Trace } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import type { EvaluationSubject } from "@spoor/core/internal/evaluators/evaluation";
import { subjectOfTrace } from "@spoor/core/internal/evaluators/subject";
import { readTraceValue } from "../load/read-trace.ts";

/** A trace; messages, responses or results of a provider or framework; a list of calls or of tool names. */
export type Received = Trace | readonly unknown[] | object;

/** A run without calls is for the expectation to judge, so an empty list is one. */
export function subjectOf(received: unknown): EvaluationSubject {
  return subjectOfTrace(readReceived(received));
}

export function readReceived(received: unknown): Trace {
  try {
    return readTraceValue(received, { allowEmpty: true });
  } catch (error) {
    if (!(error instanceof SpoorError)) throw error;
    // A test shows the message alone.
    throw new TypeError([error.message, error.consequence, error.hint].filter(Boolean).join(" "), { cause: error });
  }
}
