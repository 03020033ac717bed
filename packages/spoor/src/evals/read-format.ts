/** Values in a known format → the records of one run: a live stream, or what was printed and recognised. */
import type { Json } from "@spoor/core";
import { clockOfMs } from "@spoor/core/internal/providers/clock";
import { overlooked } from "@spoor/core/internal/providers/plain-evidence";
import { mostlyStrange } from "@spoor/core/internal/providers/require-understood";
import { extended } from "@spoor/core/internal/trace/extended";
import { type Format, type ImportedTrace, type ReadContext, SAMPLE_LINES, type Sample } from "../formats/format.ts";
import { ProviderError, type ReadOutput, type ReceivedLine } from "./providers/provider.ts";

export function readLines(format: Format, lines: readonly ReceivedLine[], caseId: string): ReadOutput {
  const reader = format.openLines?.(contextOf(format));
  if (reader === undefined) throw badOutput(format, "it is lines of JSON, which that format is not");
  for (const [index, { value, at }] of lines.entries()) reader.line(value, index + 1, clockOfMs(at ?? Number.NaN));
  return chooseTrace(
    format,
    reader.finish(),
    lines.slice(0, SAMPLE_LINES).map(({ value }) => value),
    caseId,
  );
}

/** Every trace of such values, for whoever is to put them together. */
export function readEveryTrace(format: Format, { document, lines = [] }: Sample): readonly ImportedTrace[] {
  if (document !== undefined && format.readDocument !== undefined)
    return format.readDocument(document, contextOf(format, true));
  const reader = format.openLines?.(contextOf(format, true));
  const values = document === undefined ? lines : [document];
  for (const [index, value] of values.entries()) reader?.line(value, index + 1);
  return reader?.finish() ?? [];
}

export function readDocument(format: Format, document: Json, caseId: string): ReadOutput {
  if (format.readDocument === undefined) return readLines(format, [{ value: document }], caseId);
  return chooseTrace(format, format.readDocument(document, contextOf(format)), [document], caseId);
}

/** One run is one trace: the only one, or the one that bears the name of the case. */
function chooseTrace(
  format: Format,
  traces: readonly ImportedTrace[],
  values: readonly Json[],
  caseId: string,
): ReadOutput {
  const own = traces.length === 1 ? traces[0] : traces.find(({ entry }) => entry === caseId);
  if (own === undefined) throw badOutput(format, `it holds ${traces.length} traces, and none is named "${caseId}"`);
  refuseUnknown(format, mostlyStrange(own) ?? overlooked(traces, values));
  return extended(own, { format: format.name });
}

/** An output of which most was not understood must not look like an agent that did little. */
function refuseUnknown(format: Format, strange: string | undefined): void {
  if (strange !== undefined) throw badOutput(format, `most of it was not understood: ${strange}`);
}

function contextOf(format: Format, lenient = false): ReadContext {
  return {
    file: "the output",
    lenient,
    fail(message, at) {
      throw badOutput(format, `${at?.path ?? `line ${at?.line ?? 1}`} ${message}`);
    },
  };
}

function badOutput(format: Format, why: string): ProviderError {
  return new ProviderError("bad-output", `the output was read as ${format.title}, but ${why}`);
}
