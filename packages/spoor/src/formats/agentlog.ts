/**
 * `.agentlog`: Spoor's native format. One JSON object per line; the payload is content-addressed by its id.
 * Records of unknown kind are kept and counted. Ids, parents and times are checked by `verify`, not here.
 */
import type { Json, JsonObject, TraceRecord } from "@spoor/core";
import { contentId } from "@spoor/core/internal/canonical/digest";
import { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { expandRequests } from "@spoor/core/internal/trace/expand-requests";
import { isObject, member, stringifyJson } from "@spoor/core/internal/trace/json";
import { RECORD_VERSION, recordKinds } from "@spoor/core/internal/trace/record";
import { isClosingRecord } from "@spoor/core/internal/trace/recording-facts";
import { TraceAssembler } from "@spoor/core/internal/trace/trace-assembler";
import {
  ContentNeeded,
  type Format,
  NOT_RECOGNISED,
  type ReadContext,
  type Recognition,
  SAMPLE_LINES,
  type Sample,
} from "./format.ts";

const KNOWN_KINDS: ReadonlySet<string> = new Set(recordKinds);

export const agentlog: Format = {
  name: "agentlog",
  title: "Agent log",
  origin:
    "spoor record -- COMMAND and @spoor/record write it, one file per run (*.agentlog); shadow-diff recordings too",
  tells: ["results", "errors", "times", "tokens", "sub-agents", "requests"],
  marks: ["payload"],
  recognise,
  openLines(context) {
    const records: TraceRecord[] = [];
    const unknown = new UnknownCounter();
    let closed = false;
    const forgets = context.onlySteps === true;
    const assembler = forgets ? TraceAssembler.forgetting(records, SAMPLE_LINES) : new TraceAssembler(records);
    return {
      line(value, lineNumber) {
        const record = parseRecord(value, lineNumber, context);
        if (!KNOWN_KINDS.has(record.kind)) unknown.add(record.kind);
        records.push(record);
        assembler.take(records.length - 1);
        // How much was understood is counted in what was said; a request that adds to another one needs what that one said.
        if (forgets && !(assembler.isWhole && unknown.total === 0)) throw new ContentNeeded();
        closed ||= isClosingRecord(record);
      },
      mayEndTorn: () => records.length > 0 && !closed,
      finish: () => {
        // Whole before anything looks at them: what is redacted, converted or joined is what was asked.
        const onMissing = context.lenient ? () => unknown.add("request whose beginning is missing") : undefined;
        if (assembler.isWhole) return [{ records, assembler, ...unknown.result() }];
        return [{ records: expandRequests(records, { path: context.file, onMissing }), ...unknown.result() }];
      },
    };
  },
};

function recognise(sample: Sample): Recognition {
  const first = sample.lines?.find(isObject);
  if (first === undefined) return NOT_RECOGNISED;
  const keys = ["kind", "payload", "version", "id", "ts"];
  const has = keys.filter((key) => Object.hasOwn(first, key));
  const lacks = keys.filter((key) => !Object.hasOwn(first, key));
  const certain = typeof first["kind"] === "string" && Object.hasOwn(first, "payload");
  return { score: certain ? 0.6 + 0.4 * (has.length / keys.length) : 0.08 * has.length, has, lacks };
}

/** The envelope of a line. Of the positional form (an array of the seven fields) nothing is read: no writer makes it. */
export function parseRecord(value: Json, line: number, context: ReadContext): TraceRecord {
  if (!isObject(value)) return context.fail("is not a record: a record is a JSON object", { line });
  if (isPlainRecord(value)) return value as unknown as TraceRecord;
  for (const key of ["version", "id", "kind", "ts"]) {
    if (typeof member(value, key) !== "string") {
      const problem = Object.hasOwn(value, key) ? "is not a text" : "is missing";
      return context.fail(`is not a record: "${key}" ${problem}`, { line });
    }
  }
  if (!Object.hasOwn(value, "payload")) return context.fail('is not a record: "payload" is missing', { line });
  const parent = member(value, "parent");
  if (parent !== undefined && parent !== null && typeof parent !== "string") {
    return context.fail('is not a record: "parent" is neither a text nor null', { line });
  }
  const meta = member(value, "meta");
  if (meta !== undefined && meta !== null && !isObject(meta)) {
    return context.fail('is not a record: "meta" is not an object', { line });
  }
  return value as unknown as TraceRecord;
}

/** What nearly every line is, so that the rest, which finds the fault, is for the others. Objects inherit none of these names. */
function isPlainRecord(value: JsonObject): boolean {
  return (
    typeof value["kind"] === "string" &&
    typeof value["id"] === "string" &&
    typeof value["ts"] === "string" &&
    typeof value["version"] === "string" &&
    value["payload"] !== undefined &&
    (typeof value["parent"] === "string" || value["parent"] === null) &&
    (value["meta"] === undefined || value["meta"] === null)
  );
}

/**
 * Records as the lines of an `.agentlog`. Ids are computed where they are missing, parents are chained (a response's parent is its
 * request), and a record without a clock gets an empty `ts`: readers take any text, and no time is invented.
 */
export function* agentlogLines(records: Iterable<TraceRecord>): Generator<string> {
  let previous: string | null = null;
  for (const record of records) {
    const id = record.id ?? contentId(record.payload);
    const parent: string | null = record.parent === undefined ? previous : record.parent;
    const envelope: Record<string, Json> = {
      version: record.version ?? RECORD_VERSION,
      id,
      kind: record.kind,
      ts: record.ts ?? "",
      parent,
    };
    if (record.meta) envelope["meta"] = record.meta;
    envelope["payload"] = record.payload;
    yield `${stringifyJson(envelope as JsonObject)}\n`;
    previous = id;
  }
}

/** The same as one text; a very long trace is better written line by line. */
export function writeAgentlog(records: Iterable<TraceRecord>): string {
  return [...agentlogLines(records)].join("");
}
