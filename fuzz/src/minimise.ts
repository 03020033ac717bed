/**
 * The smallest file that still goes wrong in the same way. Delta debugging (Zeller and Hildebrandt, 2002) over what the file is made of:
 * the values of a document, the lines of a text, then its characters.
 */
import type { Json } from "@spoor/core";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import { deleteAt, type JsonNode, listNodes, replaceAt, valueAt } from "./mutate/json-nodes.ts";

/** Whether a file still shows the defect. */
export type StillFails = (bytes: Buffer) => Promise<boolean>;

export async function minimise(bytes: Buffer, stillFails: StillFails, mostTries = 1_500): Promise<Buffer> {
  let tries = 0;
  const test: StillFails = async (smaller) => ++tries <= mostTries && (await stillFails(smaller));
  const document = documentOf(bytes);
  if (document !== undefined) return minimiseDocument(bytes, test);
  const lines = await minimisePieces(bytes, "\n", test);
  const values = await minimiseLines(lines, test);
  return minimisePieces(values, "", test);
}

/** Every value, from the top down: away with it, or something small in its place. A change that helps is kept, and its place tried again. */
async function minimiseDocument(bytes: Buffer, stillFails: StillFails): Promise<Buffer> {
  let best = bytes;
  for (let place = 0; ; ) {
    const smaller = await firstThatFails(best, place, stillFails);
    if (smaller === "no such place") return best;
    if (smaller === undefined) place++;
    else best = smaller;
  }
}

async function firstThatFails(
  best: Buffer,
  place: number,
  stillFails: StillFails,
): Promise<Buffer | undefined | "no such place"> {
  for (const change of CHANGES) {
    const holder = [documentOf(best)!] as Json[];
    const node = listNodes(holder)[place];
    if (node === undefined) return "no such place";
    change(node);
    if (holder.length === 0) continue;
    const smaller = Buffer.from(stringifyJson(holder[0]!));
    if (smaller.length < best.length && (await stillFails(smaller))) return smaller;
  }
  return undefined;
}

const CHANGES: readonly ((node: JsonNode) => void)[] = [
  deleteAt,
  (node) => replaceAt(node, null),
  (node) => replaceAt(node, Array.isArray(valueAt(node)) ? [] : {}),
  (node) => halve(node),
];

function halve(node: JsonNode): void {
  const value = valueAt(node);
  if (typeof value === "string" || Array.isArray(value)) replaceAt(node, value.slice(0, value.length >> 1) as Json);
}

/** Lines that are documents, each made smaller among the others. */
async function minimiseLines(bytes: Buffer, stillFails: StillFails): Promise<Buffer> {
  const lines = bytes.toString("utf8").split("\n");
  for (const [index, line] of lines.entries()) {
    if (typeof documentOf(Buffer.from(line)) !== "object") continue;
    const among = (text: Buffer) => Buffer.from(lines.with(index, text.toString("utf8")).join("\n"));
    lines[index] = (await minimiseDocument(Buffer.from(line), (text) => stillFails(among(text)))).toString("utf8");
  }
  return Buffer.from(lines.join("\n"));
}

/** Pieces are left out, first half of them at a time, then fewer. Bytes that are no text are cut as bytes. */
async function minimisePieces(bytes: Buffer, separator: "\n" | "", stillFails: StillFails): Promise<Buffer> {
  const text = bytes.toString("utf8");
  const isText = Buffer.from(text).equals(bytes);
  if (separator === "\n" && !isText) return bytes;
  const join = (pieces: readonly (string | number)[]) =>
    isText ? Buffer.from(pieces.join(separator)) : Buffer.from(pieces as number[]);
  let pieces: (string | number)[] = isText ? text.split(separator) : [...bytes];
  for (let size = pieces.length >> 1; size >= 1; size = size >> 1)
    for (let from = 0; from < pieces.length; ) {
      const fewer = pieces.toSpliced(from, size);
      if (await stillFails(join(fewer))) pieces = fewer;
      else from += size;
    }
  return join(pieces);
}

function documentOf(bytes: Buffer): Json | undefined {
  try {
    return parseJson(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}
