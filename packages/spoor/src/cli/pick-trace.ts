import type { Trace } from "@spoor/core";
import { spokenNames } from "@spoor/core/internal/trace/trace-name";
import { count } from "../document/words.ts";
import { usageError } from "./option.ts";

/** The trace that a person means: by its name, anything else it is called, or its number in the list from 1. */
export function pickTrace(traces: readonly Trace[], wanted: string, hint: string): Trace {
  const found =
    traces.find((trace) => trace.name === wanted) ??
    traces.find((trace) => spokenNames(trace).includes(wanted)) ??
    (/^[1-9][0-9]*$/.test(wanted) ? traces[Number(wanted) - 1] : undefined);
  if (found !== undefined) return found;
  throw usageError(`No trace is called "${wanted}".`, `There are ${count(traces.length, "trace")}; ${hint}.`);
}
