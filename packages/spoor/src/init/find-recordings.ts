/**
 * Looks for recorded runs where people keep them. Bounded in folders, files and bytes, so that init answers at once in a
 * large repository; what cannot be read is counted, never an error: init only looks.
 */
import { type Dirent, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { compareCodePoints } from "@spoor/core/internal/canonical/canonical-json";
import { SpoorError } from "@spoor/core/internal/errors";
import { formats } from "../formats/formats.ts";
import { loadTraceFile } from "../load/load-traces.ts";
import type { Recordings, TraceGroup } from "./repository-facts.ts";

const MOST_DEPTH = 4;
const MOST_ENTRIES = 20_000;
const MOST_FILES = 300;
const MOST_BYTES = 256 * 2 ** 20;
const NEVER_FOLDERS =
  /^(\..*|node_modules|dist|build|out|target|vendor|coverage|venv|__pycache__|test|tests|fixtures|schemas|baselines)$/i;
const TRACE_FOLDERS =
  /^(traces?|runs?|logs?|recordings?|recorded|transcripts?|trajectories|spans|otel|otlp|sessions?|baseline|candidate|golden)$/i;
const TRACE_NAMES = /(trace|otlp|spans|transcript|trajectory|session)/i;
const ENDINGS = /\.(json|jsonl|ndjson|pb|traj)(\.gz)?$/i;
const AGENTLOG = /\.agentlog(\.gz)?$/i;

export async function findRecordings(root: string): Promise<Recordings> {
  const { files, cut, unreadable } = candidates(root);
  const groups = new Map<string, TraceGroup>();
  let bytes = 0;
  let left = 0;
  for (const { folder, name } of files) {
    const file = folder === "" ? name : `${folder}/${name}`;
    bytes += statSync(join(root, file), { throwIfNoEntry: false })?.size ?? 0;
    if (bytes > MOST_BYTES) left++;
    else await addFile(root, { folder, name, file }, groups, unreadable);
  }
  const sorted = [...groups.values()].sort(
    (one, other) => other.traces.length - one.traces.length || compareCodePoints(one.glob, other.glob),
  );
  return { groups: sorted, unreadable, cut: cut || left > 0 };
}

interface Candidate {
  readonly folder: string;
  readonly name: string;
}

/** Files that may be traces, by name and place, in a stable order; and folders that nobody let it look into. */
function candidates(root: string): { files: Candidate[]; cut: boolean; unreadable: string[] } {
  const files: Candidate[] = [];
  const unreadable: string[] = [];
  let entries = 0;
  let cut = false;
  const queue: { folder: string; depth: number; isTraces: boolean }[] = [{ folder: "", depth: 0, isTraces: false }];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const inside = readFolder(join(root, next.folder));
    if (inside === undefined) unreadable.push(`${next.folder === "" ? "." : next.folder}/`);
    for (const entry of inside ?? []) {
      if (++entries > MOST_ENTRIES || files.length >= MOST_FILES) return { files, cut: true, unreadable };
      const { name } = entry;
      if (entry.isDirectory()) {
        if (NEVER_FOLDERS.test(name)) continue;
        if (next.depth === MOST_DEPTH) cut = true;
        else
          queue.push({
            folder: next.folder === "" ? name : `${next.folder}/${name}`,
            depth: next.depth + 1,
            isTraces: next.isTraces || TRACE_FOLDERS.test(name),
          });
      } else if (entry.isFile() && mayBeTrace(name, next.isTraces)) files.push({ folder: next.folder, name });
    }
  }
  return { files, cut, unreadable };
}

function readFolder(folder: string): Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((one, other) => compareCodePoints(one.name, other.name));
  } catch {
    return undefined;
  }
}

function mayBeTrace(name: string, inTraceFolder: boolean): boolean {
  return AGENTLOG.test(name) || (ENDINGS.test(name) && (inTraceFolder || TRACE_NAMES.test(name)));
}

async function addFile(
  root: string,
  { folder, name, file }: Candidate & { file: string },
  groups: Map<string, TraceGroup>,
  unreadable: string[],
): Promise<void> {
  try {
    const path = root === process.cwd() ? file : join(root, file);
    const traces = (await loadTraceFile(path, { lenient: true })).filter(
      (trace) => trace.turns.length + trace.steps.length > 0,
    );
    if (traces.length === 0) return;
    const ending = name.slice(name.search(/(\.agentlog|\.[^.]+)(\.gz)?$/i));
    const glob = `${folder === "" ? "" : `${folder}/`}*${ending}`;
    const known = groups.get(glob);
    const format = formats.find((one) => one.name === traces[0]!.source.format)?.title ?? traces[0]!.source.format;
    groups.set(glob, {
      folder,
      glob,
      files: (known?.files ?? 0) + 1,
      format: known === undefined || known.format === format ? format : "trace",
      traces: [...(known?.traces ?? []), ...traces],
    });
  } catch (error) {
    if (!(error instanceof SpoorError)) throw error;
    // JSON that is no trace stands in every repository; a trace that is damaged is worth a word.
    const isOther = error.code === "trace.unknown-format" || error.code === "trace.empty";
    if (!isOther || AGENTLOG.test(name)) unreadable.push(file);
  }
}
