/** Runs out of the store as the traces they were when they arrived, for whoever looks at several of them together. */
import { setImmediate } from "node:timers/promises";
import type { Trace } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import type { ReportInput } from "@spoor/core/internal/report/report";
import { nameTraces } from "@spoor/core/internal/trace/trace-name";
import type { Store, StoredRun } from "../store/store.ts";
import { keptSourceOf, traceOfBody } from "./stored-body.ts";

export interface ReleaseName {
  readonly agent: string;
  readonly release: string;
  /** Only the runs of this scenario. */
  readonly scenario?: string;
}

/** Runs of one side that are looked at together: what fits into the memory of one process. */
const MOST_RUNS = 2000;

/** The runs of a release in the order in which they arrived. None, or more than `most`, is an error: leaving some out would judge another release. */
export async function releaseRuns(
  store: Store,
  projectId: number,
  { agent, release, scenario }: ReleaseName,
  most = MOST_RUNS,
): Promise<StoredRun[]> {
  const filter = { agent, release, ...(scenario === undefined ? {} : { scenario }) };
  const runs = await store.runs.page(projectId, filter, undefined, most + 1);
  if (runs.length === 0)
    throw new SpoorError("server.no-runs", `There is no run of ${agent} in release ${release}.`, {
      consequence: "Nothing was evaluated, and nothing evaluated is no pass.",
      hint: `Send some: spoor push FOLDER --agent ${agent} --release ${release}`,
    });
  if (runs.length > most) throw tooMany(`Release ${release} of ${agent} has more than ${most} runs.`);
  return runs.toReversed();
}

function tooMany(message: string): SpoorError {
  return new SpoorError("server.too-many-runs", message, {
    consequence: "Nothing was evaluated: leaving some out would judge another release.",
    hint: "Send a release's test runs under a name of their own, or ask for one scenario at a time.",
  });
}

/** `AGENT@RELEASE`; undefined for any other text. */
export function parseReleaseName(text: string): ReleaseName | undefined {
  const at = text.indexOf("@");
  if (at <= 0 || at === text.length - 1) return undefined;
  return { agent: text.slice(0, at), release: text.slice(at + 1) };
}

export interface ReadRun {
  readonly run: StoredRun;
  readonly trace: Trace;
}

export async function storedTraces(...given: Parameters<typeof readRuns>): Promise<readonly Trace[]> {
  return (await readRuns(...given)).map(({ trace }) => trace);
}

/** In the order in which a folder of the same files would be read. `mostBytes`: of the recordings as they are kept. */
export async function readRuns(
  store: Store,
  projectId: number,
  runs: readonly StoredRun[],
  mostBytes: number = Number.POSITIVE_INFINITY,
): Promise<readonly ReadRun[]> {
  const read: ReadRun[] = [];
  let bytes = 0;
  for (const run of runs) {
    const { trace, size } = await readStored(store, projectId, run);
    bytes += size;
    if (bytes > mostBytes)
      throw tooMany(`The recordings of these ${runs.length} runs are larger than ${Math.round(mostBytes / 1e6)} MB.`);
    read.push({ run, trace });
    // Whoever asks this process meanwhile is answered between two of them.
    await setImmediate();
  }
  const placed = read.map((one) => ({ ...one, path: one.trace.source.path ?? "" }));
  placed.sort((left, right) => (left.path < right.path ? -1 : left.path > right.path ? 1 : 0));
  const named = nameTraces(placed.map(({ trace }) => trace));
  return placed.map(({ run }, index) => ({ run, trace: named[index]! }));
}

/** A run as a trace, as it was read when it arrived. */
export async function traceOfRun(store: Store, projectId: number, run: RunName): Promise<Trace> {
  return (await readStored(store, projectId, run)).trace;
}

type RunName = Pick<StoredRun, "id" | "name">;

async function readStored(store: Store, projectId: number, run: RunName): Promise<{ trace: Trace; size: number }> {
  const body = await store.runs.body(projectId, run.id);
  const reading = (await store.runs.stages(projectId, run.id)).find(({ stage }) => stage === "reading");
  if (body === undefined || reading === undefined)
    throw new SpoorError("server.body-gone", `What ${run.name} said and did is no longer kept, only its figures.`, {
      consequence: "Nothing was evaluated.",
      hint: "Compare with a newer release, or keep bodies longer: docs/operations.md.",
    });
  return { trace: traceOfBody(body, keptSourceOf(reading.result)), size: body.bytes.length };
}

/** What a report of stored runs says it was made of. */
export function* inputsOfTraces(role: "baseline" | "candidate", traces: readonly Trace[]): Generator<ReportInput> {
  for (const path of new Set(traces.map(({ source, key }) => source.path ?? key))) yield { role, path };
}

/** What tells one set of runs from another. */
export function contentIds(runs: readonly Pick<StoredRun, "contentId">[]): readonly string[] {
  return runs.map(({ contentId }) => Buffer.from(contentId).toString("hex"));
}
