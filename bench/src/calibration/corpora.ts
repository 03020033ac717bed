/** The shared corpora as runs of cohorts, read with the tool's own readers. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Trace } from "@spoor/core";
import { buildRun } from "@spoor/core/internal/cohort/build-run";
import type { CohortRun } from "@spoor/core/internal/cohort/run";
import { isObject, member, numberMember } from "@spoor/core/internal/trace/json";
import { loadTraces } from "spoor/internal/load/load-traces";

const corporaFolder = fileURLToPath(new URL("../../../../shared/corpora/", import.meta.url));
export const corporaExist = existsSync(corporaFolder);

/** A run whose side is decided by whoever compares it. */
export interface CorpusRun extends CohortRun {
  readonly trial: number;
  /** 1 when the task was done. */
  readonly reward: number | undefined;
}

export interface Corpora {
  readonly airline: readonly CorpusRun[];
  readonly gemini1: readonly CorpusRun[];
  readonly gemini3: readonly CorpusRun[];
  readonly gpt41: readonly CorpusRun[];
  readonly gpt41mini: readonly CorpusRun[];
  readonly o4mini: readonly CorpusRun[];
  /** Three trials each. */
  readonly promptA: readonly CorpusRun[];
  readonly promptB: readonly CorpusRun[];
  /** AgentDojo under attack: scenario is suite and user task, repeats are the injected tasks. */
  readonly attacked: readonly CorpusRun[];
}

export async function loadCorpora(): Promise<Corpora> {
  return {
    airline: await loadRuns("tau-airline/gpt-4o.json.gz"),
    gemini1: await loadRuns("tau-retail/gemini-2.0-flash.run1.json.gz"),
    gemini3: await loadRuns("tau-retail/gemini-2.0-flash.run3.json.gz"),
    gpt41: await loadRuns("tau-retail/gpt-4.1.json.gz"),
    gpt41mini: await loadRuns("tau-retail/gpt-4.1-mini.json.gz"),
    o4mini: await loadRuns("tau-retail/o4-mini.json.gz"),
    promptA: await loadRuns("tau2-retail/gpt4o-refined.*", fileTrial),
    promptB: await loadRuns("tau2-retail/gpt5mini-refined.*", fileTrial),
    attacked: await loadRuns("agentdojo-drift/*.important_instructions.jsonl.gz"),
  };
}

async function loadRuns(path: string, trialOf: (trace: Trace) => number = recordedTrial): Promise<CorpusRun[]> {
  const traces = await loadTraces([corporaFolder + path]);
  return traces
    .filter(({ turns }) => turns.length > 0)
    .map((trace) => ({
      ...buildRun(trace, "baseline", scenarioOption(trace)),
      trial: trialOf(trace),
      reward: numberMember(member(trace.metadata, "labels"), "reward"),
    }));
}

/** The published figures take suite and user task as the scenario, so that the injected tasks are its repeats. */
function scenarioOption(trace: Trace): { scenario?: string } {
  if (trace.source.format !== "agentdojo") return {};
  const [suite, task] = (trace.scenario ?? "").split("/");
  return { scenario: `${suite}/${task}` };
}

function recordedTrial(trace: Trace): number {
  return isObject(trace.metadata) ? (numberMember(trace.metadata, "trial") ?? 0) : 0;
}

/** The tau2 files hold one trial each and name it. */
function fileTrial(trace: Trace): number {
  return Number(/\.trial(\d+)\./.exec(trace.source.path ?? "")?.[1] ?? 0);
}

/** Runs of this trial. */
export function isTrial(wanted: number): (run: CorpusRun) => boolean {
  return ({ trial }) => trial === wanted;
}
