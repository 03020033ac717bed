/** Which stored runs are judged again, which stay as they are, and which are left open and why. */
import { resolve } from "node:path";
import type { PlannedCase } from "@spoor/core/internal/evals/eval-report";
import type { RunRecord } from "@spoor/core/internal/evals/run-record";
import { stateOfDump } from "../../evals/dumped-trace.ts";
import type { PlannedRun, RunPlan } from "../../evals/plan-runs.ts";
import { placeOf } from "../../evals/read-results.ts";
import { openRegradedFile } from "../../evals/regraded-file.ts";
import { isJudgeOut, looksAtFolder, partOfAgent, type StoredRun } from "../../evals/stored-run.ts";
import type { Io } from "../io.ts";
import { judgingCost, placeOfRun, type ResultsChoice, shownPath } from "./choose-results.ts";
import type { StoredResults } from "./stored-results.ts";

export type OpenReason =
  | { readonly kind: "new" | "stale" | "no-trace" }
  | { readonly kind: "no-dump" | "changed-dump"; readonly file: string }
  | { readonly kind: "folder"; readonly evaluator: string };

export interface OpenRun {
  readonly run: PlannedRun;
  readonly reason: OpenReason;
}

export interface Regrade {
  /** As many runs of each case as are stored. */
  readonly plan: RunPlan;
  /** The plan without what is left open. */
  readonly judged: RunPlan;
  readonly results: ResultsChoice;
  readonly open: readonly OpenRun[];
}

/** `planned` has as many runs of every case as the case with most has. */
export function planRegrade(planned: RunPlan, stored: StoredResults, io: Io): Regrade {
  const plan = trimmed(planned, stored.records);
  const byPlace = new Map(stored.records.map((record) => [placeOf(record), record]));
  const kept = new Map<string, RunRecord>();
  const again = new Map<string, StoredRun>();
  const open: OpenRun[] = [];
  for (const run of plan.runs) {
    const record = byPlace.get(placeOfRun(run));
    if (record?.status === "outage" && !isJudgeOut(record)) kept.set(run.key, record);
    else {
      const found = record === undefined ? ({ kind: "new" } as const) : storedRun(run, record, io.cwd);
      if ("kind" in found) open.push({ run, reason: found });
      else again.set(run.key, found);
    }
  }
  const left = new Set(open.map(({ run }) => run));
  return {
    plan,
    judged: { ...plan, runs: plan.runs.filter((run) => !left.has(run)) },
    open,
    results: {
      path: stored.path,
      shown: shownPath(stored.path, io.cwd),
      kept,
      unjudged: new Set([...again.values()].map(({ record }) => record)),
      earlier: stored.records,
      storedOf: ({ key }) => again.get(key),
      partOfAgent: ({ key }) => (again.has(key) ? partOfAgent(again.get(key)!.record) : {}),
      open: () => openRegradedFile(stored.source, stored.path),
      paidFor({ key }) {
        const cost = again.has(key) ? judgingCost(again.get(key)!.record) : 0;
        return cost === 0 ? {} : { earlier_cost_usd: cost };
      },
    },
  };
}

function trimmed(plan: RunPlan, records: readonly RunRecord[]): RunPlan {
  const most = new Map<string, number>();
  for (const { eval_file, eval_id, target, run } of records) {
    const at = JSON.stringify([eval_file, eval_id, target]);
    most.set(at, Math.max(most.get(at) ?? 1, run));
  }
  const repeatOf = (file: string, id: string, target: string) => most.get(JSON.stringify([file, id, target])) ?? 1;
  return {
    ...plan,
    cases: plan.cases.map((entry): PlannedCase => ({ ...entry, repeat: repeatOf(entry.file, entry.id, entry.target) })),
    runs: plan.runs.filter(({ suite, case: { id }, target, run }) => run <= repeatOf(suite.file, id, target.name)),
  };
}

function storedRun(run: PlannedRun, record: RunRecord, cwd: string): StoredRun | OpenReason {
  if (record.input_key !== run.inputKey) return { kind: "stale" };
  const evaluator = looksAtFolder(run);
  if (evaluator !== undefined) return { kind: "folder", evaluator };
  if (Array.isArray(record.output_messages)) return { record };
  // It ended before it did anything: there was nothing to grade, and there is nothing now.
  const didNothing = record.trace_summary === null && record.evaluator_results === undefined;
  if (didNothing && record.status === "failed") return { record };
  if (record.trace_file === undefined || record.trace_summary === null) return { kind: "no-trace" };
  const dump = resolve(cwd, record.trace_file);
  const state = stateOfDump(dump, record);
  if (state === "whole") return { record, dump };
  return { kind: state === "missing" ? "no-dump" : "changed-dump", file: record.trace_file };
}
