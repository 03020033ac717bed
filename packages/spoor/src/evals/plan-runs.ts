/** Suites × targets × repetitions → the runs to make, in the order in which results are written. */
import type { Json } from "@spoor/core";
import { digestJson } from "@spoor/core/internal/canonical/digest";
import { SpoorError } from "@spoor/core/internal/errors";
import type { PlannedCase } from "@spoor/core/internal/evals/eval-report";
import type { EvalSelection } from "@spoor/core/internal/evals/eval-selection";
import type { EvaluatorConfig } from "@spoor/core/internal/evaluators/evaluation";
import type { ConversationPlan } from "./conversation/conversation-plan.ts";
import type { EvalCase, EvalSuite } from "./eval-suite.ts";
import { createFileDigests, type FileDigests } from "./file-digests.ts";
import type { Environment } from "./interpolate.ts";
import type { Target } from "./load-targets.ts";
import type { RunLimits } from "./run-limits.ts";
import { type CaseChoice, selectCases } from "./select-cases.ts";

export interface PlannedRun {
  readonly suite: EvalSuite;
  readonly case: EvalCase;
  readonly evaluators: readonly EvaluatorConfig[];
  readonly target: Target;
  /** Who plays the user of a conversation, where that is a target. */
  readonly user?: Target;
  readonly env: Environment;
  readonly run: number;
  readonly threshold: number;
  readonly timeoutMs: number;
  readonly limits?: RunLimits;
  /** Position in the whole plan. */
  readonly index: number;
  /** Changes with everything that decides the result. */
  readonly key: string;
  /** Changes with what the agent is given; not with how it is judged. */
  readonly inputKey: string;
}

export interface RunPlan {
  readonly runs: readonly PlannedRun[];
  readonly cases: readonly PlannedCase[];
  /** Absent when every case of the files is run. */
  readonly selection?: EvalSelection;
}

/** A suite with everything that was looked up for it. */
export interface PreparedSuite {
  readonly suite: EvalSuite;
  readonly targetsOf: (evalCase: EvalCase) => readonly Target[];
  /** The target that plays the user of a case. */
  readonly userOf: (evalCase: EvalCase) => Target | undefined;
  readonly env: Environment;
  /** Of the eval file. */
  readonly folder: string;
}

export interface PlanOptions extends CaseChoice {
  readonly repeat?: number;
  readonly threshold?: number;
  readonly timeoutMs?: number;
}

export const DEFAULT_THRESHOLD = 0.8;
export const DEFAULT_TIMEOUT_MS = 300_000;

export function planRuns(prepared: readonly PreparedSuite[], options: PlanOptions): RunPlan {
  const runs: PlannedRun[] = [];
  const cases: PlannedCase[] = [];
  const chosen = selectCases(
    prepared.map(({ suite }) => suite),
    options,
  );
  const digests = createFileDigests();
  // Thousands of cases share the evaluators of their suite.
  const judgedBy = new Map<EvaluatorConfig, readonly string[]>();
  for (const { suite, targetsOf, userOf, env, folder } of prepared) {
    for (const evalCase of suite.cases) {
      if (!chosen.cases.has(evalCase)) continue;
      const given = givenTo(evalCase, digests);
      const judged = evalCase.evaluators.flatMap((config) => {
        const named = judgedBy.get(config) ?? digests.named(config.params as Json, folder);
        judgedBy.set(config, named);
        return named;
      });
      const user = userOf(evalCase);
      for (const target of targetsOf(evalCase)) {
        const repeat = options.repeat ?? evalCase.repeat ?? 1;
        const threshold = options.threshold ?? evalCase.threshold ?? DEFAULT_THRESHOLD;
        const timeoutMs = options.timeoutMs ?? evalCase.timeoutMs ?? target.timeoutMs ?? DEFAULT_TIMEOUT_MS;
        const limits = { ...target.limits, ...evalCase.limits };
        cases.push({ id: evalCase.id, suite: suite.name, file: suite.file, target: target.name, repeat, threshold });
        for (let run = 1; run <= repeat; run++) {
          const who = [target.name, target.digest, ...(user === undefined ? [] : [user.name, user.digest])];
          const at = [suite.file, evalCase.id, ...who, run];
          const inputKey = digestJson([...at, given], 16);
          const key = digestJson([inputKey, evalCase.digest, judged, threshold], 16);
          runs.push({
            suite,
            case: evalCase,
            evaluators: evalCase.evaluators,
            target,
            ...(user === undefined ? {} : { user }),
            env,
            run,
            threshold,
            timeoutMs,
            ...(Object.keys(limits).length === 0 ? {} : { limits }),
            index: runs.length,
            key,
            inputKey,
          });
        }
      }
    }
  }
  if (runs.length === 0) throw nothingMatched(prepared, chosen.selection);
  return { runs, cases, ...(chosen.selection === undefined ? {} : { selection: chosen.selection }) };
}

/** What the agent gets: the words, the files, the folder it works in. */
function givenTo({ input, workspace, conversation }: EvalCase, digests: FileDigests): string {
  const { template, setup = [], env = {} } = workspace ?? {};
  return digestJson(
    [
      input.map(({ role, content, files }) => [role, content, files.map(digests.file)]),
      template === undefined ? "" : digests.folder(template),
      [...setup],
      { ...env },
      ...(conversation === undefined ? [] : [toldIn(conversation, digests)]),
    ],
    16,
  );
}

/** What the user says, who plays them, and for how long. */
function toldIn({ turns, user, maxTurns }: ConversationPlan, digests: FileDigests): Json {
  const said = turns.map((turn) => turn.map(({ role, content, files }) => [role, content, files.map(digests.file)]));
  return [said, JSON.stringify(user ?? null), maxTurns];
}

function nothingMatched(prepared: readonly PreparedSuite[], selection: EvalSelection | undefined): SpoorError {
  const all = prepared.flatMap(({ suite }) => suite.cases);
  const hint = selection === undefined ? undefined : whyNone(all, selection);
  return new SpoorError("eval.no-cases", "No case is left to run.", {
    consequence: "Nothing was run.",
    ...(hint === undefined ? {} : { hint }),
  });
}

function whyNone(all: readonly EvalCase[], { filter, tags, shard, skipped, only }: EvalSelection): string | undefined {
  const shown = (words: readonly string[]) => `${words.slice(0, 10).join(", ")}${words.length > 10 ? ", …" : ""}`;
  const ids = all.map(({ id }) => id);
  if (skipped.length === all.length) return `All ${all.length} cases say skip.`;
  if (only.length > 0 && (filter !== undefined || tags !== undefined))
    return `Only ${shown(only.map(({ id }) => id))} may run, marked only in the file, and the options leave that out.`;
  if (filter !== undefined) return `--filter ${filter} fits none of ${ids.length}: ${shown(ids)}.`;
  if (tags !== undefined) {
    const known = [...new Set(all.flatMap((evalCase) => evalCase.tags ?? []))];
    return `--tag ${tags.join(" --tag ")} fits none of ${ids.length} cases. ${known.length === 0 ? "None of them has tags." : `Their tags: ${shown(known)}.`}`;
  }
  return shard === undefined
    ? undefined
    : `There are fewer cases than shards: shard ${shard.index} of ${shard.of} is empty.`;
}
