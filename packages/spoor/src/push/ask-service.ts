/** One request to the service, made again where that can help: only what may come twice without harm is asked this way. */
import { messageOf, SpoorError } from "@spoor/core/internal/errors";
import { parseJsonText } from "@spoor/core/internal/trace/call-shape";
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
  /** What it means for who asks that there is no answer; unless said, that nothing was evaluated. */
  readonly withoutAnswer?: string;
}

/** What is sent; without it something is asked for. */
export interface SentBody {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

/** What comes of trying again: somebody was busy, or in between. */
const AGAIN: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const MOST_TRIES = 8;
/** Of these several in a row mean that nobody is there. */
const MOST_UNREACHED = 4;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 60_000;

/** The answer's bytes. Throws `server.unreachable`, or `server.refused` with what the service said. */
export async function askService(
  destination: Destination,
  path: string,
  options: SendOptions = {},
  sent?: SentBody,
): Promise<Uint8Array> {
  const { response, answer } = await answered(destination, path, options, sent);
  if (response.ok) return answer;
  throw refusal(response.status, answer, destination.server, consequenceOf(options, sent));
}

/** The same; undefined where the service says that there is no such thing. */
export async function findAtService(
  destination: Destination,
  path: string,
  options: SendOptions = {},
): Promise<Uint8Array | undefined> {
  const { response, answer } = await answered(destination, path, options);
  if (response.ok) return answer;
  if (response.status === 404 && isOurs(answer)) return undefined;
  throw refusal(response.status, answer, destination.server, consequenceOf(options));
}

async function answered(
  { server, token }: Destination,
  path: string,
  options: SendOptions,
  sent?: SentBody,
): Promise<{ readonly response: Response; readonly answer: Uint8Array }> {
  const { fetch: send = fetch, wait = waited, signal } = options;
  let unreached = 0;
  for (let tries = 1; ; tries++) {
    let response: Response;
    let answer: Uint8Array;
    try {
      response = await send(`${server}${path}`, {
        ...(sent === undefined ? {} : { method: "POST", body: sent.body }),
        // A token goes to the address that was given and to no other.
        redirect: "manual",
        headers: { ...sent?.headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
        ...(signal === undefined ? {} : { signal }),
      });
      answer = new Uint8Array(await response.arrayBuffer());
    } catch (error) {
      if (signal?.aborted) throw error;
      if (++unreached >= MOST_UNREACHED) throw unreachable(server, error, consequenceOf(options, sent));
      await wait(FIRST_WAIT_MS * 2 ** (unreached - 1));
      continue;
    }
    unreached = 0;
    if (!AGAIN.has(response.status) || tries >= MOST_TRIES) return { response, answer };
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

function isOurs(answer: Uint8Array): boolean {
  return stringMember(member(jsonOf(answer), "error"), "message") !== undefined;
}

function consequenceOf({ withoutAnswer }: SendOptions, sent?: SentBody): string {
  if (withoutAnswer !== undefined) return withoutAnswer;
  return sent === undefined
    ? "Nothing was evaluated, and nothing evaluated is no pass."
    : "What was not sent yet can be sent again: what is there already is not sent twice.";
}

/** In the service's own words, which name file and line where it is about the recording. */
function refusal(status: number, answer: Uint8Array, server: string, consequence: string): SpoorError {
  const error = member(jsonOf(answer), "error");
  const message = stringMember(error, "message");
  if (message === undefined) return notOurs(server, status);
  const hint = stringMember(error, "hint");
  return new SpoorError("server.refused", `The service answers ${status}: ${message}`, {
    ...(hint === undefined ? {} : { hint }),
    ...(status === 401 || status === 403 ? { consequence } : {}),
  });
}

export function notOurs(server: string, status?: number): SpoorError {
  return new SpoorError(
    "server.refused",
    `What answers at ${server}${status === undefined ? "" : ` (${status})`} is no service of Spoor's.`,
    { hint: "Check the address: --server, or SPOOR_SERVER." },
  );
}

function unreachable(server: string, cause: unknown, consequence: string): SpoorError {
  const inner = (cause as { readonly cause?: { readonly code?: string; readonly message?: string } }).cause;
  const why = inner?.code ?? inner?.message ?? messageOf(cause);
  return new SpoorError("server.unreachable", `The service at ${server} does not answer (${why}).`, {
    consequence,
    hint: "Start it: spoor serve",
    cause,
  });
}

/** An object, or nothing: whoever answers may be somebody else. */
export function jsonOf(answer: Uint8Array): Json | undefined {
  const value = parseJsonText(Buffer.from(answer).toString("utf8"));
  return isObject(value) ? value : undefined;
}
