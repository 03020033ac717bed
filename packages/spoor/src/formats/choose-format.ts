/** Which format some content is in: by its name, or by the content. */
import type { Json } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { chooseReader } from "@spoor/core/internal/providers/recognition";
import { type Format, SAMPLE_LINES, type Sample } from "./format.ts";
import { formats } from "./formats.ts";
import { likelyFormats } from "./likely-formats.ts";

/** The format some content is in; undefined when none claims it. */
export function formatOf(sample: Sample): Format | undefined {
  return chooseReader(likelyFormats(sample), (format) => format.recognise(sample));
}

export function documentSample(document: Json): Sample {
  return { document, lines: [document] };
}

export function linesSample(lines: readonly Json[]): Sample {
  return { lines: lines.slice(0, SAMPLE_LINES) };
}

export function formatNamed(name: string): Format {
  const format = formats.find((candidate) => candidate.name === name);
  if (format !== undefined) return format;
  throw new SpoorError("usage.unknown-format", `There is no format called "${name}".`, {
    hint: `Known formats: ${formats.map((candidate) => candidate.name).join(", ")}.`,
  });
}
