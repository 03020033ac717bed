/**
 * What a command printed, an HTTP agent answered or a function returned → records, by the formats that read files. One
 * record per case is told apart by its id. What no format knows is the answer itself, in plain words or as JSON; a stream
 * of events that nobody knows is an error, because reading it as an answer would look like an agent that did nothing.
 */
import type { Json } from "@spoor/core";
import { metadataRecord } from "@spoor/core/internal/providers/conversation";
import { isObject, member, stringifyJson, stringMember } from "@spoor/core/internal/trace/json";
import { JsonSyntaxError, parseRecordedJson } from "@spoor/core/internal/trace/parse-json";
import { agentv } from "../formats/agentv.ts";
import { formOf } from "../formats/agentv-forms.ts";
import { documentSample, formatOf, linesSample } from "../formats/choose-format.ts";
import type { Format, Sample } from "../formats/format.ts";
import { ProviderError, type ReadOutput } from "./providers/provider.ts";
import { readDocument, readLines } from "./read-format.ts";

/** `document`: what the text is as JSON, where that is known. */
export function readPrinted(text: string, caseId: string, document?: Json): ReadOutput {
  if (document !== undefined) return readParsed(text, caseId, { document });
  const counter = { notNumbers: 0 };
  const read = readParsed(text, caseId, parsePrinted(text, counter));
  if (counter.notNumbers === 0) return read;
  const note = `${counter.notNumbers} figures written as NaN or Infinity are read as absent`;
  return { ...read, problems: [...(read.problems ?? []), note] };
}

function readParsed(text: string, caseId: string, printed: Sample | string | undefined): ReadOutput {
  if (typeof printed === "string") return { ...readAnswerText(text), problems: [printed] };
  if (printed === undefined) return readAnswerText(text);
  // Lines of other tools have ids and outputs too: only what no other format knows is a batch of cases.
  const whole = formatOfPrinted(printed.document, printed.lines ?? []);
  const own = whole === undefined || whole === agentv ? ownRecord(printed, caseId) : undefined;
  const { document, lines = [] }: Sample = own === undefined ? printed : { document: own };
  const format = own === undefined ? whole : formatOfPrinted(document, lines);
  if (format === undefined) {
    if (document === undefined) refuseEvents(lines);
    return readAnswerText(own === undefined ? text : stringifyJson(own));
  }
  if (document !== undefined) return readDocument(format, document, caseId);
  const received = lines.map((value) => ({ value }));
  return readLines(format, received, caseId);
}

/** An answer in plain words. */
export function readAnswerText(text: string): ReadOutput {
  const answer = text.replace(/\r?\n$/, "");
  const content = answer === "" ? [] : [{ type: "text", text: answer }];
  return { format: "text", records: [metadataRecord(undefined, {}), { kind: "chat_response", payload: { content } }] };
}

/** Whether any record shows a tool call. */
export function hasCalls({ records }: ReadOutput): boolean {
  return records.some(({ kind, payload }) => {
    const content = member(payload, "content");
    const asks = Array.isArray(content) && content.some((part) => member(part, "type") === "tool_use");
    return kind === "tool_call" || asks;
  });
}

/** One JSON document, or objects line by line; a remark when it only begins like one; undefined for plain words. */
function parsePrinted(text: string, counter: { notNumbers: number }): Sample | string | undefined {
  const start = text.trimStart()[0];
  if (start !== "{" && start !== "[") return undefined;
  const document = parse(text, counter);
  if (!(document instanceof JsonSyntaxError)) return { document };
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const values = lines.length < 2 ? [] : lines.map((line) => parse(line, counter));
  if (values.length > 0 && values.every(isJsonObject)) return { lines: values };
  if (start === "[") return undefined;
  const before = text.slice(0, document.offset).split("\n");
  const place = `line ${before.length}, column ${before.at(-1)!.length + 1}`;
  return `the output begins like JSON but is not: ${document.message} (${place}); read as text`;
}

function parse(text: string, counter: { notNumbers: number }): Json | JsonSyntaxError {
  try {
    const { value, notNumbers } = parseRecordedJson(text);
    counter.notNumbers += notNumbers;
    return value;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error;
    throw error;
  }
}

function isJsonObject(value: Json | JsonSyntaxError): value is Json {
  return !(value instanceof JsonSyntaxError) && isObject(value);
}

/** The record of this case, when the output holds one per case. */
function ownRecord({ document, lines }: Sample, caseId: string): Json | undefined {
  const values = Array.isArray(document) ? document : lines;
  if (values === undefined || values.length === 0 || !values.every(isCaseRecord)) return undefined;
  const own = values.find((value) => idOf(value) === caseId);
  if (own === undefined)
    throw new ProviderError("bad-output", `what the batch printed has no answer for case ${caseId}`);
  return own;
}

function isCaseRecord(value: Json): boolean {
  const holdsOutput = ["output_messages", "output", "text", "tool_calls"].some(
    (key) => member(value, key) !== undefined,
  );
  return holdsOutput && idOf(value) !== undefined && member(value, "object") === undefined;
}

function idOf(value: Json): string | undefined {
  return stringMember(value, "id") ?? stringMember(value, "eval_id") ?? stringMember(value, "test_id");
}

/** A bare `{text}` is no evidence that a file is a trace, but it is how AgentV's commands answer. */
function formatOfPrinted(document: Json | undefined, lines: readonly Json[]): Format | undefined {
  const format = formatOf(document === undefined ? linesSample(lines) : documentSample(document));
  return format ?? (formOf(document)?.form === "answer" ? agentv : undefined);
}

function refuseEvents(lines: readonly Json[]): void {
  const types = lines.map(
    (line) => stringMember(line, "type") ?? stringMember(line, "event") ?? stringMember(line, "kind"),
  );
  if (!types.every((type) => type !== undefined)) return;
  const seen = [...new Set(types)].slice(0, 5).join(", ");
  throw new ProviderError("bad-output", `the output is ${lines.length} events that no format knows: ${seen}`);
}
