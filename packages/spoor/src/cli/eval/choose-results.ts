/** Which file the results go to, and which of the results in it count: nothing that is there is replaced without being asked for. */
import { realpathSync, statSync } from "node:fs";
import { relative, resolve } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import { spentOn } from "@spoor/core/internal/evals/run-cost";
import type { RunRecord } from "@spoor/core/internal/evals/run-record";
import { holdsUnder } from "../../evals/holds-under.ts";
import type { PlannedRun, RunPlan } from "../../evals/plan-runs.ts";
import { loadRecords, placeOf } from "../../evals/read-results.ts";
import { openResultsFile, type ResultsFile } from "../../evals/results-file.ts";
import { findResumable, newResultsPath } from "../../evals/results-files.ts";
import { canJudgeAgain, lacksOnlyJudgement, type StoredRun } from "../../evals/stored-run.ts";
import type { Io } from "../io.ts";
import { usageError } from "../option.ts";

export interface ResultsArgs {
  readonly results: string | undefined;
  readonly against: string | undefined;
  readonly resume: boolean;
  readonly rerun: "failed" | "errors" | undefined;
  readonly overwrite: boolean;
  readonly quiet: boolean;
}

export interface ResultsChoice {
  readonly path: string;
  readonly shown: string;
  /** By key: results that count as they are. */
  readonly kept: ReadonlyMap<string, RunRecord>;
  /** Runs that lack nothing but their judgement. */
  readonly unjudged: ReadonlySet<RunRecord>;
  /** What is judged instead of asking the agent. */
  storedOf(run: PlannedRun): StoredRun | undefined;
  /** What a new judgement leaves as it was. */
  partOfAgent(run: PlannedRun): Partial<RunRecord>;
  open(): Promise<ResultsFile>;
  /** Everything that was run and paid in this file. */
  readonly earlier: readonly RunRecord[];
  /** What earlier runs in the place of this one cost, when it is made again. */
  paidFor(run: PlannedRun): Pick<RunRecord, "earlier_cost_usd">;
}

export function chooseResults(args: ResultsArgs, plan: RunPlan, io: Io): ResultsChoice {
  const goesOn = requireOneWay(args);
  const explicit = args.results === undefined ? undefined : resolve(io.cwd, args.results);
  if (explicit !== undefined) refuseBlindly(explicit, goesOn, args, io);
  const files = [...new Set(plan.cases.map((entry) => entry.file))];
  const earlier = goesOn ? (explicit ?? findResumable(io.cwd, files)) : undefined;
  const records = earlier === undefined ? [] : earlierRecords(earlier);
  if (goesOn && earlier === undefined && !args.quiet)
    io.err("There is no earlier run of these files; this one begins at the beginning.\n");
  const path = earlier ?? explicit ?? newResultsPath(io.cwd, io.now());
  const kept = keptOf(records, plan, args.rerun);
  const unjudged = new Map(records.flatMap((record) => (lacksOnlyJudgement(record) ? [[record.key, record]] : [])));
  const paid = new Map(records.map((record) => [placeOf(record), record]));
  return {
    path,
    shown: shownPath(path, io.cwd),
    kept,
    unjudged: new Set(unjudged.values()),
    earlier: records,
    storedOf(run) {
      const record = canJudgeAgain(run) ? unjudged.get(run.key) : undefined;
      return record && { record };
    },
    partOfAgent: () => ({}),
    open: () => openResultsFile(path, args),
    paidFor(run) {
      const before = paid.size === 0 || kept.has(run.key) ? undefined : paid.get(placeOfRun(run));
      // One that is only judged again keeps its own cost; its judges were paid twice.
      const cost = before && (unjudged.has(run.key) ? judgingCost(before) : spentOn(before));
      return cost === undefined || cost === 0 ? {} : { earlier_cost_usd: cost };
    },
  };
}

export function judgingCost({ judge_usage: judging, earlier_cost_usd: earlier = 0 }: RunRecord): number {
  return (judging?.cost_usd ?? 0) - (judging?.cached_cost_usd ?? 0) + earlier;
}

/** Whether an earlier run is gone on with. */
function requireOneWay({ resume, rerun, overwrite }: ResultsArgs): boolean {
  const ways = [resume && "--resume", rerun && "--rerun", overwrite && "--overwrite"];
  const [first, second] = ways.filter((way) => typeof way === "string");
  if (second !== undefined)
    throw usageError(
      `${first} and ${second} contradict each other.`,
      "Each says what becomes of the results that are there: choose one.",
    );
  return first !== undefined && !overwrite;
}

/** Nothing that is there is written over, unless it is gone on with or may go. */
export function refuseBlindly(
  path: string,
  goesOn: boolean,
  args: Pick<ResultsArgs, "against" | "overwrite">,
  io: Io,
): void {
  const shown = shownPath(path, io.cwd);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile()) return;
  if (args.against !== undefined && isSame(path, resolve(io.cwd, args.against)))
    throw usageError(
      `${shown} is the run to compare with, and would be written over.`,
      "Name another file with --results, or leave it out.",
    );
  if (found.size === 0 || goesOn || args.overwrite) return;
  throw new SpoorError("eval.results-exist", `${shown} holds results already.`, {
    at: { file: shown },
    consequence: "Nothing was run.",
    hint: "Add --resume to make what is missing in it, --rerun failed to make failed runs again, or --overwrite to begin anew; or name another file.",
  });
}

/** Also through links. */
export function isSame(left: string, right: string): boolean {
  try {
    return realpathSync(left) === realpathSync(right);
  } catch {
    return false;
  }
}

function earlierRecords(path: string): readonly RunRecord[] {
  const found = statSync(path, { throwIfNoEntry: false });
  // Named with --results but never begun, or a pipe, which nothing can be read back from: everything is still to do.
  if (found === undefined || !(found.isFile() || found.isDirectory())) return [];
  const { records, unreadable } = loadRecords(path, { withMessages: lacksOnlyJudgement });
  if (records.length > 0 || unreadable <= 1) return records;
  throw new SpoorError("eval.no-results", `${path} holds no results: none of its ${unreadable} lines is one.`, {
    at: { file: path },
    consequence: "Nothing was run, and the file is as it was.",
    hint: "Name another file with --results.",
  });
}

/** Results of the same case, target, files and settings count; those that an outage took, and with `--rerun failed` those that failed, are made again. */
function keptOf(records: readonly RunRecord[], plan: RunPlan, rerun: ResultsArgs["rerun"]): Map<string, RunRecord> {
  const wanted = new Map(plan.runs.map((run) => [run.key, run]));
  const counts = (record: RunRecord) => (rerun === "failed" ? record.passed : record.status !== "outage");
  return new Map(
    records.flatMap((record) => {
      const run = wanted.get(record.key);
      return run !== undefined && counts(record) && holdsUnder(record, run) ? [[record.key, record] as const] : [];
    }),
  );
}

/** The place of a planned run in results (read-results.ts). */
export function placeOfRun({ suite, case: { id }, target, run }: PlannedRun): string {
  return placeOf({ eval_file: suite.file, eval_id: id, target: target.name, run });
}

export function shownPath(path: string, cwd: string): string {
  const shown = relative(cwd, path);
  return shown === "" || shown.startsWith("..") ? path : shown;
}
