/** Makes the runs of a plan that are not done yet, keeps each at once, and shows how far it is. */
import { resolve } from "node:path";
import type { RunRecord } from "@spoor/core/internal/evals/run-record";
import type { Budget } from "../../evals/budget.ts";
import { dumpTrace, TRACES_FOLDER, traceFile } from "../../evals/dump-traces.ts";
import type { PlannedRun, RunPlan } from "../../evals/plan-runs.ts";
import type { PreparedEvals } from "../../evals/prepare-evals.ts";
import { createProgressView, type ProgressView } from "../../evals/progress-view.ts";
import { slim } from "../../evals/read-results.ts";
import { errorWithoutSecrets } from "../../evals/redact.ts";
import { type EvalsOutcome, runEvals } from "../../evals/run-evals.ts";
import type { RunOutcome } from "../../evals/run-once.ts";
import type { ModelServers } from "../../evals/servers/model-servers.ts";
import type { CommonValues } from "../command.ts";
import type { PageDetails } from "../eval-page.ts";
import { type Io, styleOf } from "../io.ts";
import { onStopSignals } from "../stop-signals.ts";
import { placeOfRun, type ResultsChoice, shownPath } from "./choose-results.ts";

export interface Session {
  readonly outcome: EvalsOutcome;
  /** In the order of the plan. */
  readonly records: readonly RunRecord[];
  readonly interrupted: boolean;
}

export type EvalArgs = CommonValues & {
  readonly files: readonly string[];
  readonly maxRetries: number;
  readonly includeTrace: boolean;
  readonly dumpTraces: boolean;
  readonly traces: string | undefined;
  readonly overwrite: boolean;
  readonly keepWorkspaces: boolean;
  readonly budgetUsd: number | undefined;
  readonly page?: PageDetails | undefined;
  readonly cache: string | undefined;
};

interface Means {
  readonly budget: Budget | undefined;
  readonly servers: ModelServers;
}

export async function runPlan(
  plan: RunPlan,
  prepared: PreparedEvals,
  results: ResultsChoice,
  workers: number,
  { budget, servers }: Means,
  args: EvalArgs,
  io: Io,
): Promise<Session> {
  const stop = new AbortController();
  const letGo = onStopSignals(() => stop.abort(new Error("stopped")));
  const kept = [...results.kept.values()];
  const file = await results.open();
  const view = openView(plan, workers, args, io);
  for (const run of plan.runs) {
    const record = results.kept.get(run.key);
    if (record !== undefined) view?.resumed(run, record);
  }
  if (kept.length > 0 && !args.quiet && view === undefined) io.err(`${kept.length} runs are already done.\n`);
  const byKey = new Map(results.kept);
  const apart = prepared.suites.length > 1 || new Set(plan.cases.map((entry) => entry.target)).size > 1;
  const now = clockOf(io);
  let unwritable: Error | undefined;
  try {
    const outcome = await runEvals(
      plan.runs.filter((run) => !results.kept.has(run.key)),
      {
        cwd: io.cwd,
        signal: stop.signal,
        maxRetries: args.maxRetries,
        includeTrace: args.includeTrace,
        keepWorkspaces: args.keepWorkspaces,
        workers,
        now,
        clock: () => performance.timeOrigin + performance.now(),
        ...(budget === undefined ? {} : { budget }),
        servers,
        stored: results.storedOf,
        evaluate: (run, subject, folder, onAnswer) =>
          prepared.evaluate(run, subject, folder, { signal: stop.signal, servers, sample: `run ${run.run}`, onAnswer }),
        onStart: (run) => view?.started(run),
        onActivity: (run, text) => view?.activity(run, prepared.redactor.text(text)),
        async onFinish(run, finished) {
          const dumped = args.dumpTraces ? await dump(run, finished) : {};
          const record = {
            ...prepared.redactor.json(finished.record),
            ...dumped,
            ...results.paidFor(run),
            ...results.partOfAgent(run),
          };
          keep(record);
          byKey.set(run.key, slim(record));
          args.page?.keep(record, finished, prepared.redactor);
          view?.finished(run, record);
        },
      },
    );
    if (unwritable !== undefined) throw unwritable;
    const records = plan.runs.flatMap((run) => byKey.get(run.key) ?? []);
    if (!outcome.interrupted) await file.finish(plan.runs.map(placeOfRun));
    const stopped = outcome.stopped.map((target) => ({ ...target, message: prepared.redactor.text(target.message) }));
    const problems = outcome.problems.map((text) => prepared.redactor.text(text));
    return { outcome: { ...outcome, stopped, problems }, records, interrupted: outcome.interrupted };
  } catch (error) {
    throw errorWithoutSecrets(error, prepared.redactor);
  } finally {
    view?.close();
    await file.close();
    letGo();
  }

  /** A result that cannot be kept ends everything: what is paid for and lost helps nobody. */
  function keep(record: RunRecord): void {
    try {
      file.append(record);
    } catch (error) {
      unwritable ??= error as Error;
      stop.abort(error);
      throw error;
    }
  }

  async function dump(run: PlannedRun, finished: RunOutcome): Promise<Pick<RunRecord, "trace_file" | "trace_digest">> {
    const path = traceFile(resolve(io.cwd, args.traces ?? TRACES_FOLDER), run, apart);
    return {
      trace_file: shownPath(path, io.cwd),
      trace_digest: await dumpTrace(path, run, finished, prepared.redactor),
    };
  }
}

function openView(plan: RunPlan, workers: number, args: EvalArgs, io: Io): ProgressView | undefined {
  if (args.quiet) return undefined;
  const style = styleOf(io, { ascii: args.ascii || undefined, color: args.noColor ? false : undefined }, "stderr");
  const live = io.stderrIsTerminal && !io.env["CI"] && io.env["TERM"] !== "dumb";
  return createProgressView(plan, {
    write: io.err,
    style,
    live,
    rows: process.stderr.rows ?? 24,
    workers,
    clock: () => performance.now(),
  });
}

/** `SOURCE_DATE_EPOCH` (reproducible-builds.org) fixes the clock of results, so that two runs can be compared byte by byte. */
function clockOf(io: Io): () => Date {
  const epoch = Number(io.env["SOURCE_DATE_EPOCH"]);
  return io.env["SOURCE_DATE_EPOCH"] && Number.isFinite(epoch) ? () => new Date(epoch * 1000) : () => io.now();
}
