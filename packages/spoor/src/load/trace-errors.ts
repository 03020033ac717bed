/** The errors people meet when a trace file cannot be read: what, where, what it means, what to do. */
import type { Json, JsonSyntaxError } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import type { Source } from "@spoor/core/internal/providers/require-understood";
import { isObject, member, stringMember } from "@spoor/core/internal/trace/json";
import type { Sample } from "../formats/format.ts";
import { formats, rankFormats } from "../formats/formats.ts";
import { unknownDatabase } from "./unknown-database.ts";

/** A file without a single record: no command takes it for a trace without faults. */
export function emptyTrace(file: string): SpoorError {
  return new SpoorError("trace.empty", `${file} is empty: there is no trace in it.`, {
    at: { file },
    consequence: "An empty file is no evidence of good behaviour, so it is not used.",
    hint: "Check that the recording finished, or leave the file out.",
  });
}

/** A file that is what it should be, and holds no run. */
export function noTraces(file: string, format: string, notes: readonly string[] = []): SpoorError {
  const title = formats.find(({ name }) => name === format)?.title ?? format;
  const why = notes.length === 0 ? "" : `: ${notes.slice(0, 3).join("; ")}`;
  return new SpoorError("trace.empty", `${file} is read as ${title}, and there is no trace in it${why}.`, {
    at: { file },
    consequence: "A file without a run is no evidence of good behaviour, so it is not used.",
    hint: "Check that the run was recorded, or leave the file out.",
  });
}

/** What an error about too little understood says of the file and of the ways out. */
export function notUnderstood(file: string, format: string, values: readonly Json[]): Source {
  const title = formats.find(({ name }) => name === format)?.title ?? format;
  return {
    what: `${file}, read as ${title},`,
    values,
    hint: "It may be a newer version or a fork: spoor formats lists what is read. To use what is understood: --lenient",
  };
}

/** A line, or a document when `line` is absent, that is not JSON. */
export function badJson(
  file: string,
  text: string,
  error: JsonSyntaxError,
  line?: number,
  goodLines?: number,
): SpoorError {
  const place = positionOf(text, error.begin ?? error.offset);
  const lineNumber = line ?? place.line;
  const ended = error.offset >= text.length;
  return new SpoorError(
    line === undefined ? "trace.bad-json" : "trace.bad-line",
    `${file}:${lineNumber}:${place.column} is not valid JSON: ${error.message}.`,
    {
      at: { file, line: lineNumber, column: place.column },
      excerpt: place.text,
      ...(error.begin === undefined ? {} : { excerptNote: "begins here" }),
      consequence: consequenceOf(goodLines, ended),
      hint:
        line === undefined
          ? "Check that the file was written to its end."
          : "To use the good lines and count the bad, add --lenient",
      cause: error,
    },
  );
}

function consequenceOf(goodLines: number | undefined, ended: boolean): string {
  const cutOff = ended ? "the file looks cut off while it was being written" : "";
  if (goodLines === undefined || goodLines === 0)
    return ended ? `The ${cutOff.slice(4)}. Nothing was read.` : "Nothing was read.";
  const fine = goodLines === 1 ? "One line before it is fine" : `${goodLines} lines before it are fine`;
  return `${fine}${ended ? `; ${cutOff}` : ""}. Nothing was read.`;
}

function positionOf(text: string, offset: number): { line: number; column: number; text: string } {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf("\n") + 1;
  const end = text.indexOf("\n", offset);
  return {
    line: before.split("\n").length,
    column: offset - start + 1,
    text: text.slice(start, end < 0 ? undefined : end).replace(/\r$/, ""),
  };
}

/** Content that no format claims; names the nearest one and what it lacks. */
export function unknownFormat(file: string, sample: Sample): SpoorError {
  if (sample.tables !== undefined) return unknownDatabase(file, sample.tables);
  if (sample.entries?.length === 0) {
    return new SpoorError("trace.empty", `${file} is a zip with nothing in it.`, {
      at: { file },
      consequence: "An empty file is no evidence of good behaviour, so it is not used.",
      hint: "Check that it was written to its end, or leave it out.",
    });
  }
  if (sample.entries !== undefined) {
    const some = sample.entries.slice(0, 3).join(", ");
    return new SpoorError("trace.unknown-format", `${file} is a zip of no trace format that Spoor knows (${some}).`, {
      at: { file },
      hint: "Unpack it and name the folder: spoor show FOLDER",
    });
  }
  if (sample.bytes !== undefined && isUtf16(sample.bytes)) {
    return new SpoorError("trace.bad-utf8", `${file} is text in UTF-16, and Spoor reads UTF-8.`, {
      at: { file },
      consequence: "Nothing of it was used. PowerShell writes UTF-16 when output is redirected with >.",
      hint: "Write it again as UTF-8: COMMAND | Out-File -Encoding utf8 FILE, or iconv -f UTF-16 -t UTF-8",
    });
  }
  if (sample.bytes !== undefined) {
    return new SpoorError("trace.unknown-format", `${file} is not text, and no binary trace format that Spoor knows.`, {
      at: { file },
      hint: "All formats: spoor formats",
    });
  }
  const value = sample.document ?? sample.lines?.[0];
  if (isStreamPiece(Array.isArray(value) ? value[0] : value)) {
    return new SpoorError(
      "trace.unknown-format",
      `${file} is a model's answer in the pieces in which it was streamed.`,
      {
        at: { file },
        consequence: "They do not say what was asked, nor what tools returned, so nothing of them was used.",
        hint: "Record the run: spoor record -- COMMAND. Or keep each request beside its whole response, one {request, response} per line, or the traffic as an HTTP archive (.har)",
      },
    );
  }
  const [nearest] = rankFormats(sample);
  const what = sample.document === undefined ? "is lines of JSON" : "is JSON";
  const parts: string[] = [];
  if (nearest !== undefined && nearest.recognition.score > 0) {
    const { has = [], lacks = [] } = nearest.recognition;
    const facts = [
      has.length > 0 ? `has ${quoteList(has)}` : "",
      lacks.length > 0 ? `lacks ${quoteList(lacks)}` : "",
    ].filter((fact) => fact !== "");
    parts.push(`Nearest: ${nearest.format.title}${facts.length > 0 ? ` (${facts.join(", ")})` : ""}.`);
  }
  if (isObject(value)) parts.push(`Top-level keys: ${Object.keys(value).slice(0, 8).join(", ") || "none"}.`);
  return new SpoorError("trace.unknown-format", `${file} ${what}, but no trace format that Spoor knows.`, {
    at: { file },
    consequence: parts.join(" "),
    hint:
      nearest !== undefined && nearest.recognition.score > 0
        ? `All formats: spoor formats. If it is ${nearest.format.title}: --from ${nearest.format.name}`
        : "All formats: spoor formats",
  });
}

/** Chunks of chat completions, events of the Responses API and of Anthropic. */
function isStreamPiece(value: Json | undefined): boolean {
  if (member(value, "object") === "chat.completion.chunk") return true;
  return /^(?:response\.[a-z_.]+|message_start|content_block_(?:start|delta))$/.test(stringMember(value, "type") ?? "");
}

/** By its mark, or because text in Latin letters has a zero in every second byte. */
function isUtf16(bytes: Uint8Array): boolean {
  const [first, second, third, fourth] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  const begins = (letter: number | undefined) => letter === 0x7b || letter === 0x5b;
  return (begins(first) && second === 0 && fourth === 0) || (first === 0 && begins(second) && third === 0);
}

function quoteList(keys: readonly string[]): string {
  return keys.map((key) => `"${key}"`).join(", ");
}
