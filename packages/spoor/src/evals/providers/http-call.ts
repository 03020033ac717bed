/** One HTTP request of a provider: status codes and connection failures become the kinds of failure a run can have. */
import { refuseInFence } from "../../load/fence.ts";
import { retryAfterMs } from "../servers/retry-after.ts";
import type { HttpCall } from "../servers/server-door.ts";
import { MAX_OUTPUT_BYTES, ProviderError } from "./provider.ts";

export async function httpCall(call: HttpCall): Promise<string> {
  const where = `${call.method} ${withoutSecrets(call.url)}`;
  refuseInFence("Asking a server");
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
  const { status } = response;
  const { words, code, param } = errorFacts(body);
  const message = `${where} answered ${status}${words === "" ? "" : `: ${words}`}`;
  const setting = status === 400 || status === 422 ? refusedSetting(words, code, param) : undefined;
  if (setting !== undefined)
    return new ProviderError("missing", `${message} (the model does not take "${setting}": leave that setting out)`);
  // The same status as for too many requests, but no wait helps.
  if (status === 402 || (status === 429 && NO_CREDIT.test(`${code} ${words}`)))
    return new ProviderError("missing", `${message} (the account has no credit)`);
  if (status === 429) return new ProviderError("rate-limit", message, { retryAfterMs: retryAfterMs(response.headers) });
  if (status === 408 || status === 504) return new ProviderError("timeout", message);
  if (status >= 500) return new ProviderError("unavailable", message, { retryAfterMs: retryAfterMs(response.headers) });
  if (status === 401 || status === 403 || status === 404) return new ProviderError("missing", message);
  return new ProviderError("failed", message);
}

const NO_CREDIT = /insufficient_quota|insufficient credit|credit balance/i;

interface ErrorFacts {
  /** The message, whatever the shape of the body; never more than a few hundred characters. */
  readonly words: string;
  readonly code: string;
  /** The setting that the error is about. */
  readonly param: string | undefined;
}

function errorFacts(body: string): ErrorFacts {
  let words = body.trim();
  let code = "";
  let param: string | undefined;
  try {
    const parsed = JSON.parse(body) as { error?: unknown; message?: unknown } | null;
    const error = parsed?.error;
    const inner = (typeof error === "object" && error !== null ? error : parsed) as Record<string, unknown>;
    const found = typeof error === "string" ? error : (inner["message"] ?? parsed?.message);
    if (typeof found === "string") words = found;
    code = [inner["code"], inner["type"]].filter((value) => typeof value === "string").join(" ");
    if (typeof inner["param"] === "string") param = inner["param"];
  } catch {
    // Not JSON: the text itself is the message.
  }
  return { words: words.length > BODY_SHOWN ? `${words.slice(0, BODY_SHOWN)}…` : words, code, param };
}

const UNSUPPORTED =
  /unsupported|not supported|does(?: not|n't) support|not permitted|not allowed|deprecated|unrecogni[sz]ed|unknown (?:parameter|field|name|argument)|unexpected keyword|extra (?:inputs|fields)/i;
const SETTINGS =
  /\b(temperature|top_p|top_k|seed|max_completion_tokens|max_tokens|reasoning_effort|output_config|effort)\b/;

/** The name of a setting that the model refuses, by the error's own field, else by its words. */
function refusedSetting(words: string, code: string, param: string | undefined): string | undefined {
  if (!UNSUPPORTED.test(`${code.replaceAll("_", " ")} ${words}`)) return undefined;
  return param !== undefined && SETTINGS.test(param) ? param : SETTINGS.exec(words)?.[1];
}

function withoutSecrets(url: string): string {
  try {
    const parsed = new URL(url);
    return `${parsed.origin}${parsed.pathname}`;
  } catch {
    return url;
  }
}
