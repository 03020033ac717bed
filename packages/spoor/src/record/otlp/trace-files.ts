/** A trace of spans as an `.agentlog`, written whole each time it grows; under one name from its first writing on. */
import { link, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Json, JsonObject, TraceRecord } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import type { RecordBlinder } from "@spoor/core/internal/fingerprint/blind-record";
import { isObject, member, stringMember } from "@spoor/core/internal/trace/json";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import { present } from "@spoor/core/internal/trace/present";
import { fileNames } from "@spoor/record/internal/node/recording-names";
import { temporaryBeside } from "@spoor/record/internal/node/temporary-file";
import { agentlogLines } from "../../formats/agentlog.ts";
import type { ReadContext } from "../../formats/format.ts";
import { spansOfOtlp } from "../../formats/otel/otlp-json.ts";
import { tracesOfSpans } from "../../formats/otel/records.ts";
import { makeFolder } from "../../load/make-folder.ts";
import { writeWhole } from "../../load/write-file.ts";
import type { TakenTrace } from "./otlp-traces.ts";

export interface TraceFiles {
  /** The path; undefined when no agent, model or tool is in it. */
  write(traceId: string, trace: TakenTrace): Promise<string | undefined>;
  readonly paths: readonly string[];
}

export interface TraceFilesOptions {
  /** Files that an earlier receiver of the same folder wrote are gone on with. */
  readonly resume: boolean;
  /** What is known of every trace beforehand. */
  readonly stated: JsonObject;
  readonly blind?: RecordBlinder | undefined;
}

export async function createTraceFiles(
  folder: string,
  { resume, stated, blind }: TraceFilesOptions,
): Promise<TraceFiles> {
  const names = resume ? await findWritten(folder) : new Map<string, string>();
  return {
    get paths() {
      return [...names.values()];
    },
    async write(traceId, trace) {
      const seen = recordsOfSpans(traceId, trace, stated);
      if (seen === undefined) return undefined;
      const records = blind === undefined ? seen : seen.map((record) => withoutContent(record, blind));
      const lines = agentlogLines(records);
      const known = names.get(traceId);
      if (known === undefined) names.set(traceId, await writeNew(records[0]!, lines));
      else await writeWhole(known, lines, { durable: true, mode: 0o600 });
      return names.get(traceId);
    },
  };

  /** Whole under the first name that nobody took: a link fails where a file is, and what it makes is never empty. */
  async function writeNew(first: TraceRecord, lines: Iterable<string>): Promise<string> {
    const inside = join(folder, ".run");
    await makeFolder(inside, { mode: 0o700 });
    const temporary = temporaryBeside(join(inside, "otlp"));
    try {
      await writeWhole(temporary, lines, { durable: true, mode: 0o600 });
      const scenario = stringMember(first.payload, "scenario_id");
      for (const name of fileNames({ key: "", traceId: "", ...present({ scenario }) }, 1, process.pid)) {
        const path = join(folder, name);
        if (await linkedTo(path, temporary)) return path;
      }
      throw new Error(`no name is left for a file in ${folder}`);
    } finally {
      await rm(temporary, { force: true });
    }
  }
}

async function linkedTo(path: string, existing: string): Promise<boolean> {
  try {
    await link(existing, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Its id was that of what it said. */
function withoutContent({ id: _, ...record }: TraceRecord, blind: RecordBlinder): TraceRecord {
  return { ...record, ...blind(record.kind, record.payload, record.meta ?? {}) };
}

/** By the first record of each file, which says where it came from. */
async function findWritten(folder: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const name of await readdir(folder)) {
    if (!name.endsWith(".agentlog")) continue;
    const path = join(folder, name);
    const traceId = stringMember(await firstPayload(path), ORIGIN);
    if (traceId !== undefined) found.set(traceId, path);
  }
  return found;
}

async function firstPayload(path: string): Promise<Json | undefined> {
  const file = await open(path);
  try {
    for await (const line of file.readLines()) return member(parseJson(line), "payload");
  } catch {
    // Not ours: another door's file, which is not whole.
  } finally {
    await file.close();
  }
  return undefined;
}

/** Where the id of the spans stands in a file's first record. */
const ORIGIN = "otel_trace_id";

const context: ReadContext = {
  file: "otlp",
  // A batch of nothing but HTTP spans is no error of the program that sends it.
  lenient: true,
  fail(message) {
    throw new SpoorError("trace.bad-record", `The spans cannot be read: ${message}.`, {});
  },
};

/** Undefined when no agent, model or tool is in it. `stated` is what is known of it beforehand. */
export function recordsOfSpans(traceId: string, trace: TakenTrace, stated: JsonObject): TraceRecord[] | undefined {
  const [imported] = tracesOfSpans(spansOfOtlp([trace.document as Json], "resourceSpans", context), context);
  const [first, ...rest] = imported?.records ?? [];
  if (first === undefined) return undefined;
  const payload = isObject(first.payload)
    ? { ...stated, ...first.payload, door: "otlp", [ORIGIN]: traceId }
    : first.payload;
  return [{ ...first, payload }, ...rest, ...endOf(trace)];
}

/** What is missing between spans that came is a gap that every lens counts; a caller elsewhere is none. */
function endOf({ spans, missingParents, isRemote }: TakenTrace): TraceRecord[] {
  const closed = event("closed", { spans, missing_parents: missingParents });
  return missingParents === 0 || isRemote ? [closed] : [event("gap", { missing_parents: missingParents }), closed];
}

function event(name: string, attributes: Readonly<Record<string, number>>): TraceRecord {
  const severity = name === "gap" ? "warning" : "info";
  return { kind: "harness_event", payload: { category: "recording", name, severity, attributes: { ...attributes } } };
}
