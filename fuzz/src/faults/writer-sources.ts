/**
 * Every source that changes files itself, with the writer of `npm run faults` that goes through it, or the reason why none has to. A test compares the list
 * with the sources: whoever writes a new one is asked here.
 */
interface SourceOfWrites {
  /** Below `packages`. */
  readonly source: string;
  /** Names of writers; all of them are tried at every call. */
  readonly writers: readonly string[];
  /** Why no fault is put there; only where there is no writer. */
  readonly apart?: string;
}

const SCRATCH = "a folder of this very run, which nobody reads after it";

export const sourcesOfWrites: readonly SourceOfWrites[] = [
  tried("record/src/node/append-file.ts", "recordings", "guarded servers"),
  tried("record/src/node/decision-log.ts", "recordings", "guarded servers"),
  tried("record/src/node/file-store.ts", "guard sessions"),
  tried("record/src/node/make-folder.ts", "recorded commands", "recorded baselines"),
  tried("record/src/node/temporary-file.ts", "reports", "decisions"),
  tried("record/src/node/write-new-file.ts", "recorded commands", "replayed commands"),
  apart("record/src/recorder/replay/environment-replayer.ts", "notes of a replay, counted by the command beside it"),
  apart("server/src/store/open-store.ts", "a copy before the layout changes; it is made again until that is done"),
  tried("spoor/src/cli/commands/demo.ts", "demo"),
  apart("spoor/src/cli/commands/gate.ts", "files of the runner on GitHub, which are appended to and not ours"),
  tried("spoor/src/cli/commands/init.ts", "project files"),
  apart("spoor/src/cli/commands/watch.ts", SCRATCH),
  tried("spoor/src/cli/keep-runs.ts", "recorded baselines"),
  apart("spoor/src/evals/copy-template.ts", SCRATCH),
  apart("spoor/src/evals/print-at-once.ts", "standard output"),
  apart("spoor/src/evals/providers/cli.ts", SCRATCH),
  apart("spoor/src/evals/providers/copilot.ts", SCRATCH),
  apart("spoor/src/evals/providers/vscode.ts", SCRATCH),
  tried("spoor/src/evals/results-file.ts", "results"),
  apart("spoor/src/evals/results-files.ts", "an empty file, which keeps a name for the results"),
  tried("spoor/src/evals/results-writers.ts", "results", "dumped runs"),
  apart("spoor/src/evals/servers/answer-cache.ts", "only takes away; a damaged answer is as good as none"),
  apart("spoor/src/evals/warden-main.ts", SCRATCH),
  apart("spoor/src/evals/workspace.ts", SCRATCH),
  apart("spoor/src/load/known-texts.ts", "what a hook can read again; a damaged one is as good as none"),
  tried("spoor/src/load/make-folder.ts", "reports", "exported runs"),
  tried("spoor/src/load/repair-file.ts", "repaired recordings"),
  tried("spoor/src/load/write-file.ts", "reports", "traces", "carried evidence", "keys of the service"),
  tried("spoor/src/push/export-runs.ts", "exported runs"),
  tried("spoor/src/push/fetch-baseline.ts", "baselines of a service"),
  tried("spoor/src/record/otlp/journal.ts", "telemetry"),
  tried("spoor/src/record/otlp/otlp-receiver.ts", "telemetry"),
  tried("spoor/src/record/otlp/trace-files.ts", "telemetry"),
  tried("spoor/src/record/prune-recordings.ts", "pruned recordings"),
  tried("spoor/src/record/recording-folder.ts", "recorded commands"),
  tried("spoor/src/record/replay/open-replay.ts", "replayed commands"),
  tried("spoor/src/runs/run-scenario.ts", "recorded baselines", "runs of a gate"),
  tried("spoor/src/runs/spending-log.ts", "recorded baselines", "runs of a gate"),
  tried("spoor/src/store/baseline-store.ts", "baselines", "rejected paths", "earlier baselines"),
  tried("spoor/src/store/file-lock.ts", "baselines", "hook histories"),
  tried("spoor/src/store/hook-history.ts", "hook histories"),
  tried("spoor/src/store/write-together.ts", "decisions", "review in a browser", "recorded baselines"),
  apart("spoor/src/why/run-why.ts", SCRATCH),
];

function tried(source: string, ...writers: readonly string[]): SourceOfWrites {
  return { source, writers };
}

function apart(source: string, reason: string): SourceOfWrites {
  return { source, writers: [], apart: reason };
}
