/** A recorded answer as the API would send it now: whole, or as the events of a stream, with the moments at which its pieces came. */
import type { FailedModel, ServedModel } from "@spoor/core/internal/cassette/cassette";
import type { ProviderApi, StreamEvent } from "@spoor/core/internal/providers/provider-api";
import { streamOf } from "@spoor/core/internal/providers/stream-codecs";
import { type JsonObject, member, numberMember, stringifyJson } from "@spoor/core/internal/trace/json";
import { REPLAY_HEADER, replayHeader } from "@spoor/core/internal/trace/replay-marks";
import { failedAnswer } from "./replay-error.ts";

/** What a door sends. Pieces are sent at their moment, counted from the request; without one, at once. */
export interface AnswerToSend {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly pieces: readonly AnswerPiece[];
  /** The connection breaks off after the last piece: at once, or when the client has had time to leave, as it did then. */
  readonly breaksOff?: "at_once" | "later";
}

export interface AnswerPiece {
  readonly text: string;
  readonly atMs?: number;
}

/** How a request wants its answer. `list`: Gemini's stream without events, a JSON list. */
export type AnswerForm = "whole" | "events" | "list";

export function formOf(api: Pick<ProviderApi, "name">, url: string, body: JsonObject): AnswerForm {
  if (api.name !== "gemini") return member(body, "stream") === true ? "events" : "whole";
  if (!/:streamGenerateContent/i.test(url)) return "whole";
  return /[?&]alt=sse\b/i.test(url) ? "events" : "list";
}

/** Undefined for a stream that is not text. */
export function servedAnswer(
  api: ProviderApi,
  answer: ServedModel,
  form: AnswerForm,
  timing: "none" | "recorded",
): AnswerToSend | undefined {
  const mark = { [REPLAY_HEADER]: replayHeader({ served: answer.served, from: answer.from }) };
  const breaksOff = answer.complete ? {} : { breaksOff: answer.brokenBy === "client" ? LATER : AT_ONCE };
  if (form === "whole") {
    const text = stringifyJson(answer.body);
    const atMs = timing === "recorded" ? numberMember(answer.payload, "latency_ms") : undefined;
    const pieces = [{ text: answer.complete ? text : text.slice(0, text.length / 2), ...moment(atMs) }];
    return { status: 200, headers: { "content-type": "application/json", ...mark }, pieces, ...breaksOff };
  }
  const codec = streamOf(api);
  if (codec === undefined) return undefined;
  const all = codec.encode(answer.body, PIECE_LENGTH);
  const events = answer.complete ? all : withoutEnd(all);
  const texts = form === "events" ? events.map(eventText) : listTexts(events);
  const pieces = texts.map((text, index) => ({
    text,
    ...(timing === "recorded" ? moment(momentOf(answer, index, texts.length)) : {}),
  }));
  const type = form === "events" ? "text/event-stream; charset=utf-8" : "application/json";
  return { status: 200, headers: { "content-type": type, ...mark }, pieces, ...breaksOff };
}

/** A call of the model that failed fails again; one that never got an answer gets none. */
export function failedAgain(api: ProviderApi, { error, served, from }: FailedModel): AnswerToSend {
  const { status, code = "error", message } = error;
  const header = replayHeader({ served, from });
  if (status === undefined) return { status: 0, headers: { [REPLAY_HEADER]: header }, pieces: [], breaksOff: AT_ONCE };
  const { text, headers } = failedAnswer(api, { status, code, message }, header);
  return { status, headers: { ...headers, ...error.headers }, pieces: [{ text }] };
}

const AT_ONCE = "at_once" as const;
const LATER = "later" as const;

/** How long a client that left then is given to leave now. */
export const LEAVING_MS = 5_000;

/** About a word: pieces as models send them. */
const PIECE_LENGTH = 8;

function eventText({ name, data }: StreamEvent): string {
  const text = data === "[DONE]" ? data : stringifyJson(data);
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${text}\n\n`;
}

function listTexts(events: readonly StreamEvent[]): string[] {
  const texts = events.flatMap(({ data }) => (data === "[DONE]" ? [] : [stringifyJson(data)]));
  return [...texts.map((text, index) => `${index === 0 ? "[" : ",\n"}${text}`), texts.length === 0 ? "[]" : "]"];
}

/** What says that the model was done, and what it cost, comes last; a stream that broke off never got there. */
const END =
  /"finish_reason":"|"choices":\[\]|"finishReason":"|"type":"(?:message_delta|message_stop|content_block_stop|response\.(?:completed|incomplete|failed)|response\.[a-z_.]+\.done)"/;

function withoutEnd(events: readonly StreamEvent[]): readonly StreamEvent[] {
  const isEnd = ({ data }: StreamEvent) => data === "[DONE]" || END.test(stringifyJson(data));
  return events.slice(0, events.findLastIndex((event) => !isEnd(event)) + 1);
}

/** By absolute moments: pauses one after the other would add up what each is late. */
function momentOf({ timings }: ServedModel, index: number, pieces: number): number | undefined {
  const first = numberMember(timings, "first_ms");
  const last = numberMember(timings, "last_ms");
  if (first === undefined || last === undefined) return undefined;
  return pieces === 1 ? first : first + ((last - first) * index) / (pieces - 1);
}

function moment(atMs: number | undefined): { readonly atMs?: number } {
  return atMs === undefined ? {} : { atMs };
}
