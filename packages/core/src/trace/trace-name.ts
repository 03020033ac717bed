/**
 * What a trace is called: the one rule, for every lens and every report.
 *
 * `key` is for programs. It is unique among the traces of one command and the same whenever the command reads the same files,
 * so reports are joined by it. `name` is for people: the task, or the run's own name where several runs share a task.
 * Nothing may be joined by a name.
 */
import { present } from "./present.ts";
import type { Trace } from "./trace.ts";

/** How a report speaks of a trace. */
export interface TraceRef {
  readonly key: string;
  readonly name: string;
}

type Facts = Pick<Trace, "id" | "scenario"> & { readonly source: TraceIdentity["source"] };

/** What naming needs to know of a trace, so that traces can be told apart after they were read and forgotten. */
export type TraceIdentity = Pick<Trace, "id" | "scenario" | "key" | "name"> & {
  readonly source: Pick<Trace["source"], "path" | "entry">;
};

export function identityOf({ id, scenario, key, name, source: { path, entry } }: Trace): TraceIdentity {
  return { ...present({ id, scenario, key, name }), source: present({ path, entry }) };
}

/** Where the trace is: its file and its entry there; a trace made in memory is known by its id. */
export function traceKey({ id, source: { path, entry } }: Facts): string {
  const file = path === undefined ? id : path.replaceAll("\\", "/").replace(/^(?:\.\/)+/, "");
  return (entry === undefined ? file : `${file}#${entry}`) || "trace";
}

/** The task it worked on, else what the run itself is called. A bare number says nothing in a sentence. */
export function traceName(trace: Facts): string {
  if (trace.scenario === undefined) return runName(trace);
  return /^\d+$/.test(trace.scenario) ? `task ${trace.scenario}` : trace.scenario;
}

/** The file's name without folder and endings: `runs/ticket-1042.agentlog.gz` gives `ticket-1042`. */
export function fileStem({ path }: TraceIdentity["source"]): string | undefined {
  if (path === undefined || path === "-") return undefined;
  const file = path.replace(/^.*[\\/]/, "");
  return file.replace(/(\.(agentlog|jsonl?|ndjson|gz|log|txt|pb))+$/i, "") || file;
}

/** Everything a person may write to mean this trace: in an exception, an override, a case, after `--trace`. */
export function spokenNames(trace: Trace): readonly string[] {
  const { path, entry } = trace.source;
  const names = [trace.name, trace.scenario, entry, fileStem(trace.source), path, trace.id, trace.key];
  return [...new Set(names.filter((name) => name !== undefined && name !== ""))] as string[];
}

/**
 * Traces that are looked at together: no two share a key, and runs of one task, entries of one file and files of one name are
 * told apart. Traces that are already apart stay as they are, so that doing it twice changes nothing.
 */
export function nameTraces<T extends TraceIdentity>(traces: readonly T[]): readonly T[] {
  const keep = createKeyKeeper();
  const names = tellApart(traces);
  return traces.map((trace, index) => {
    const kept = keep(trace);
    return kept.name === names[index] ? kept : { ...kept, name: names[index]! };
  });
}

/** The key half of `nameTraces` for traces that come one at a time. */
export function createKeyKeeper(): <T extends { readonly key: string }>(trace: T) => T {
  const taken = new Set<string>();
  return (trace) => {
    const key = free(trace.key, taken, (number) => `${trace.key}~${number}`);
    return key === trace.key ? trace : { ...trace, key };
  };
}

/** The entry inside a file, the file's name, or the short form of an id. An entry that only a machine can read names nothing. */
function runName({ id, source }: Facts): string {
  const stem = fileStem(source);
  if (source.entry !== undefined && (stem === undefined || !isOpaque(source.entry))) return source.entry;
  if (source.path === "-") return "standard input";
  return stem ?? (id.startsWith("sha256:") ? id.slice(7, 15) : id || "trace");
}

function tellApart(traces: readonly TraceIdentity[]): string[] {
  const groups = new Map<string, TraceIdentity[]>();
  for (const trace of traces) {
    const group = groups.get(trace.name);
    if (group === undefined) groups.set(trace.name, [trace]);
    else group.push(trace);
  }
  const nameIn = new Map([...groups].map(([name, group]) => [name, group.length === 1 ? undefined : distinct(group)]));
  const taken = new Set<string>();
  return traces.map((trace) => {
    const name = nameIn.get(trace.name)?.(trace) ?? trace.name;
    return free(name, taken, (number) => `${name} #${number}`);
  });
}

/** The shortest way of naming that tells all of a group apart; the longest when none does. */
function distinct(group: readonly TraceIdentity[]): (trace: TraceIdentity) => string {
  return [withRun, withPath].find((way) => new Set(group.map(way)).size === group.length) ?? withRun;
}

function withRun(trace: TraceIdentity): string {
  return withTask(trace, runName(trace));
}

function withPath(trace: TraceIdentity): string {
  const { path, entry } = trace.source;
  const told = entry === undefined || (path !== undefined && isOpaque(entry)) ? [] : [entry];
  return withTask(trace, [path ?? trace.id, ...told].join(" "));
}

/** Ids that services give out: `chatcmpl-4`, `resp_…`, trace ids, UUIDs. */
function isOpaque(entry: string): boolean {
  return /^(?:chatcmpl|cmpl|resp|msg|run|trace|gen)[-_]\w+$|^(?:0x)?[0-9a-f]{16,}$|^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(
    entry,
  );
}

/** A run that is called after its task needs no further word. */
function withTask(trace: TraceIdentity, run: string): string {
  return trace.scenario === undefined || run.includes(trace.scenario) ? run : `${traceName(trace)} (${run})`;
}

function free(wanted: string, taken: Set<string>, numbered: (number: number) => string): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = numbered(number);
  taken.add(name);
  return name;
}
