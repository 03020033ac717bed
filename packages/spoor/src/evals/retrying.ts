/** Asks again where that may help: after a pause that grows, or as long as the other side asked for, however long that is. */
import { setTimeout as sleep } from "node:timers/promises";
import { isRetryable, ProviderError } from "./providers/provider.ts";

export interface RetrySettings {
  readonly maxRetries?: number;
  readonly initialDelayMs: number;
  readonly maxDelayMs: number;
  readonly backoffFactor: number;
}

export interface Retrying extends RetrySettings {
  readonly maxRetries: number;
  readonly signal: AbortSignal;
  /** Before every pause. */
  onRetry?(error: ProviderError): void;
}

/** `ask` is told which attempt it is, from 1. */
export async function retrying<T>(ask: (attempt: number) => Promise<T>, settings: Retrying): Promise<T> {
  const { maxRetries, signal, initialDelayMs, maxDelayMs, backoffFactor, onRetry } = settings;
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask(attempt);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ProviderError) || !isRetryable(error) || attempt > maxRetries) throw error;
      onRetry?.(error);
      const pause = error.retryAfterMs ?? Math.min(initialDelayMs * backoffFactor ** (attempt - 1), maxDelayMs);
      await sleep(pause, undefined, { signal });
    }
  }
}
