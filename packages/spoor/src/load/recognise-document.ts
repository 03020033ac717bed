/**
 * The format of a JSON document, parsed and recognised but not imported: what has to be known of it before it is kept, at half the price of reading it.
 * Undefined where the content is anything else, or nothing that is known: whoever wants to say why reads it.
 */
import { SpoorError } from "@spoor/core/internal/errors";
import { documentSample, formatOf } from "../formats/choose-format.ts";
import { parseDocument } from "./parse-document.ts";

export function recogniseDocument(file: string, bytes: Buffer): string | undefined {
  const first = bytes.find((byte) => byte > 0x20);
  const isJson = first === 0x7b || first === 0x5b;
  // Values at the margin, one below the other: lines, or several documents.
  if (!isJson || bytes.includes("\n{") || bytes.includes("\n[")) return undefined;
  try {
    return formatOf(documentSample(parseDocument(file, bytes).value))?.name;
  } catch (error) {
    if (error instanceof SpoorError) return undefined;
    throw error;
  }
}
