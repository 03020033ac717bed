/** `--regrade`: the results whose runs are graded again, and the file the new judgements go to. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import type { RunRecord } from "@spoor/core/internal/evals/run-record";
import { loadRecords } from "../../evals/read-results.ts";
import { findResumable } from "../../evals/results-files.ts";
import type { Io } from "../io.ts";
import { usageError } from "../option.ts";
import { isSame, refuseBlindly, shownPath } from "./choose-results.ts";

export interface RegradeArgs {
  /** A file, or empty where none was named. */
  readonly regrade: string | undefined;
  readonly results: string | undefined;
  readonly against: string | undefined;
  readonly resume: boolean;
  readonly rerun: string | undefined;
  readonly overwrite: boolean;
  readonly repeat: number | undefined;
  readonly workers: number | undefined;
  readonly timeout: number | undefined;
  readonly dryRun: boolean;
  readonly keepWorkspaces: boolean;
  readonly dumpTraces: boolean;
  readonly traces: string | undefined;
  readonly includeTrace: boolean;
}

export interface StoredResults {
  readonly source: string;
  /** Where the new judgements go: the source, unless `--results` names another. */
  readonly path: string;
  readonly records: readonly RunRecord[];
  /** The highest number of a stored run: as many are planned. */
  readonly repeat: number;
}

export function loadStoredResults(args: RegradeArgs, evalFiles: readonly string[], io: Io): StoredResults {
  refuseOthers(args);
  const out = args.results === undefined ? undefined : resolve(io.cwd, args.results);
  const source = sourceOf(args, out, evalFiles, io);
  if (source === undefined) throw nothingStored("There is no earlier run of these files");
  const path = out ?? source;
  refuseBlindly(path, isSame(path, source), args, io);
  const { records } = loadRecords(source, { withMessages: () => true });
  const ours = records.filter(({ key, eval_file }) => key !== "" && evalFiles.includes(eval_file));
  if (ours.length === 0) throw nothingStored(`${shownPath(source, io.cwd)} holds no run of these files`);
  return { source, path, records, repeat: ours.reduce((most, { run }) => Math.max(most, run), 1) };
}

/** `--results` names the runs themselves where it holds some, as with `--resume`; else it is where the new ones go. */
function sourceOf(
  { regrade }: RegradeArgs,
  out: string | undefined,
  evalFiles: readonly string[],
  io: Io,
): string | undefined {
  if (regrade) return resolve(io.cwd, regrade);
  const found = out === undefined ? undefined : statSync(out, { throwIfNoEntry: false });
  return found?.isFile() && found.size > 0 ? out : findResumable(io.cwd, evalFiles);
}

/** What decides how an agent is asked says nothing where none is. */
function refuseOthers(args: RegradeArgs): void {
  const given = [
    args.resume && "--resume",
    args.rerun !== undefined && "--rerun",
    args.overwrite && "--overwrite",
    args.repeat !== undefined && "--repeat",
    args.workers !== undefined && "--workers",
    args.timeout !== undefined && "--timeout",
    args.dryRun && "--dry-run",
    args.keepWorkspaces && "--keep-workspaces",
    args.dumpTraces && "--dump-traces",
    args.traces !== undefined && "--traces",
    args.includeTrace && "--include-trace",
  ].find((name) => name !== false);
  if (given === undefined) return;
  throw usageError(
    `--regrade and ${given} contradict each other.`,
    `--regrade grades the runs that are stored and asks no agent; ${given} is for runs that are made.`,
  );
}

function nothingStored(what: string): SpoorError {
  return new SpoorError("eval.no-results", `${what}, so nothing can be graded again.`, {
    consequence: "Nothing was graded.",
    hint: "Make one with --include-trace or --dump-traces first, or name its file: --regrade=FILE.",
  });
}
