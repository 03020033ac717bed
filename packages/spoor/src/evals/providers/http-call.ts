/** One HTTP request of a provider: status codes and connection failures become the kinds of failure a run can have. */
import { MAX_OUTPUT_BYTES, ProviderError } from "./provider.ts";

export interface HttpCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

export async function httpCall(call: HttpCall): Promise<string> {
  const where = `${call.method} ${withoutSecrets(call.url)}`;
  let response: Response;
  try {
    response = await fetch(call.url, {
      method: call.method,
      headers: call.headers,
      signal: call.signal,
      ...(call.body === undefined ? {} : { body: call.body }),
    });
  } catch (error) {
    call.signal.throwIfAborted();
    throw connectionFailure(where, error);
  }
  const text = await readBody(response, where, call.signal);
  if (response.ok) return text;
  throw statusFailure(where, response, text);
}

async function readBody(response: Response, where: string, signal: AbortSignal): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      bytes += (chunk as Uint8Array).length;
      if (bytes > MAX_OUTPUT_BYTES) {
        throw new ProviderError("too-large", `${where} answered with more than 64 MiB; the rest was not read`);
      }
      chunks.push(chunk as Uint8Array);
    }
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    signal.throwIfAborted();
    throw new ProviderError("unavailable", `${where} cut the answer off after ${bytes} bytes`, { cause: error });
  }
  return Buffer.concat(chunks).toString("utf8");
}

const NOBODY_THERE: Readonly<Record<string, string>> = {
  ECONNREFUSED: "refused the connection",
  ENOTFOUND: "has no such host",
  EAI_AGAIN: "could not be looked up",
  EHOSTUNREACH: "cannot be reached",
  ENETUNREACH: "cannot be reached",
  UND_ERR_CONNECT_TIMEOUT: "did not accept the connection in time",
};

function connectionFailure(where: string, error: unknown): ProviderError {
  const cause = (error as { cause?: { code?: string; message?: string; errors?: { code?: string }[] } }).cause;
  const code = cause?.code ?? cause?.errors?.[0]?.code ?? "";
  const words = Object.hasOwn(NOBODY_THERE, code) ? NOBODY_THERE[code] : undefined;
  if (words !== undefined) return new ProviderError("unreachable", `${where} ${words}`, { cause: error });
  if (cause === undefined)
    return new ProviderError("missing", `${where} is not a request that can be sent: ${(error as Error).message}`, {
      cause: error,
    });
  return new ProviderError("unavailable", `${where} failed: ${cause.message ?? code}`, { cause: error });
}

const BODY_SHOWN = 300;

function statusFailure(where: string, response: Response, body: string): ProviderError {
  const words = errorWords(body);
  const message = `${where} answered ${response.status}${words === "" ? "" : `: ${words}`}`;
  if (response.status === 429) return new ProviderError("rate-limit", message, { retryAfterMs: retryAfter(response) });
  if (response.status === 408 || response.status === 504) return new ProviderError("timeout", message);
  if (response.status >= 500) return new ProviderError("unavailable", message, { retryAfterMs: retryAfter(response) });
  if (response.status === 401 || response.status === 403 || response.status === 404)
    return new ProviderError("missing", message);
  return new ProviderError("failed", message);
}

/** The message inside an error body, whatever its shape; never more than a few hundred characters. */
function errorWords(body: string): string {
  let words = body.trim();
  try {
    const parsed = JSON.parse(body) as { error?: { message?: unknown } | string; message?: unknown };
    const found = typeof parsed.error === "string" ? parsed.error : (parsed.error?.message ?? parsed.message);
    if (typeof found === "string") words = found;
  } catch {
    // Not JSON: the text itself is the message.
  }
  return words.length > BODY_SHOWN ? `${words.slice(0, BODY_SHOWN)}…` : words;
}

function retryAfter(response: Response): number | undefined {
  const header = response.headers.get("retry-after");
  const seconds = header === null ? Number.NaN : Number(header);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}

function withoutSecrets(url: string): string {
  try {
    const parsed = new URL(url);
    return `${parsed.origin}${parsed.pathname}`;
  } catch {
    return url;
  }
}
