/**
 * A judge behind HTTP: any OpenAI-compatible chat endpoint, or Anthropic's messages endpoint, asked as a target of that provider is
 * asked. Settings that are not given are not sent. The key goes into a header and nowhere else.
 */
import { JUDGE_RETRIES, JUDGE_TIMEOUT_MS, judgeOfProvider } from "../judge-of-provider.ts";
import { ANTHROPIC_URL, anthropicProvider } from "../providers/anthropic.ts";
import { OPENAI_URL, openaiCompatibleProvider } from "../providers/openai.ts";
import { listPriceOf, type TokenPrices } from "../token-prices.ts";
import type { Judge } from "./run-context.ts";

export interface HttpJudgeSettings {
  readonly provider: "openai" | "anthropic";
  readonly model: string;
  /** `https://api.openai.com/v1`, `https://api.anthropic.com`, or any server that speaks the same. */
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly temperature?: number;
  readonly maxTokens?: number;
  readonly seed?: number;
  readonly reasoningEffort?: string;
  readonly rpm?: number;
  readonly tpm?: number;
  readonly pricing?: TokenPrices;
  readonly timeoutMs?: number;
  readonly maxRetries?: number;
  /** First pause between attempts; it doubles each time. */
  readonly retryDelayMs?: number;
}

const DEFAULT_URLS = { openai: OPENAI_URL, anthropic: ANTHROPIC_URL };
const MAX_PAUSE_MS = 60_000;
/** A local server wants none, and one that wants a key says so itself. */
const NO_KEY = "none";

export function createHttpJudge(settings: HttpJudgeSettings): Judge {
  const { provider, model, timeoutMs, maxRetries, retryDelayMs, pricing, apiKey, ...chosen } = settings;
  const baseUrl = (settings.baseUrl ?? DEFAULT_URLS[provider]).replace(/\/+$/, "");
  const shared = { ...chosen, model, baseUrl, headers: {}, tools: [], maxTurns: 1 };
  const opened =
    provider === "openai"
      ? openaiCompatibleProvider.open({ ...shared, ...(apiKey === undefined ? {} : { apiKey }) }, "")
      : anthropicProvider.open({ ...shared, apiKey: apiKey ?? NO_KEY }, "");
  return judgeOfProvider({
    name: `${model} at ${baseUrl}`,
    provider: opened,
    timeoutMs: timeoutMs ?? JUDGE_TIMEOUT_MS,
    retry: {
      maxRetries: maxRetries ?? JUDGE_RETRIES,
      initialDelayMs: retryDelayMs ?? 1000,
      maxDelayMs: MAX_PAUSE_MS,
      backoffFactor: 2,
    },
    prices: pricing ?? (baseUrl === DEFAULT_URLS[provider] ? listPriceOf(model) : undefined),
    needsNoPrices: false,
    env: {},
    folder: "",
  });
}
