/**
 * Which runs hold a text, newest first: in their names, in what rules found, and in what they said and did, as the page of a run finds it (`refund.amount`).
 * Recordings are looked at one after the other, so many in one answer; the next answer goes on behind the last one that was looked at.
 */
import { setImmediate } from "node:timers/promises";
import { runHolds } from "@spoor/core/internal/gate/run-text";
import { buildRunView } from "@spoor/core/internal/report/run-view";
import type { Finding, RunFilter, Store, StoredRun } from "../store/store.ts";
import { findingsInPlace } from "./findings-in-place.ts";
import { keptSourceOf, type StoredBody, traceOfBody, unpackBody } from "./stored-body.ts";

/** Looked at for one answer: under half a second of a busy machine, for runs of usual length. */
const MOST_LOOKED = 200;
/** Of packed recordings, for one answer. */
const MOST_BYTES = 8_000_000;

export interface FoundRuns {
  readonly runs: readonly StoredRun[];
  /** So many were looked at. */
  readonly looked: number;
  /** Of them, those whose recording is no longer kept: only their names and findings were looked at. */
  readonly notKept: number;
  /** The last one that was looked at; absent when there is none behind it. */
  readonly last?: number;
}

interface Question {
  readonly filter: RunFilter;
  readonly text: string;
  readonly before: number | undefined;
  /** At most so many are found at once. */
  readonly limit: number;
}

export async function findInRuns(
  store: Store,
  projectId: number,
  { filter, text, before, limit }: Question,
): Promise<FoundRuns> {
  const wanted = text.toLowerCase();
  const candidates = await store.runs.page(projectId, filter, before, MOST_LOOKED + 1);
  const runs: StoredRun[] = [];
  let looked = 0;
  let notKept = 0;
  let bytes = 0;
  for (const run of candidates.slice(0, MOST_LOOKED)) {
    const body = await store.runs.body(projectId, run.id);
    looked++;
    if (body === undefined) notKept++;
    bytes += body?.bytes.length ?? 0;
    if (namesOf(run).includes(wanted) || (await holds(store, projectId, run, body, wanted))) runs.push(run);
    if (runs.length >= limit || bytes > MOST_BYTES) break;
    // Whoever asks this process meanwhile is answered between two of them.
    await setImmediate();
  }
  const last = looked < candidates.length ? candidates[looked - 1]!.id : undefined;
  return { runs, looked, notKept, ...(last === undefined ? {} : { last }) };
}

function namesOf({ name, scenario, trial, agent, release, model, externalId, stopReason }: StoredRun): string {
  return [name, scenario, trial, agent, release, model, externalId, stopReason].join("\n").toLowerCase();
}

async function holds(
  store: Store,
  projectId: number,
  run: StoredRun,
  body: StoredBody | undefined,
  wanted: string,
): Promise<boolean> {
  const findings = run.findings === 0 ? [] : await store.runs.findings(projectId, run.id);
  const found = findingsInPlace(findings);
  const said = [...found.whole, ...[...found.turns.values()].flat()].map(({ rule, message }) => `${rule} ${message}`);
  if (said.join("\n").toLowerCase().includes(wanted)) return true;
  if (body === undefined) return toolsHold(store, projectId, run, wanted);
  if (!mayHold(unpackBody(body), wanted)) return false;
  return viewHolds(store, projectId, run, body, findings, wanted);
}

async function toolsHold(store: Store, projectId: number, { id }: StoredRun, wanted: string): Promise<boolean> {
  const tools = await store.runs.tools(projectId, id);
  return tools.some(({ name }) => name.toLowerCase().includes(wanted));
}

async function viewHolds(
  store: Store,
  projectId: number,
  run: StoredRun,
  body: StoredBody,
  findings: readonly Finding[],
  wanted: string,
): Promise<boolean> {
  const reading = (await store.runs.stages(projectId, run.id)).find(({ stage }) => stage === "reading");
  if (reading === undefined) return false;
  const trace = traceOfBody(body, keptSourceOf(reading.result));
  return runHolds(buildRunView(trace, { findings: findingsInPlace(findings) }), wanted);
}

/** Words of ours that stand in no recording. */
const OUR_WORDS = "no result\nok\nerror\nunknown";

/** Whether all words stand somewhere in the recording; only then it is worth being read. Marks that JSON writes otherwise, and those of paths, part words. */
function mayHold(recording: string, wanted: string): boolean {
  const words = wanted.split(/[\s.[\]{}"'\\:,/\p{Cc}\p{Cs}\ufffd]+/u).filter((word) => word !== "");
  const text = `${recording.toLowerCase()}\n${OUR_WORDS}`;
  return words.every((word) => text.includes(word));
}
