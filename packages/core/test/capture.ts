/** A capture whose records are kept in memory, and an agent that talks to it. */
import { type Capture, createCapture } from "../src/capture/capture.ts";
import type { CaptureOptions } from "../src/capture/capture-options.ts";
import type { CaptureProblem, SeenRequest } from "../src/capture/seen.ts";
import { encodeStream } from "../src/providers/event-stream.ts";
import type { ProviderApi } from "../src/providers/provider-api.ts";
import { streamOf } from "../src/providers/stream-codecs.ts";
import { buildTrace } from "../src/trace/build-trace.ts";
import { type JsonObject, stringifyJson } from "../src/trace/json.ts";
import type { TraceRecord } from "../src/trace/record.ts";
import type { Trace } from "../src/trace/trace.ts";

export interface TestCapture {
  readonly capture: Capture;
  readonly files: Map<string, TraceRecord[]>;
  readonly problems: CaptureProblem[];
  /** The records of the only file. */
  records(): readonly TraceRecord[];
  trace(key?: string): Trace;
}

export function testCapture(options: Partial<CaptureOptions> = {}): TestCapture {
  const files = new Map<string, TraceRecord[]>();
  const problems: CaptureProblem[] = [];
  let ids = 0;
  const capture = createCapture({
    // Through text, as files do: what cannot be written must not look right here.
    write: (file, record) => {
      const read = JSON.parse(stringifyJson(record as unknown as JsonObject)) as TraceRecord;
      files.set(file.key, [...(files.get(file.key) ?? []), read]);
    },
    metadata: { door: "test" },
    newId: () => `trace-${++ids}`,
    onProblem: (problem) => problems.push(problem),
    ...options,
  });
  const records = () => {
    if (files.size !== 1) throw new Error(`${files.size} files: ${[...files.keys()].join(", ")}`);
    return [...files.values()][0]!;
  };
  return {
    capture,
    files,
    problems,
    records,
    trace: (key) => buildTrace(key === undefined ? records() : files.get(key)!),
  };
}

const addresses: Readonly<Record<string, string>> = {
  chat: "https://api.openai.com/v1/chat/completions",
  responses: "https://api.openai.com/v1/responses",
  messages: "https://api.anthropic.com/v1/messages",
  gemini: "https://generativelanguage.googleapis.com/v1beta/models/gemini-x:generateContent",
  bedrock: "https://bedrock-runtime.us-east-1.amazonaws.com/model/model-x/converse",
};

export function seenRequest(
  api: Pick<ProviderApi, "name">,
  body: JsonObject,
  more: Partial<SeenRequest> = {},
): SeenRequest {
  return { method: "POST", url: addresses[api.name]!, headers: {}, body: stringifyJson(body), atMs: 1_000, ...more };
}

/** One call with its answer; streamed where `pieces` says how long the chunks are. */
export function exchange(
  capture: Capture,
  api: ProviderApi,
  request: JsonObject,
  response: JsonObject,
  { pieces, ...more }: Partial<SeenRequest> & { pieces?: number } = {},
): void {
  const seen = seenRequest(api, request, more);
  const call = capture.request(seen)!;
  const stream = pieces === undefined ? undefined : streamOf(api);
  const type = stream === undefined ? "application/json" : "text/event-stream; charset=utf-8";
  call.head(200, { "content-type": type }, seen.atMs + 10);
  const text = stream === undefined ? stringifyJson(response) : encodeStream(stream, response);
  const length = pieces ?? text.length;
  for (let at = 0; at < text.length; at += length) call.text(text.slice(at, at + length), seen.atMs + 20);
  call.end(seen.atMs + 30);
}
