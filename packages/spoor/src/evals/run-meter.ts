/** Counts what a run uses up while it is under way, from the events of an agent's stream, and says which limit it has passed. */
import type { ReachedLimit } from "@spoor/core/internal/evals/run-ending";
import type { RunLimits } from "./run-limits.ts";

/** What one event says about that. */
export interface MeterReading {
  /** The response of the model that it belongs to; the same name is counted once. */
  readonly turn?: string | undefined;
  /** Tokens of a response so far, in and out; a later word about the same response replaces this one. */
  readonly tokens?: { readonly of: string; readonly count: number } | undefined;
}

export class RunMeter {
  private readonly turns = new Set<string>();
  private readonly tokens = new Map<string, number>();
  private readonly limits: RunLimits;

  constructor(limits: RunLimits = {}) {
    this.limits = limits;
  }

  /** The limit that has been passed, if one has. */
  add({ turn, tokens }: MeterReading): ReachedLimit | undefined {
    if (turn !== undefined) this.turns.add(turn);
    if (tokens !== undefined) this.tokens.set(tokens.of, tokens.count);
    return passedLimit(
      { turns: this.turns.size, tokens: [...this.tokens.values()].reduce((sum, n) => sum + n, 0) },
      this.limits,
    );
  }
}

export interface Spent {
  readonly turns?: number | undefined;
  readonly tokens?: number | undefined;
  readonly costUsd?: number | undefined;
}

export function passedLimit(spent: Spent, limits: RunLimits): ReachedLimit | undefined {
  const { turns, tokens, costUsd } = limits;
  if (turns !== undefined && (spent.turns ?? 0) > turns) return { kind: "turns", at: turns };
  if (tokens !== undefined && (spent.tokens ?? 0) > tokens) return { kind: "tokens", at: tokens };
  if (costUsd !== undefined && (spent.costUsd ?? 0) > costUsd) return { kind: "cost", at: costUsd };
  return undefined;
}
