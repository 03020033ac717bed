/**
 * Which trace of the candidate side is which of the baseline side: by the task they worked on (scenario or task id), else by file
 * name, else by trace id. What has no partner is reported, never compared with something else.
 */
import type { Trace } from "../trace/trace.ts";
import type { TraceMatching } from "./diff-report.ts";

export interface TracePair {
  /** What people call the pair: the task, or the file's name. */
  readonly name: string;
  readonly baseline: Trace;
  readonly candidate: Trace;
}

export interface PairedTraces {
  readonly pairs: readonly TracePair[];
  readonly matching: TraceMatching;
}

export function pairTraces(baseline: readonly Trace[], candidate: readonly Trace[]): PairedTraces {
  if (baseline.length === 1 && candidate.length === 1) {
    const pair = { name: traceName(candidate[0]!), baseline: baseline[0]!, candidate: candidate[0]! };
    return { pairs: [pair], matching: { by: "pair", pairs: 1, onlyBaseline: [], onlyCandidate: [] } };
  }
  const ways: readonly { readonly by: TraceMatching["by"]; readonly nameOf: (trace: Trace) => string | undefined }[] = [
    { by: "scenario", nameOf: (trace) => trace.scenario },
    { by: "file name", nameOf: fileName },
    { by: "trace id", nameOf: namedId },
  ];
  // The way that finds most partners; the earlier one on ties, because a task says more than a file name.
  const tried = ways.map(({ by, nameOf }) => matchBy(by, nameOf, baseline, candidate));
  const best = tried.reduce((one, next) => (next.pairs.length > one.pairs.length ? next : one));
  return best.pairs.length > 0 ? best : (matchVariants(baseline, candidate) ?? best);
}

/** An id that someone gave; the content id of a first record is shared by every run that begins alike. */
function namedId({ id }: Trace): string | undefined {
  return id === "" || id.startsWith("sha256:") ? undefined : id;
}

/** What a trace is called: its task, its file's name, or its id. */
export function traceName(trace: Trace): string {
  const file = fileName(trace);
  if (trace.source.entry !== undefined) return trace.scenario ?? trace.source.entry;
  return file ?? trace.scenario ?? trace.id;
}

/** The file's name without folder and endings: `runs/ticket-1042.agentlog.gz` → `ticket-1042`. */
function fileName(trace: Trace): string | undefined {
  const { path, entry } = trace.source;
  if (path === undefined || path === "-") return undefined;
  const name = path
    .replace(/^.*[\\/]/, "")
    .replace(/(?<=.)\.(gz|agentlog|jsonl?|ndjson)$/gi, "")
    .replace(/(?<=.)\.(agentlog|jsonl?|ndjson)$/i, "");
  return entry === undefined ? name : `${name} ${entry}`;
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
  const onlyCandidate: string[] = [];
  for (const trace of candidate) {
    const partner = longestPrefix(plain, trace.scenario);
    if (partner === undefined) onlyCandidate.push(traceName(trace));
    else {
      pairs.push({ name: trace.scenario!, baseline: partner, candidate: trace });
      used.add(partner);
    }
  }
  if (pairs.length === 0) return undefined;
  const onlyBaseline = baseline.filter((trace) => !used.has(trace)).map(traceName);
  return { pairs, matching: { by: "task variant", pairs: pairs.length, onlyBaseline, onlyCandidate } };
}

function longestPrefix(traces: ReadonlyMap<string, Trace>, scenario: string | undefined): Trace | undefined {
  for (let end = scenario?.lastIndexOf("/") ?? -1; end > 0; end = scenario!.lastIndexOf("/", end - 1)) {
    const found = traces.get(scenario!.slice(0, end));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Several traces with one name (repeated trials) are paired in order. */
function matchBy(
  by: TraceMatching["by"],
  nameOf: (trace: Trace) => string | undefined,
  baseline: readonly Trace[],
  candidate: readonly Trace[],
): PairedTraces {
  const waiting = new Map<string, Trace[]>();
  const onlyCandidate: string[] = [];
  for (const trace of candidate) {
    const name = nameOf(trace);
    const queue = name === undefined ? undefined : waiting.get(name);
    if (name === undefined) onlyCandidate.push(traceName(trace));
    else if (queue === undefined) waiting.set(name, [trace]);
    else queue.push(trace);
  }
  const pairs: TracePair[] = [];
  const onlyBaseline: string[] = [];
  const trials = new Map<string, number>();
  for (const trace of baseline) {
    const name = nameOf(trace);
    const partner = name === undefined ? undefined : waiting.get(name)?.shift();
    if (name === undefined || partner === undefined) onlyBaseline.push(traceName(trace));
    else {
      const trial = (trials.get(name) ?? 0) + 1;
      trials.set(name, trial);
      // A bare number says nothing in a sentence.
      const called = /^\d+$/.test(name) ? `task ${name}` : name;
      pairs.push({ name: trial === 1 ? called : `${called} #${trial}`, baseline: trace, candidate: partner });
    }
  }
  for (const rest of waiting.values()) onlyCandidate.push(...rest.map(traceName));
  return { pairs, matching: { by, pairs: pairs.length, onlyBaseline, onlyCandidate } };
}
