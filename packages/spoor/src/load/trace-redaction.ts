/** `--redact` and `--redact-pattern NAME=REGEX` as a function over traces. */
import type { Trace } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { redactRecords } from "@spoor/core/internal/redact/redact-records";
import { buildTrace } from "@spoor/core/internal/trace/build-trace";

export function createTraceRedaction(patterns: readonly string[]): (trace: Trace) => Trace {
  const customPatterns = patterns.map(parsePattern);
  // Compiled once here, so that a bad pattern is an error before anything is read.
  redactRecords([], { customPatterns });
  return (trace) => buildTrace(redactRecords(trace.records, { customPatterns }), { source: trace.source });
}

function parsePattern(text: string): { name: string; pattern: string } {
  const equals = text.indexOf("=");
  if (equals > 0 && equals < text.length - 1) return { name: text.slice(0, equals), pattern: text.slice(equals + 1) };
  throw new SpoorError("usage.bad-argument", `--redact-pattern needs NAME=REGEX, found "${text}".`, {
    hint: "For example: --redact-pattern 'order=[A-Z]-[0-9]{4}'",
  });
}
