/** Counts what judges were asked about one run, what that took and what it cost. */
import type { JudgeUsage } from "@spoor/core/internal/evals/run-record";
import type { JudgeAnswer } from "./evaluators/run-context.ts";

export interface JudgeMeter {
  add(answer: JudgeAnswer): void;
  /** Absent when nobody was asked. */
  total(): JudgeUsage | undefined;
}

export function createJudgeMeter(): JudgeMeter {
  const answers: JudgeAnswer[] = [];
  const sum = (of: readonly JudgeAnswer[], value: (answer: JudgeAnswer) => number | undefined) =>
    of.reduce((total, answer) => total + (value(answer) ?? 0), 0);
  return {
    add(answer) {
      answers.push(answer);
    },
    total() {
      if (answers.length === 0) return undefined;
      const counted = answers.filter(({ usage }) => usage !== undefined);
      const priced = answers.filter(({ costUsd }) => costUsd !== undefined);
      const cached = answers.filter(({ fromCache }) => fromCache === true);
      const cachedInput = sum(counted, ({ usage }) => usage?.cached);
      const tokenUsage = {
        input: sum(counted, ({ usage }) => usage?.input),
        output: sum(counted, ({ usage }) => usage?.output),
        ...(cachedInput === 0 ? {} : { cached: cachedInput }),
      };
      return {
        questions: answers.length,
        ...(counted.length === 0 ? {} : { token_usage: tokenUsage }),
        ...(priced.length === 0 ? {} : { cost_usd: sum(priced, ({ costUsd }) => costUsd) }),
        ...(priced.length === answers.length ? {} : { unpriced: answers.length - priced.length }),
        ...(cached.length === 0 ? {} : { from_cache: cached.length }),
        ...(sum(cached, ({ costUsd }) => costUsd) === 0
          ? {}
          : { cached_cost_usd: sum(cached, ({ costUsd }) => costUsd) }),
      };
    },
  };
}
