/** One run of one case: workspace, agent, trace, evaluators, record. Never throws for what an agent can do. */
import { dirname, resolve } from "node:path";
import type { Json, Trace } from "@spoor/core";
import type { JudgeUsage, RetryRecord, RunRecord } from "@spoor/core/internal/evals/run-record";
import type { EvaluationSubject, EvaluationTask, EvaluatorResult } from "@spoor/core/internal/evaluators/evaluation";
import { subjectOfTrace } from "@spoor/core/internal/evaluators/subject";
import { member } from "@spoor/core/internal/trace/json";
import { contentText } from "../formats/content-text.ts";
import { type AskSettings, AttemptPlace, askAgent } from "./ask-agent.ts";
import { evaluatedRecord, outageRecord, type RecordOptions, unscoredRecord } from "./build-record.ts";
import { transcriptOf } from "./conversation/transcript.ts";
import type { Judge, JudgeAnswer } from "./evaluators/run-context.ts";
import { createJudgeMeter } from "./judge-meter.ts";
import { promptOf } from "./parse-input.ts";
import type { PlannedRun } from "./plan-runs.ts";
import { ProviderError } from "./providers/provider.ts";
import type { AgentRun } from "./read-answer.ts";
import { runOfRecord, type StoredRun } from "./stored-run.ts";
import type { RunPlace, WorkspacePool } from "./workspace-pool.ts";

export interface RunSettings extends AskSettings {
  readonly includeTrace: boolean;
  readonly keepWorkspaces: boolean;
  readonly now: () => Date;
  readonly evaluate: (
    run: PlannedRun,
    subject: EvaluationSubject,
    folder: string,
    onAnswer: (judge: Judge, answer: JudgeAnswer) => void,
  ) => Promise<readonly EvaluatorResult[]>;
  /** A stored run that only waits for its judgement. */
  readonly stored?: (run: PlannedRun) => StoredRun | undefined;
}

export interface RunOutcome {
  readonly record: RunRecord;
  /** Absent when there is no trace; of a run that ended early, what was done until then. */
  readonly trace?: Trace | undefined;
  /** The outage that took the run away. */
  readonly failure?: ProviderError;
  readonly attempts: number;
  /** From the first attempt to the end. */
  readonly elapsedMs: number;
}

export async function runOnce(run: PlannedRun, settings: RunSettings, pool: WorkspacePool): Promise<RunOutcome> {
  const retries: RetryRecord[] = [];
  const beganAt = settings.clock();
  const place = new AttemptPlace(run, pool);
  let outcome: Pick<RunOutcome, "record" | "trace" | "failure">;
  const stored = settings.stored?.(run);
  const playing = createJudgeMeter();
  const onUser = (answer: Omit<JudgeAnswer, "text">) => playing.add({ text: "", ...answer });
  try {
    const agentRun =
      stored === undefined ? await askAgent(run, place, settings, retries, onUser) : await runOfRecord(run, stored);
    if (stored !== undefined) retries.push(...(stored.record.retries ?? []));
    outcome = { record: await evaluate(run, agentRun, place.current, retries, settings), trace: agentRun.trace };
  } catch (error) {
    // Ctrl-C: the run did not happen.
    settings.signal.throwIfAborted();
    if (!(error instanceof ProviderError)) throw error;
    outcome = {
      record: outageRecord(run, error, recordOptions(settings, retries)),
      trace: error.trace,
      failure: error,
    };
  } finally {
    // Also of a run that did not happen: its folder and whatever its setup began must go.
    await place.close();
  }
  const userUsage = playing.total();
  const played = userUsage === undefined ? outcome.record : { ...outcome.record, user_usage: userUsage };
  const record = withProblems(played, place.problems);
  const { trace, failure } = outcome;
  const elapsedMs = settings.clock() - beganAt;
  return { record, trace, ...(failure === undefined ? {} : { failure }), attempts: retries.length + 1, elapsedMs };
}

async function evaluate(
  run: PlannedRun,
  agentRun: AgentRun,
  place: RunPlace | undefined,
  retries: readonly RetryRecord[],
  settings: RunSettings,
): Promise<RunRecord> {
  const { trace, problems } = agentRun;
  const subject = subjectOfTrace(trace, taskOf(run, trace));
  // It was cut short before it did anything: there is nothing to score, and nothing to ask a judge about.
  if (!subject.hasTrace && (agentRun.limit ?? agentRun.failure) !== undefined)
    return unscoredRecord(run, agentRun, subject, recordOptions(settings, retries));
  settings.onActivity(run, "evaluating");
  const folder = place?.folder ?? dirname(resolve(settings.cwd, run.suite.file));
  const meter = createJudgeMeter();
  const results = await settings.evaluate(run, subject, folder, (_judge, answer) => meter.add(answer));
  const noted = trace === undefined ? [...problems, NO_TRACE] : problems;
  const options = recordOptions(settings, retries, meter.total());
  return evaluatedRecord(run, { ...agentRun, problems: noted }, subject, results, options);
}

function recordOptions(
  { includeTrace, now }: RunSettings,
  retries: readonly RetryRecord[],
  judgeUsage?: JudgeUsage,
): RecordOptions {
  return { retries, includeTrace, now, judgeUsage };
}

const NO_TRACE = "the provider gave no trace: there are no messages to look at";

function taskOf(
  { case: { id, goal, input, expectedMessages, conversation } }: PlannedRun,
  trace: Trace | undefined,
): EvaluationTask {
  const reference = expectedMessages.findLast((message: Json) => member(message, "role") === "assistant");
  return {
    id,
    question: conversation === undefined || trace === undefined ? promptOf(input) : transcriptOf(trace),
    ...(conversation === undefined ? {} : { conversation: true as const }),
    ...(goal === undefined ? {} : { expectedOutcome: goal }),
    ...(reference === undefined ? {} : { referenceAnswer: contentText(member(reference, "content")) }),
    inputMessages: input.map(({ role, content }) => ({ role, content })),
    expectedMessages,
  };
}

function withProblems(record: RunRecord, more: readonly string[]): RunRecord {
  return more.length === 0 ? record : { ...record, problems: [...(record.problems ?? []), ...more] };
}
