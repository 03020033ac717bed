/** The bytes of a file that is not lines → its JSON. */
import { isUtf8 } from "node:buffer";
import { SpoorError } from "@spoor/core/internal/errors";
import { JsonSyntaxError, parseRecordedJson, type RecordedJson } from "@spoor/core/internal/trace/parse-json";
import { badJson, emptyTrace } from "./trace-errors.ts";

export function parseDocument(file: string, bytes: Buffer): RecordedJson {
  const text = textOf(file, bytes);
  try {
    return parseRecordedJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw badJson(file, text, error);
    throw error;
  }
}

/** The same, or several documents one after the other, as console exporters print them. Never empty. */
export function parseDocuments(file: string, bytes: Buffer): readonly RecordedJson[] {
  return parseSeveral(textOf(file, bytes)) ?? [parseDocument(file, bytes)];
}

function textOf(file: string, bytes: Buffer): string {
  if (!isUtf8(bytes)) {
    throw new SpoorError("trace.bad-utf8", `${file} is not valid UTF-8.`, {
      at: { file },
      hint: "Save the file as UTF-8.",
    });
  }
  const text = bytes.toString("utf8", bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0);
  if (text.trim() === "") throw emptyTrace(file);
  return text;
}

/** Undefined unless the text is several whole documents, each beginning and ending at the margin. */
function parseSeveral(text: string): RecordedJson[] | undefined {
  if (!/^\}[ \t]*\r?\n\{/m.test(text)) return undefined;
  try {
    return text.split(/(?<=^\})[ \t]*\r?\n(?=\{)/m).map((piece) => parseRecordedJson(piece));
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}
