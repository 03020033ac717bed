/** An eval file as the runner sees it, whatever dialect it was written in. */
import type { ErrorLocation, Json, Problem } from "@spoor/core";
import type { EvaluatorConfig } from "@spoor/core/internal/evaluators/evaluation";
import type { ConversationPlan } from "./conversation/conversation-plan.ts";
import type { InputMessage } from "./providers/provider.ts";
import type { RunLimits } from "./run-limits.ts";

export interface EvalSuite {
  /** The path as the user gave it. */
  readonly file: string;
  /** `name`, `dataset`, or the file's name without its extensions. */
  readonly name: string;
  readonly description?: string;
  /** Targets the file asks for; none means `default`. */
  readonly targets: readonly string[];
  readonly workers?: number;
  readonly budgetUsd?: number;
  readonly cases: readonly EvalCase[];
  /** What is accepted and has no effect; errors under `--strict`. */
  readonly diagnostics: readonly Problem[];
}

export interface EvalCase {
  readonly id: string;
  /** What a good run achieves, in words: for judges and for people. */
  readonly goal?: string;
  readonly input: readonly InputMessage[];
  readonly expectedMessages: readonly Json[];
  readonly evaluators: readonly EvaluatorConfig[];
  /** Targets of this case alone. */
  readonly targets?: readonly string[];
  readonly repeat?: number;
  readonly threshold?: number;
  readonly timeoutMs?: number;
  readonly limits?: RunLimits;
  readonly workspace?: WorkspaceConfig;
  /** More than one question: what the user says, or who plays them. */
  readonly conversation?: ConversationPlan;
  readonly conversationId?: string;
  readonly metadata?: Json;
  /** The suite's and its own. */
  readonly tags?: readonly string[];
  /** True, or the reason why it is not run. */
  readonly skip?: boolean | string;
  readonly only?: boolean;
  readonly at: ErrorLocation;
  /** Changes when anything that decides the result changes, so that `--resume` never mixes two versions of a case. */
  readonly digest: string;
}

/** A folder that every run gets a fresh copy of. */
export interface WorkspaceConfig {
  /** Absolute; absent: an empty folder. */
  readonly template?: string;
  readonly setup: readonly string[];
  readonly teardown: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly repos?: readonly RepoConfig[];
  /** Once, before the first run and after the last. */
  readonly beforeAll?: readonly string[];
  readonly afterAll?: readonly string[];
}

export interface RepoConfig {
  /** An address, or an absolute path. */
  readonly source: string;
  /** A commit, tag or branch; without it, what the source has checked out. */
  readonly commit?: string;
  /** Inside the workspace. */
  readonly path: string;
}
