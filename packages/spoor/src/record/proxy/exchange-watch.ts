/**
 * What a recorder sees of one request on its way. Everything here is told after the bytes it is about have been handed on, so
 * whatever a watcher does, it never stands before them.
 */

/** A request as it is sent to the model's own address; header names in lower case. */
export interface ForwardedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The headers by which the child speaks to the recorder (`x-spoor-…`), which nobody else gets. */
  readonly spoken: Readonly<Record<string, string>>;
  readonly atMs: number;
}

export interface ExchangeWatch {
  sent(chunk: Buffer): void;
  /** The whole request is on its way. */
  sentAll(): void;
  head(status: number, headers: Readonly<Record<string, string>>, atMs: number): void;
  received(chunk: Buffer, atMs: number): void;
  ended(atMs: number): void;
  /** The exchange broke off: the client went away, or the upstream did. */
  broke(by: "client" | "server", error: { readonly code?: string; readonly message: string }, atMs: number): void;
}
