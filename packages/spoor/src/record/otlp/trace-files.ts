/**
 * A trace of spans as an `.agentlog`, written whole each time it grows; under one name from its first writing on. Traces without a root that are one run are
 * one file.
 */
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
import { isFragment } from "../../formats/activities/join-runs.ts";
import { agentlogLines } from "../../formats/agentlog.ts";
import type { ReadContext } from "../../formats/format.ts";
import { spansOfOtlp } from "../../formats/otel/otlp-json.ts";
import { readGroups, type SpanGroup, traceOfGroups, tracesOfSpans } from "../../formats/otel/records.ts";
import { splitThreadRuns } from "../../formats/otel/thread-runs.ts";
import { makeFolder } from "../../load/make-folder.ts";
import { writeWhole } from "../../load/write-file.ts";
import { type FragmentRun, FragmentRuns, type LonelyTraces } from "./fragment-runs.ts";
import type { TakenTrace } from "./otlp-traces.ts";

export interface TraceFiles {
  /** What has to be written because these traces came or grew: a piece for each file. */
  pieces(taken: readonly (readonly [string, TakenTrace])[], nowMs: number): TracePiece[];
  /** The path; undefined when no agent, model or tool is in it. */
  write(piece: TracePiece): Promise<string | undefined>;
  /** Lets go of what was joined and has been silent for long. */
  forget(nowMs: number): void;
  /** Traces without a root that nothing ties to another, and what would. */
  alone(): LonelyTraces | undefined;
  readonly paths: readonly string[];
}

/** What one file holds. */
export interface TracePiece {
  /** The traces that are in it. */
  readonly ids: readonly string[];
  records(): Promise<TraceRecord[] | undefined>;
}

export interface TraceFilesOptions {
  /** Files that an earlier receiver of the same folder wrote are gone on with. */
  readonly resume: boolean;
  /** What is known of every trace beforehand. */
  readonly stated: JsonObject;
  readonly blind?: RecordBlinder | undefined;
  /** Traces as they were kept, for those that are not in memory any more. */
  readonly lookUp?: (ids: ReadonlySet<string>) => Promise<ReadonlyMap<string, TakenTrace>>;
}

export async function createTraceFiles(
  folder: string,
  { resume, stated, blind, lookUp }: TraceFilesOptions,
): Promise<TraceFiles> {
  const names = resume ? await findWritten(folder) : new Map<string, string>();
  const fragments = new FragmentRuns();
  return {
    get paths() {
      return [...new Set(names.values())];
    },
    forget: (nowMs) => fragments.forget(nowMs),
    alone: () => fragments.alone(),
    pieces(taken, nowMs) {
      const touched = new Set<FragmentRun>();
      const whole: TracePiece[] = [];
      for (const [id, trace] of taken) {
        const fragment = fragmentOf(trace);
        if (fragment !== undefined) touched.add(fragments.place(id, fragment, nowMs));
        else {
          const left = fragments.leave(id);
          if (left !== undefined) {
            touched.add(left);
            if (left.members.size > 0) names.delete(id);
          }
          whole.push({ ids: [id], records: async () => recordsOfSpans(id, trace, stated) });
        }
      }
      const runs = [...touched].filter(({ members }) => members.size > 0);
      return [...whole, ...runs.map((run) => ({ ids: [...run.members.keys()], records: () => recordsOfRun(run) }))];
    },
    async write({ ids, records: seenIn }) {
      const seen = await seenIn();
      if (seen === undefined) return undefined;
      const records = blind === undefined ? seen : seen.map((record) => withoutContent(record, blind));
      const lines = agentlogLines(records);
      const [known, ...others] = new Set(ids.flatMap((id) => names.get(id) ?? []));
      if (known !== undefined) await writeWhole(known, lines, { durable: true, mode: 0o600 });
      const path = known ?? (await writeNew(records[0]!, lines));
      // What turned out to be one run stood in files of its own before.
      for (const other of others) await rm(other, { force: true });
      for (const id of ids) names.set(id, path);
      return path;
    },
  };

  async function recordsOfRun(run: FragmentRun): Promise<TraceRecord[] | undefined> {
    const missing = new Set([...run.members].filter(([, group]) => group === undefined).map(([id]) => id));
    if (missing.size > 0 && lookUp !== undefined)
      for (const [id, trace] of await lookUp(missing)) run.members.set(id, groupsOf(trace)[0]);
    return recordsOfGroups(run.groups(), stated);
  }

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
    const first = await firstPayload(path);
    const joined = member(first, JOINED);
    for (const id of [member(first, ORIGIN), ...(Array.isArray(joined) ? joined : [])])
      if (typeof id === "string") found.set(id, path);
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
/** And those of all that were joined, where there is more than one. */
const JOINED = "otel_trace_ids";

const context: ReadContext = {
  file: "otlp",
  // A batch of nothing but HTTP spans is no error of the program that sends it.
  lenient: true,
  fail(message) {
    throw new SpoorError("trace.bad-record", `The spans cannot be read: ${message}.`, {});
  },
};

function groupsOf({ document }: TakenTrace): SpanGroup[] {
  return readGroups(splitThreadRuns(spansOfOtlp([document], "resourceSpans", context).spans));
}

/** Undefined when no agent, model or tool is in it. `stated` is what is known of it beforehand. */
export function recordsOfSpans(traceId: string, trace: TakenTrace, stated: JsonObject): TraceRecord[] | undefined {
  const [imported] = tracesOfSpans(spansOfOtlp([trace.document as Json], "resourceSpans", context), context);
  return ended(imported?.records, [traceId], trace, stated);
}

/** Traces without a root that are one run, in the order in which they began. */
export function recordsOfGroups(groups: readonly SpanGroup[], stated: JsonObject): TraceRecord[] | undefined {
  const spans = groups.reduce((sum, group) => sum + group.spans.length, 0);
  const ids = groups.map(({ traceId }) => traceId);
  return ended(traceOfGroups(groups)?.records, ids, { spans, missingParents: 0, isRemote: false }, stated);
}

/** The group of a trace that is one without a root, of which nothing is missing. */
export function fragmentOf(trace: TakenTrace): SpanGroup | undefined {
  const [group, ...others] = groupsOf(trace);
  const isWhole = trace.rootEnded && trace.missingParents === 0 && others.length === 0;
  return group !== undefined && isWhole && isFragment(group) ? group : undefined;
}

type End = Pick<TakenTrace, "spans" | "missingParents" | "isRemote">;

function ended(
  records: readonly TraceRecord[] | undefined,
  ids: readonly string[],
  end: End,
  stated: JsonObject,
): TraceRecord[] | undefined {
  const [first, ...rest] = records ?? [];
  if (first === undefined) return undefined;
  const origin = { [ORIGIN]: ids[0]!, ...(ids.length > 1 ? { [JOINED]: ids } : {}) };
  const payload = isObject(first.payload) ? { ...stated, ...first.payload, door: "otlp", ...origin } : first.payload;
  return [{ ...first, payload }, ...rest, ...endOf(end)];
}

/** What is missing between spans that came is a gap that every lens counts; a caller elsewhere is none. */
function endOf({ spans, missingParents, isRemote }: End): TraceRecord[] {
  const closed = event("closed", { spans, missing_parents: missingParents });
  return missingParents === 0 || isRemote ? [closed] : [event("gap", { missing_parents: missingParents }), closed];
}

function event(name: string, attributes: Readonly<Record<string, number>>): TraceRecord {
  const severity = name === "gap" ? "warning" : "info";
  return { kind: "harness_event", payload: { category: "recording", name, severity, attributes: { ...attributes } } };
}
