/**
 * One recording to the service: packed, sent, and sent again where that can help. Sending twice does no harm: the service knows a recording by its bytes.
 */
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { SpoorError } from "@spoor/core/internal/errors";
import { isObject, type Json, member, stringMember } from "@spoor/core/internal/trace/json";

export interface Destination {
  /** Without a slash at its end. */
  readonly server: string;
  readonly token?: string | undefined;
}

export interface SendOptions {
  readonly fetch?: typeof fetch;
  /** Resolves after so many milliseconds. */
  readonly wait?: (ms: number) => Promise<void>;
  readonly signal?: AbortSignal;
}

export interface SentRecording {
  readonly id: string;
  readonly created: boolean;
}

/** What comes of trying again: somebody was busy, or in between. */
const AGAIN: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const MOST_TRIES = 8;
/** Of these several in a row mean that nobody is there. */
const MOST_UNREACHED = 4;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 60_000;

/** Throws `server.unreachable`, or `server.refused` with what the service said. */
export async function sendRecording(
  { server, token }: Destination,
  about: Readonly<Record<string, string>>,
  bytes: Buffer,
  options: SendOptions = {},
): Promise<SentRecording> {
  const { fetch: send = fetch, wait = waited, signal } = options;
  const url = `${server}/api/v1/traces?${new URLSearchParams(about)}`;
  const body = await promisify(gzip)(bytes);
  let unreached = 0;
  for (let tries = 1; ; tries++) {
    let response: Response;
    try {
      response = await send(url, {
        method: "POST",
        body,
        // A token goes to the address that was given and to no other.
        redirect: "manual",
        headers: {
          "content-encoding": "gzip",
          "content-type": "application/octet-stream",
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      if (++unreached >= MOST_UNREACHED) throw unreachable(server, error);
      await wait(FIRST_WAIT_MS * 2 ** (unreached - 1));
      continue;
    }
    unreached = 0;
    const text = await response.text();
    if (response.ok) return sentOf(text, server);
    if (!AGAIN.has(response.status) || tries >= MOST_TRIES) throw refusal(response.status, text, server);
    await wait(waitOf(response.headers.get("retry-after"), tries));
  }
}

function waitOf(header: string | null, tries: number): number {
  const seconds = header === null ? Number.NaN : Number(header);
  const ms = Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : FIRST_WAIT_MS * 2 ** (tries - 1);
  return Math.min(LONGEST_WAIT_MS, ms);
}

function waited(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function sentOf(text: string, server: string): SentRecording {
  const answer = jsonOf(text);
  const id = stringMember(answer, "id");
  if (id === undefined) throw notOurs(server);
  return { id, created: member(answer, "created") === true };
}

/** In the service's own words, which name file and line where it is about the recording. */
function refusal(status: number, text: string, server: string): SpoorError {
  const error = member(jsonOf(text), "error");
  const message = stringMember(error, "message");
  if (message === undefined) return notOurs(server, status);
  const hint = stringMember(error, "hint");
  return new SpoorError("server.refused", `The service answers ${status}: ${message}`, {
    ...(hint === undefined ? {} : { hint }),
    ...(status === 401 || status === 403 ? { consequence: "Nothing was sent." } : {}),
  });
}

function notOurs(server: string, status?: number): SpoorError {
  return new SpoorError(
    "server.refused",
    `What answers at ${server}${status === undefined ? "" : ` (${status})`} is no service of Spoor's.`,
    { hint: "Check the address: --server, or SPOOR_SERVER." },
  );
}

function unreachable(server: string, cause: unknown): SpoorError {
  const inner = (cause as { readonly cause?: { readonly code?: string; readonly message?: string } }).cause;
  const why = inner?.code ?? inner?.message ?? (cause instanceof Error ? cause.message : String(cause));
  return new SpoorError("server.unreachable", `The service at ${server} does not answer (${why}).`, {
    consequence: "What was not sent yet can be sent again: what is there already is not sent twice.",
    hint: "Start it: spoor serve",
    cause,
  });
}

function jsonOf(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
