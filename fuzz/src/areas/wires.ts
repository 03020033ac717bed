/** What models are asked and answer, as a recorder sees it on the wire: damaged bodies and damaged streams, cut anywhere. */
import { buildTrace, type Json, type JsonObject, parseJson, type TraceRecord } from "@spoor/core";
import { createCapture } from "@spoor/core/internal/capture/capture";
import type { CaptureProblem, SeenRequest } from "@spoor/core/internal/capture/seen";
import { encodeStream, foldStream } from "@spoor/core/internal/providers/event-stream";
import type { ProviderApi } from "@spoor/core/internal/providers/provider-api";
import { providerApis } from "@spoor/core/internal/providers/provider-apis";
import { streamOf } from "@spoor/core/internal/providers/stream-codecs";
import { createRedaction } from "@spoor/core/internal/redact/redaction";
import { isObject, stringifyJson } from "@spoor/core/internal/trace/json";
import { type Area, RESULT } from "../area.ts";
import { BrokenPromise } from "../broken-promise.ts";
import { readSeed, type Seed } from "../mutate/mutate.ts";

/** Both halves of a call, as texts of the wire. */
interface Exchange {
  readonly request: string;
  readonly response: string;
  readonly type: "application/json" | "text/event-stream";
}

export const wiresArea: Area = {
  name: "wires",
  about:
    "requests, answers and streams of every model API, as a recorder hears them: kept as records, folded however they are cut",
  share: 120,
  async open() {
    const apis = new Map(providerApis.map((api) => [api.name, api]));
    return {
      seeds: providerApis.flatMap(seedsOf),
      async drive({ seed, bytes, choice }) {
        const [name = "", kind = ""] = seed.split(".");
        const api = apis.get(name)!;
        const text = bytes.toString("utf8");
        const exchange = kind === "stream" ? streamed(api, text) : whole(text);
        if (exchange.type === "text/event-stream") checkFold(api, exchange.response, choice);
        const recorded = record(api, exchange, choice);
        checkKept(recorded);
        const isUnderstood = recorded.files.size > 0 && recorded.problems.length === 0;
        return isUnderstood ? RESULT : "wire.not-understood";
      },
    };
  },
};

const CALL = { type: "tool_use", id: "call_4f8a", name: "lookup_order", input: { order: "A-7702", deep: [{ a: 1 }] } };
const ASKED: JsonObject = {
  model: "m-1",
  tools: [{ name: "lookup_order", description: "Finds an order", parameters: { type: "object" } }],
  params: { temperature: 0.5 },
  messages: [
    { role: "system", content: "Be kind." },
    { role: "user", content: "Where is order A-7702?" },
    { role: "assistant", content: [{ type: "text", text: "I look." }, CALL] },
    { role: "tool", tool_call_id: CALL.id, content: "shipped" },
  ],
};
const ANSWERED: JsonObject = {
  model: "m-1",
  content: [{ type: "thinking", text: "Hm." }, { type: "text", text: "On its way, I look again." }, CALL],
  stop_reason: "tool_use",
  usage: { input_tokens: 12, output_tokens: 5, cached_input_tokens: 3 },
};

const ADDRESSES: Readonly<Record<string, string>> = {
  chat: "https://api.openai.com/v1/chat/completions",
  responses: "https://api.openai.com/v1/responses",
  messages: "https://api.anthropic.com/v1/messages",
  gemini: "https://generativelanguage.googleapis.com/v1beta/models/gemini-x:generateContent",
  bedrock: "https://bedrock-runtime.us-east-1.amazonaws.com/model/model-x/converse",
};

function seedsOf(api: ProviderApi): Seed[] {
  const response = api.encodeResponse(ANSWERED);
  const both = { request: api.encodeRequest(ASKED), response };
  const codec = streamOf(api);
  const seeds = [readSeed(`${api.name}.whole.json`, Buffer.from(stringifyJson(both)))];
  if (codec === undefined) return seeds;
  const events = codec.encode(response, 5).flatMap(({ data }) => (data === "[DONE]" ? [] : [data]));
  return [
    ...seeds,
    readSeed(`${api.name}.stream.txt`, Buffer.from(encodeStream(codec, response))),
    // As a list, so that events are damaged where they have a structure, left out, doubled and exchanged.
    readSeed(`${api.name}.stream.json`, Buffer.from(stringifyJson(events))),
  ];
}

function streamed(api: ProviderApi, text: string): Exchange {
  const events = jsonOf(text);
  const lines = Array.isArray(events)
    ? events.map((event: Json) => `data: ${stringifyJson(event)}\n\n`).join("")
    : text;
  return { request: stringifyJson(api.encodeRequest(ASKED)), response: lines, type: "text/event-stream" };
}

function whole(text: string): Exchange {
  const both = jsonOf(text);
  if (!isObject(both)) return { request: text, response: text, type: "application/json" };
  const half = (value: Json | undefined) => (typeof value === "string" ? value : stringifyJson(value ?? null));
  return { request: half(both["request"]), response: half(both["response"]), type: "application/json" };
}

/** A stream says the same however it is cut. */
function checkFold(api: ProviderApi, text: string, choice: number): void {
  const codec = streamOf(api)!;
  const inOne = foldStream(codec);
  inOne.push(text);
  const cut = foldStream(codec);
  const length = 1 + (choice % 40);
  for (let at = 0; at < text.length; at += length) cut.push(text.slice(at, at + length));
  if (stringifyJson(inOne.finish() as unknown as Json) !== stringifyJson(cut.finish() as unknown as Json))
    throw new BrokenPromise(`a stream of ${api.name} says something else when it is cut otherwise`);
}

interface Recorded {
  readonly files: ReadonlyMap<string, readonly TraceRecord[]>;
  readonly problems: readonly CaptureProblem[];
}

/** Twice, with a second answer after the first: what was kept of the first stands before the second. */
function record(api: ProviderApi, { request, response, type }: Exchange, choice: number): Recorded {
  const files = new Map<string, TraceRecord[]>();
  const problems: CaptureProblem[] = [];
  let ids = 0;
  const capture = createCapture({
    write(file, written) {
      const read = parseJson(stringifyJson(written as unknown as Json)) as unknown as TraceRecord;
      files.set(file.key, [...(files.get(file.key) ?? []), read]);
    },
    metadata: { door: "fuzz" },
    newId: () => `trace-${++ids}`,
    onProblem: (problem) => problems.push(problem),
    ...(choice % 2 === 0 ? { redaction: createRedaction() } : {}),
    ...(choice % 7 === 0 ? { content: "blind" as const } : {}),
  });
  const seen: SeenRequest = { method: "POST", url: ADDRESSES[api.name]!, headers: {}, body: request, atMs: 1_000 };
  for (const atMs of [1_000, 2_000]) {
    const call = capture.request({ ...seen, atMs });
    call?.head(choice % 11 === 0 ? 500 : 200, { "content-type": type }, atMs + 1);
    call?.text(response, atMs + 2);
    if (choice % 13 === 0) call?.broke("server", { message: "gone" }, atMs + 3);
    else call?.end(atMs + 3);
  }
  capture.close(3_000);
  return { files, problems };
}

/** Recording fails open, so what went wrong inside is told and not thrown; what was kept is a trace. */
function checkKept({ files, problems }: Recorded): void {
  const wrong = problems.find(({ code }) => code === "internal" || code === "unwritable");
  if (wrong !== undefined) throw new BrokenPromise(`the recorder failed: ${wrong.message}`);
  for (const records of files.values()) buildTrace(records);
}

function jsonOf(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
