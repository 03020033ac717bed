/** What a request to a server is, and what came of it: all that providers know of the door in model-servers.ts. */
import type { Limits } from "./pace.ts";

export interface HttpCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

export interface ServerCall<T> extends HttpCall {
  /** Servers are told apart by it and by their address. */
  readonly provider: string;
  readonly limits?: Limits;
  /** The same question may be answered with an earlier answer. */
  readonly isCacheable: boolean;
  /** What is sent and may come back, in tokens, as far as that can be told before. */
  readonly tokens?: number;
  /** What the answer means; throws ProviderError when it is none. */
  read(text: string): T;
  tokensOf?(answer: T): number | undefined;
}

export interface Sent<T> {
  readonly answer: T;
  readonly latencyMs: number;
  readonly fromCache: boolean;
  /** The answer turned out to be of no use: it is not to be given again. */
  forget(): Promise<void>;
}

/** One run's way through the door. */
export interface ServerDoor {
  send<T>(call: ServerCall<T>): Promise<Sent<T>>;
}
