/** Which format some content is in: by its name, or by the content. */
import { SpoorError } from "@spoor/core/internal/errors";
import type { Format, Sample } from "../formats/format.ts";
import { formats, rankFormats } from "../formats/formats.ts";

/** The format some content is in; undefined when none claims it. */
export function formatOf(sample: Sample): Format | undefined {
  // A format that is certain ends the search; with thousands of small files, asking all of them would cost more than reading.
  const certain = formats.find((format) => format.recognise(sample).score >= 1);
  if (certain !== undefined) return certain;
  const [first] = rankFormats(sample);
  return first !== undefined && first.recognition.score >= 0.5 ? first.format : undefined;
}

export function formatNamed(name: string): Format {
  const format = formats.find((candidate) => candidate.name === name);
  if (format !== undefined) return format;
  throw new SpoorError("usage.unknown-format", `There is no format called "${name}".`, {
    hint: `Known formats: ${formats.map((candidate) => candidate.name).join(", ")}.`,
  });
}
