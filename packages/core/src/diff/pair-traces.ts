/**
 * Which trace of the candidate side is which of the baseline side: by the task they worked on (scenario or task id), else by file
 * name, else by trace id. What has no partner is reported, never compared with something else.
 */
import { present } from "../trace/present.ts";
import type { Trace } from "../trace/trace.ts";
import { fileStem, nameTraces } from "../trace/trace-name.ts";
import type { TraceMatching, UnmatchedTrace } from "./diff-report.ts";

export interface TracePair {
  /** What people call the pair: the candidate's name. */
  readonly name: string;
  /** What the two were matched by, where that may hold for several runs. */
  readonly task?: string;
  readonly baseline: Trace;
  readonly candidate: Trace;
}

export interface PairedTraces {
  readonly pairs: readonly TracePair[];
  readonly matching: TraceMatching;
  /** Traces without a partner: not compared turn by turn, and not forgotten. */
  readonly alone: { readonly baseline: readonly Trace[]; readonly candidate: readonly Trace[] };
}

export function pairTraces(baselineTraces: readonly Trace[], candidateTraces: readonly Trace[]): PairedTraces {
  const baseline = nameTraces(baselineTraces);
  const candidate = nameTraces(candidateTraces);
  if (baseline.length === 1 && candidate.length === 1) {
    const pairs = [pairOf(baseline[0]!, candidate[0]!)];
    return pairedBy("pair", pairs, [], []);
  }
  const ways: readonly { readonly by: TraceMatching["by"]; readonly markOf: (trace: Trace) => string | undefined }[] = [
    { by: "scenario", markOf: (trace) => trace.scenario },
    { by: "file_name", markOf: fileAndEntry },
    { by: "trace_id", markOf: givenId },
  ];
  // The way that finds most partners; the earlier one on ties, because a task says more than a file name.
  const tried = ways.map(({ by, markOf }) => matchBy(by, markOf, baseline, candidate));
  const best = tried.reduce((one, next) => (next.pairs.length > one.pairs.length ? next : one));
  return best.pairs.length > 0 ? best : (matchVariants(baseline, candidate) ?? best);
}

function pairOf(baseline: Trace, candidate: Trace, task?: string): TracePair {
  return { name: candidate.name, ...(task === undefined ? {} : { task }), baseline, candidate };
}

function pairedBy(
  by: TraceMatching["by"],
  pairs: readonly TracePair[],
  baseline: readonly Trace[],
  candidate: readonly Trace[],
  markOf: (trace: Trace) => string | undefined = () => undefined,
): PairedTraces {
  const refs = (traces: readonly Trace[]): UnmatchedTrace[] =>
    traces.map((trace) => {
      const { path, entry } = trace.source;
      return present({ key: trace.key, name: trace.name, path, entry, task: markOf(trace) });
    });
  return {
    pairs,
    matching: { by, pairs: pairs.length, onlyBaseline: refs(baseline), onlyCandidate: refs(candidate) },
    alone: { baseline, candidate },
  };
}

/** An id that someone gave; the content id of a first record is shared by every run that begins alike. */
function givenId({ id }: Trace): string | undefined {
  return id === "" || id.startsWith("sha256:") ? undefined : id;
}

/** Traces of one file are told apart by their entries. */
function fileAndEntry({ source }: Trace): string | undefined {
  const stem = fileStem(source);
  return stem === undefined || source.entry === undefined ? stem : `${stem} ${source.entry}`;
}

/**
 * One side ran each task in several variants: `banking/user_task_3` against `banking/user_task_3/injection_task_1`, `…_2`. The plain
 * run then stands against every variant of its task.
 */
function matchVariants(baseline: readonly Trace[], candidate: readonly Trace[]): PairedTraces | undefined {
  const plain = new Map(
    baseline.flatMap((trace) => (trace.scenario === undefined ? [] : [[trace.scenario, trace] as const])),
  );
  const used = new Set<Trace>();
  const pairs: TracePair[] = [];
  const onlyCandidate: Trace[] = [];
  for (const trace of candidate) {
    const partner = longestPrefix(plain, trace.scenario);
    if (partner === undefined) onlyCandidate.push(trace);
    else {
      pairs.push(pairOf(partner, trace));
      used.add(partner);
    }
  }
  if (pairs.length === 0) return undefined;
  const onlyBaseline = baseline.filter((trace) => !used.has(trace));
  return pairedBy("task_variant", pairs, onlyBaseline, onlyCandidate);
}

function longestPrefix(traces: ReadonlyMap<string, Trace>, scenario: string | undefined): Trace | undefined {
  for (let end = scenario?.lastIndexOf("/") ?? -1; end > 0; end = scenario!.lastIndexOf("/", end - 1)) {
    const found = traces.get(scenario!.slice(0, end));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Several traces with one mark (repeated trials) are paired in order. */
function matchBy(
  by: TraceMatching["by"],
  markOf: (trace: Trace) => string | undefined,
  baseline: readonly Trace[],
  candidate: readonly Trace[],
): PairedTraces {
  const waiting = new Map<string, Trace[]>();
  const onlyCandidate: Trace[] = [];
  for (const trace of candidate) {
    const mark = markOf(trace);
    const queue = mark === undefined ? undefined : waiting.get(mark);
    if (mark === undefined) onlyCandidate.push(trace);
    else if (queue === undefined) waiting.set(mark, [trace]);
    else queue.push(trace);
  }
  const pairs: TracePair[] = [];
  const onlyBaseline: Trace[] = [];
  for (const trace of baseline) {
    const mark = markOf(trace);
    const partner = mark === undefined ? undefined : waiting.get(mark)?.shift();
    if (partner === undefined) onlyBaseline.push(trace);
    else pairs.push(pairOf(trace, partner, mark));
  }
  for (const rest of waiting.values()) for (const trace of rest) onlyCandidate.push(trace);
  return pairedBy(by, pairs, onlyBaseline, onlyCandidate, markOf);
}
