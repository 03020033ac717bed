/** What comes back for a request, whole or as a stream, in chunks cut anywhere: the body that the API would return without streaming. */
import { UnknownCounter } from "../providers/count-unknown.ts";
import { foldStream, type StreamFold } from "../providers/event-stream.ts";
import type { ProviderApi } from "../providers/provider-api.ts";
import { streamOf } from "../providers/stream-codecs.ts";
import { isObject, type Json, type JsonObject, stringifyJson } from "../trace/json.ts";
import { readBody } from "./read-body.ts";

export interface Answer {
  /** Undefined when nothing came that could be read. */
  readonly body: Json | undefined;
  /** False when a stream was cut before the model said that it had ended. */
  readonly complete: boolean;
  /** Set where it came as a stream. */
  readonly events?: number;
  /** Events of a stream that were not understood: type → how many. */
  readonly unread?: Readonly<Record<string, number>>;
  readonly firstMs?: number;
  readonly lastMs?: number;
  /** Characters that were not kept, because the body was larger than is recorded. */
  readonly tooLarge?: number;
  /** What came where it was neither a stream nor JSON. */
  readonly text?: string;
  /** Whether anything came at all. */
  readonly isEmpty: boolean;
}

export interface AnswerCollector {
  add(text: string, atMs: number): void;
  finish(): Answer;
}

export function collectAnswer(api: ProviderApi, contentType: string, maxChars: number): AnswerCollector {
  const codec = streamOf(api);
  const isStream = codec !== undefined && /^\s*text\/event-stream/i.test(contentType);
  let fold: StreamFold | undefined = isStream ? foldStream(codec) : undefined;
  let chunks: string[] = [];
  let chars = 0;
  let firstMs: number | undefined;
  let lastMs: number | undefined;

  return {
    add(text, atMs) {
      if (text === "") return;
      firstMs ??= atMs;
      lastMs = atMs;
      chars += text.length;
      if (chars > maxChars) {
        fold = undefined;
        chunks = [];
      } else if (fold === undefined) chunks.push(text);
      else fold.push(text);
    },
    finish() {
      const isEmpty = chars === 0;
      if (chars > maxChars) return { body: undefined, complete: false, tooLarge: chars, isEmpty };
      const times = { ...(firstMs === undefined ? {} : { firstMs }), ...(lastMs === undefined ? {} : { lastMs }) };
      if (fold !== undefined) return { ...times, ...folded(fold), isEmpty };
      const text = chunks.join("");
      // Some servers forget to say that it is a stream.
      if (codec !== undefined && /^\s*(?:data|event):/.test(text)) {
        const late = foldStream(codec);
        late.push(text);
        return { ...times, ...folded(late), isEmpty };
      }
      const body = readBody(text);
      if (codec !== undefined && isListOfEvents(body)) {
        const events = codec.fold(new UnknownCounter());
        for (const event of body) events.event(event);
        return { ...times, body: events.body(), complete: events.ended(), events: body.length, isEmpty };
      }
      return { body, complete: body !== undefined, isEmpty, ...(body === undefined ? { text } : {}) };
    },
  };
}

function folded(fold: StreamFold): Pick<Answer, "body" | "complete" | "events" | "unread"> {
  const { response, complete, events, bad, unknown } = fold.finish();
  const unread = bad === 0 ? unknown : { ...unknown, "event that is no JSON": bad };
  // What a stream says is made well-formed only after its pieces were joined.
  const body = response === undefined ? undefined : readBody(stringifyJson(response));
  return { body, complete, events, ...(Object.keys(unread).length === 0 ? {} : { unread }) };
}

/** Gemini streams a JSON list of responses when it is not asked for events. */
function isListOfEvents(body: Json | undefined): body is readonly JsonObject[] {
  return Array.isArray(body) && body.length > 0 && body.every(isObject);
}
