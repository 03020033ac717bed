/**
 * A file as it leaves the machine: what it is, byte for byte, unless there is a secret in it. Then the secret is taken out where it stands, in the format
 * that the file has: the service reads it as it would have been read here, and counts what was not understood as here. What cannot be changed in its own
 * format (an archive, a database) goes as agent logs.
 */
import type { Json } from "@spoor/core";
import { packRequests } from "@spoor/core/internal/canonical/pack-requests";
import { redactPayloads } from "@spoor/core/internal/redact/redact-records";
import type { Redaction } from "@spoor/core/internal/redact/redaction";
import { parseJsonText } from "@spoor/core/internal/trace/call-shape";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import type { TraceRecord } from "@spoor/core/internal/trace/record";
import { writeAgentlog } from "../formats/agentlog.ts";
import { loadOtlpProtobuf, splitRequests } from "../formats/otel/otlp-protobuf.ts";
import { findCompanions } from "../load/claude-companions.ts";
import { openInput } from "../load/input.ts";
import { parseDocuments } from "../load/parse-document.ts";
import { readTraceFile, type TraceFile } from "../load/read-trace-file.ts";
import { isSqlite } from "../load/sqlite/pages.ts";
import { isZip } from "../load/zip.ts";
import { redactOtlp } from "../record/otlp/otlp-document.ts";

export interface PushedContent {
  readonly bytes: Buffer;
  /** Which of several recordings of one file; absent where a file is sent as it is. */
  readonly entry?: string;
}

/** Reads it first: what no reader of ours understands is no recording, and is not sent. Throws the reader's errors. */
export async function contentToPush(file: string, redaction: Redaction): Promise<readonly PushedContent[]> {
  const read = await readTraceFile(file, {});
  const bytes = await wholeFile(file);
  // Of a database much more would leave than its runs, and what its log says would be missing.
  if (isZip(bytes) || isSqlite(bytes)) return agentlogsOf(read, redaction);
  if (read.format === "agentlog") return [{ bytes: redactedAgentlog(bytes, read, redaction) }];
  if (read.format === "otlp-protobuf") return [{ bytes: await redactedProtobuf(bytes, redaction) }];
  const json =
    read.format === "otlp" || read.format === "tempo"
      ? (value: Json) => redactOtlp(value, redaction)
      : (value: Json) => redaction.json(value);
  if (read.format === "claude-code") return [{ bytes: redactedSession(file, bytes, json) }];
  return [{ bytes: redactedText(file, bytes, json, redaction) }];
}

async function wholeFile(file: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const chunk of openInput(file, { lenient: false }).chunks) {
    parts.push(chunk);
    // Of a database nothing is sent as it is, and it may be larger than memory.
    if (isSqlite(parts[0]!)) break;
  }
  return Buffer.concat(parts);
}

type RedactJson = (value: Json) => Json;

/** Ids are digests of what records say, so that they are made anew; requests that name others by them are written whole and packed again. */
function redactedAgentlog(bytes: Buffer, { imported }: TraceFile, redaction: Redaction): Buffer {
  const records = imported.flatMap((one) => one.records);
  const kept = redactPayloads(records, redaction.json);
  const isSame = kept.every((record, index) => record.payload === records[index]!.payload);
  return isSame ? bytes : Buffer.from(writeAgentlog(packRequests(kept)));
}

/** Of protobuf nothing can be taken out in place: with a secret it goes as the JSON that says the same. */
async function redactedProtobuf(bytes: Buffer, redaction: Redaction): Promise<Buffer> {
  const { decode } = await loadOtlpProtobuf();
  const documents = splitRequests(bytes).map((request) => decode(request));
  const kept = documents.map((document) => redactOtlp(document, redaction));
  return kept.every((document, index) => isSame(document, documents[index]!)) ? bytes : linesOfJson(kept);
}

/** A session of Claude Code with the files of its sub-agents, which the service could not find: as if they stood in one. */
function redactedSession(file: string, bytes: Buffer, json: RedactJson): Buffer {
  const companions = findCompanions(file, false);
  if (companions === undefined) return redactedLines(bytes.toString("utf8"), json, (line) => line) ?? bytes;
  const lines: string[] = [];
  for (const line of linesOf(bytes.toString("utf8"))) {
    const value = parseJsonText(line);
    if (value !== undefined) for (const before of companions.before(value)) lines.push(stringifyJson(json(before)));
    lines.push(value === undefined ? line : stringifyJson(json(value)));
  }
  for (const value of companions.rest()) lines.push(stringifyJson(json(value)));
  return Buffer.from(`${lines.join("\n")}\n`);
}

/** JSON lines, a JSON document, or words for people. */
function redactedText(file: string, bytes: Buffer, json: RedactJson, redaction: Redaction): Buffer {
  const text = bytes.toString("utf8");
  const first = text.trimStart()[0];
  if (first !== "{" && first !== "[") {
    const kept = redaction.text(text);
    return kept === text ? bytes : Buffer.from(kept);
  }
  const lines = linesOf(text);
  if (lines.length > 1 && parseJsonText(lines[0]!) !== undefined)
    return redactedLines(text, json, (line) => redaction.text(line)) ?? bytes;
  const documents = parseDocuments(file, bytes).map(({ value }) => value);
  const kept = documents.map(json);
  if (kept.every((value, index) => isSame(value, documents[index]!))) return bytes;
  return linesOfJson(kept);
}

function linesOfJson(values: readonly Json[]): Buffer {
  return Buffer.from(`${values.map((value) => stringifyJson(value)).join("\n")}\n`);
}

/** Undefined when no line changed. A line that is no JSON is what `other` makes of it. */
function redactedLines(text: string, json: RedactJson, other: (line: string) => string): Buffer | undefined {
  let isChanged = false;
  const lines = text.split("\n").map((line) => {
    const value = line.trim() === "" ? undefined : parseJsonText(line);
    const kept = value === undefined ? other(line) : keptLine(line, value, json(value));
    isChanged ||= kept !== line;
    return kept;
  });
  return isChanged ? Buffer.from(lines.join("\n")) : undefined;
}

function keptLine(line: string, before: Json, after: Json): string {
  return isSame(before, after) ? line : stringifyJson(after);
}

/** Most redactions give the very same value where they found nothing; spans are always walked through anew. */
function isSame(left: Json, right: Json): boolean {
  return left === right || stringifyJson(left) === stringifyJson(right);
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line.trim() !== "");
}

function agentlogsOf({ imported }: TraceFile, redaction: Redaction): PushedContent[] {
  return imported
    .filter(({ records }) => records.length > 0)
    .map(({ records, entry }) => ({
      bytes: Buffer.from(writeAgentlog(packRequests(redactPayloads(records as TraceRecord[], redaction.json)))),
      ...(entry === undefined ? {} : { entry }),
    }));
}
