/** The answers init would give itself: what `--yes` takes and what Enter confirms. Pure. */
import type { Trace } from "@spoor/core";
import { traceKey } from "@spoor/core/internal/trace/trace-name";
import type { RepositoryFacts, TraceGroup } from "./repository-facts.ts";

const KEPT_FOLDERS = /(^|\/)(baseline|golden|main|expected|recorded)$/i;
const JUDGED_FOLDERS = /(^|\/)(candidate|branch|new|current|head)$/i;

/** Which runs may show the behaviour to keep, the likeliest first. */
export function proposeKept({ recordings }: RepositoryFacts): TraceGroup[] {
  const rank = ({ folder }: TraceGroup) => (KEPT_FOLDERS.test(folder) ? 0 : JUDGED_FOLDERS.test(folder) ? 2 : 1);
  return [...recordings.groups].sort((one, other) => rank(one) - rank(other));
}

/** Where runs are copied to when they stand in no folder of their own: a folder inside theirs would be read with them. */
const BASELINE_FOLDER = "traces/baseline";
const CANDIDATE_FOLDER = "traces/candidate";

/** The runs to keep as the configuration names them: where they are, or copied into a folder of their own. */
export function proposeHome(kept: TraceGroup): { glob: string; traces: readonly Trace[]; copies: readonly Copy[] } {
  if (KEPT_FOLDERS.test(kept.folder)) return { glob: kept.glob, traces: kept.traces, copies: [] };
  const copies = new Map<string, Copy>();
  const traces = kept.traces.map((trace) => {
    const from = trace.source.path;
    if (from === undefined) return trace;
    const to = `${BASELINE_FOLDER}/${from.replace(/^.*[\\/]/, "")}`;
    copies.set(from, { from, to });
    const moved = { ...trace, source: { ...trace.source, path: to } };
    return { ...moved, key: traceKey(moved) };
  });
  return { glob: BASELINE_FOLDER, traces, copies: [...copies.values()] };
}

export interface Copy {
  readonly from: string;
  readonly to: string;
}

/** Where the runs to judge are, or will be: beside the ones to keep. */
export function proposeCandidate(
  kept: TraceGroup | undefined,
  facts: RepositoryFacts,
): { glob: string; exists: boolean } {
  if (kept === undefined) return { glob: CANDIDATE_FOLDER, exists: false };
  const judged = facts.recordings.groups.find((group) => group !== kept && JUDGED_FOLDERS.test(group.folder));
  if (judged !== undefined) return { glob: judged.glob, exists: true };
  if (!KEPT_FOLDERS.test(kept.folder)) return { glob: CANDIDATE_FOLDER, exists: false };
  const name = kept.glob.slice(kept.glob.lastIndexOf("/") + 1);
  return { glob: `${kept.folder.slice(0, -kept.folder.split("/").at(-1)!.length)}candidate/${name}`, exists: false };
}

/** The agent that most runs name, else the project. */
export function proposeAgent(traces: readonly Trace[], facts: RepositoryFacts): string {
  const counts = new Map<string, number>();
  for (const { agent } of traces) if (agent !== undefined) counts.set(agent, (counts.get(agent) ?? 0) + 1);
  const [most] = [...counts].sort(([, few], [, many]) => many - few);
  return most?.[0] ?? (facts.projectName || "agent");
}

/** `ticket` when every run is called ticket-1041, ticket-1042, …; else "trace". */
export function proposeNoun(traces: readonly Trace[]): string {
  const words = new Set(traces.map((trace) => /^([a-z]+)[-_ ]?\d+$/i.exec(trace.name)?.[1]?.toLowerCase()));
  const [only] = words;
  return words.size === 1 && only !== undefined && !/^(trace|file|log|out|run|session|simulations?)$/.test(only)
    ? only
    : "trace";
}
