/**
 * Tells what an agent writes from what a person edits, so that a run is not cancelled by itself for ever: a file that changed during several runs
 * one after the other is taken for the agent's. A change between runs can only be a person's.
 */
export interface OwnOutputs {
  /** A run begins: what did not change during the one before is not written by the agent. */
  began(): void;
  /** The changes that count; `duringRun`: the agent was at work when the file was written. */
  edits(paths: readonly string[], duringRun: (path: string) => boolean): readonly string[];
}

/** So often a person may save while a run is under way, each time. */
const RUNS_IN_A_ROW = 3;

export function createOwnOutputs(onFound: (path: string) => void): OwnOutputs {
  /** In how many runs one after the other a file has changed. */
  const runs = new Map<string, number>();
  const now = new Set<string>();
  return {
    began() {
      for (const path of runs.keys()) if (!now.has(path)) runs.delete(path);
      now.clear();
    },
    edits: (paths, duringRun) =>
      paths.filter((path) => {
        if (!duringRun(path)) {
          runs.delete(path);
          return true;
        }
        const times = (runs.get(path) ?? 0) + (now.has(path) ? 0 : 1);
        if (times === RUNS_IN_A_ROW && !now.has(path)) onFound(path);
        now.add(path);
        runs.set(path, times);
        return times < RUNS_IN_A_ROW;
      }),
  };
}
