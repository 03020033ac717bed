/**
 * `readTrace(anything)`: a file, its bytes or its text in any format, or a value that a program has in memory. The same
 * content gives the same trace through every door.
 */
import { fileURLToPath } from "node:url";
import type { Json, Trace } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import {
  documentOf,
  isTrace,
  type ReadTraceOptions,
  traceOf,
  unknownValue,
} from "@spoor/core/internal/providers/read-trace";
import { documentSample, formatNamed, formatOf, linesSample } from "../formats/choose-format.ts";
import type { Format, ReadContext, Sample } from "../formats/format.ts";
import { loadTrace, loadTraceFile, onlyTrace } from "./load-traces.ts";
import type { LoadOptions } from "./read-trace-file.ts";

/** What errors call content that has no file. */
const INPUT = "the input";

export interface ReadOptions extends ReadTraceOptions, Pick<LoadOptions, "from" | "lenient"> {}

/**
 * Exactly one trace. A text is content when it begins like JSON or has several lines, otherwise a path; bytes are content;
 * anything else is read as it is (see `readTraceValue`).
 */
export async function readTrace(input: unknown, options: ReadOptions = {}): Promise<Trace> {
  if (input instanceof URL) return loadTrace(fileURLToPath(input), options);
  if (typeof input === "string" && !isContent(input)) return loadTrace(input, options);
  if (typeof input === "string" || input instanceof Uint8Array) {
    return onlyTrace(await loadTraceFile(INPUT, { ...options, bytes: Buffer.from(input as string) }), INPUT);
  }
  return readTraceValue(input, options);
}

/**
 * The trace of a value in memory, in the shape of any format that is JSON: a trace, messages and responses of a provider,
 * AI SDK messages and results, AgentV messages, spans, tool calls or names of tools.
 */
export function readTraceValue(value: unknown, options: ReadOptions = {}): Trace {
  if (isTrace(value)) return value;
  const document = documentOf(value, options);
  const { format, sample } = chooseFormat(document, options);
  const imported = sample.document === undefined ? readLines(format, sample) : readDocument(format, document);
  return traceOf(format.name, imported, sample.document === undefined ? (sample.lines ?? []) : [document]);
}

function isContent(text: string): boolean {
  return /^\s*[[{]/.test(text) || text.includes("\n");
}

/** A list that is no document of any format may still be the parsed lines of one. */
function chooseFormat(document: Json, options: ReadOptions): { format: Format; sample: Sample } {
  const whole = documentSample(document);
  if (options.from !== undefined) return { format: formatNamed(options.from), sample: whole };
  if (Array.isArray(document) && document.length === 0) return { format: formatNamed("tool-calls"), sample: whole };
  const found = formatOf(whole);
  if (found !== undefined) return { format: found, sample: whole };
  const lines = Array.isArray(document) ? document : [document];
  const byLines = formatOf(linesSample(lines));
  if (byLines?.openLines === undefined) throw unknownValue(document);
  return { format: byLines, sample: { lines } };
}

function readDocument(format: Format, document: Json) {
  if (format.readDocument !== undefined) return format.readDocument(document, CONTEXT);
  return readLines(format, { lines: [document] });
}

function readLines(format: Format, { lines = [] }: Sample) {
  const reader = format.openLines?.(CONTEXT);
  if (reader === undefined) return CONTEXT.fail(`cannot be read as ${format.name}: that format is not JSON`);
  for (const [index, line] of lines.entries()) reader.line(line, index + 1);
  return reader.finish();
}

const CONTEXT: ReadContext = {
  file: "the value",
  lenient: false,
  fail(message, { hint, ...at } = {}) {
    throw new SpoorError("trace.bad-record", `The value${at.path === undefined ? "" : ` (${at.path})`} ${message}.`, {
      at,
      ...(hint === undefined ? {} : { hint }),
    });
  },
};
