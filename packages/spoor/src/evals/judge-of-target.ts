/** A target as a judge: whatever answers a case can answer a judge's question. */
import type { Judge } from "./evaluators/run-context.ts";
import type { Environment } from "./interpolate.ts";
import { JUDGE_RETRIES, JUDGE_TIMEOUT_MS, judgeOfProvider } from "./judge-of-provider.ts";
import type { Target } from "./load-targets.ts";
import { needsPrices } from "./target-costs.ts";

export interface JudgeDefaults {
  /** From `--max-retries`. */
  readonly maxRetries?: number | undefined;
}

export function judgeOfTarget(
  target: Target,
  env: Environment,
  folder: string,
  { maxRetries = JUDGE_RETRIES }: JudgeDefaults = {},
): Judge {
  return judgeOfProvider({
    name: `target ${target.name}`,
    provider: target.provider,
    timeoutMs: target.timeoutMs ?? JUDGE_TIMEOUT_MS,
    retry: { maxRetries, ...target.retry },
    prices: target.prices,
    needsNoPrices: !needsPrices(target),
    env,
    folder,
  });
}

/** Providers that are models: only they judge without being named as a judge. */
const MODELS: ReadonlySet<string> = new Set(["openai", "anthropic", "openai-compatible"]);

export function canJudge(target: Target): boolean {
  return MODELS.has(target.providerName);
}
