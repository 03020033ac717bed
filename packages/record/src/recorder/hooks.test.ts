/** What frameworks are handed (middleware, processor, handler), alone and beside wrapped tools and a watched fetch. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ReadableStream } from "node:stream/web";
import { type Json, member } from "@spoor/core/internal/trace/json";
import type { TraceRecord } from "@spoor/core/internal/trace/record";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type ModelServer, startModelServer } from "../../test/model-server/model-server.ts";
import { createRecorder } from "./recorder.ts";

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

function recording() {
  const dir = mkdtempSync(join(tmpdir(), "spoor-hooks-"));
  const problems: string[] = [];
  const recorder = createRecorder({ dir, onProblem: ({ code }) => problems.push(code) });
  onTestFinished(() => {
    recorder.close();
    rmSync(dir, { recursive: true, force: true });
    expect(problems).toEqual([]);
  });
  const records = (kind: string): (Json | undefined)[] =>
    readdirSync(dir)
      .filter((name) => name.endsWith(".agentlog"))
      .flatMap((name) => readFileSync(join(dir, name), "utf8").trim().split("\n"))
      .map((line) => JSON.parse(line) as TraceRecord)
      .filter((record) => record.kind === kind)
      .map(({ payload }) => payload);
  return { recorder, records };
}

interface Middleware {
  wrapGenerate(options: object): Promise<object>;
  wrapStream(options: object): Promise<{ stream: ReadableStream<unknown> }>;
}

const model = { modelId: "local-7b", provider: "mine" };
const call = { type: "tool-call", toolCallId: "c1", toolName: "look", input: '{"at":1}' };
const params = {
  prompt: [
    { role: "system", content: "Be short." },
    { role: "user", content: [{ type: "text", text: "hello" }] },
    {
      role: "assistant",
      content: [
        { type: "text", text: "hi" },
        { ...call, toolCallId: "c0" },
      ],
    },
    {
      role: "tool",
      content: [{ type: "tool-result", toolCallId: "c0", toolName: "look", output: { type: "text", value: "seen" } }],
    },
  ],
  tools: [{ type: "function", name: "look", inputSchema: { type: "object" } }],
  temperature: 0.5,
};
/** In the words of the second and of the third specification. */
const usages = [
  { usage: { inputTokens: 12, outputTokens: 5, cachedInputTokens: 4 }, finishReason: "tool-calls" },
  {
    usage: { inputTokens: { total: 12, cacheRead: 4 }, outputTokens: { total: 5 } },
    finishReason: { unified: "tool-calls", raw: "tool_use" },
  },
];
const asked = {
  content: [
    { type: "text", text: "let me look" },
    { type: "tool_use", id: "c1", name: "look", input: { at: 1 } },
  ],
  stop_reason: "tool_use",
  usage: { input_tokens: 8, output_tokens: 5, cached_input_tokens: 4 },
};

describe("aiMiddleware", () => {
  it.each(usages)("records what no wire shows, whole and streamed", async (ending) => {
    const { recorder, records } = recording();
    const middleware = recorder.aiMiddleware() as Middleware;
    const result = { content: [{ type: "text", text: "let me look" }, call], ...ending };
    expect(await middleware.wrapGenerate({ doGenerate: async () => result, params, model })).toBe(result);
    const parts = [
      { type: "text-delta", id: "1", delta: "let me " },
      { type: "text-delta", id: "1", delta: "look" },
      call,
      { type: "finish", ...ending },
    ];
    const doStream = async () => ({ stream: ReadableStream.from(parts), request: { body: "kept" } });
    const streamed = await middleware.wrapStream({ doStream, params: { ...params, temperature: 1 }, model });
    const got: unknown[] = [];
    for await (const part of streamed.stream) got.push(part);
    expect(got).toEqual(parts);
    expect(streamed).toMatchObject({ request: { body: "kept" } });
    expect(records("chat_response")).toMatchObject([asked, asked]);
    expect(records("chat_request")[0]).toMatchObject({
      model: "local-7b",
      messages: [
        { role: "system" },
        { role: "user" },
        { role: "assistant", content: [{ type: "text" }, { type: "tool_use", id: "c0" }] },
        { role: "tool" },
      ],
    });
  });

  it("records a call that is seen on the wire there, and once", async () => {
    const { recorder, records } = recording();
    const fetch = recorder.wrapFetch();
    const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "TEXT" }] });
    const doGenerate = async () => {
      const response = await fetch(`${server.url}/v1/chat/completions`, { method: "POST", body });
      return { content: [{ type: "text", text: await response.text() }] };
    };
    await (recorder.aiMiddleware() as Middleware).wrapGenerate({ doGenerate, params, model });
    expect(records("chat_request")).toMatchObject([{ model: "m" }]);
    expect(records("chat_response")).toHaveLength(1);
  });

  it("a failure is thrown on and recorded; a stream that is left is no answer", async () => {
    const { recorder, records } = recording();
    const middleware = recorder.aiMiddleware() as Middleware;
    const thrown = new Error("out of memory");
    const doGenerate = () => Promise.reject(thrown);
    await expect(middleware.wrapGenerate({ doGenerate, params, model })).rejects.toBe(thrown);
    const doStream = async () => ({ stream: ReadableStream.from([{ type: "text-delta", id: "1", delta: "a" }, call]) });
    const { stream } = await middleware.wrapStream({ doStream, params: { ...params, seed: 1 }, model });
    for await (const _part of stream) break;
    expect(records("error").map((payload) => member(payload, "message"))).toEqual([
      "out of memory",
      "The stream was not read to its end.",
    ]);
    expect(records("chat_response")).toEqual([]);
  });
});

interface Processor {
  onSpanEnd(span: object): Promise<void>;
}

const span = (data: object, more: object = {}) => ({
  spanData: { type: "function", name: "look", input: '{"at":1}', output: "seen", ...data },
  startedAt: new Date().toISOString(),
  error: null,
  ...more,
});

interface Handler {
  handleToolStart(...told: unknown[]): void;
  handleToolEnd(output: unknown, runId: string): void;
  handleToolError(error: unknown, runId: string): void;
}

describe("agentsProcessor and langchainHandler", () => {
  it("record tools that nobody wrapped", async () => {
    const { recorder, records } = recording();
    const processor = recorder.agentsProcessor() as Processor;
    await processor.onSpanEnd(span({}));
    await processor.onSpanEnd(span({ name: "fails" }, { error: { message: "no" } }));
    await processor.onSpanEnd({ spanData: { type: "response" } });
    const handler = recorder.langchainHandler() as Handler;
    handler.handleToolStart({ name: "T" }, '{"at":2}', "run-1", undefined, [], {}, "find", "call_7");
    handler.handleToolEnd({ content: "found", status: "success", getType: () => "tool" }, "run-1");
    handler.handleToolStart({ name: "ask" }, "plain text", "run-2");
    handler.handleToolError(new TypeError("wrong"), "run-2");
    expect(records("tool_call")).toMatchObject([
      { tool_name: "look", arguments: { at: 1 } },
      { tool_name: "fails" },
      { tool_name: "find", tool_call_id: "call_7", arguments: { at: 2 } },
      { tool_name: "ask", arguments: { input: "plain text" } },
    ]);
    expect(records("tool_result")).toMatchObject([
      { output: "seen", is_error: false },
      { output: "no", is_error: true },
      { output: "found", is_error: false },
      { output: "wrong", is_error: true, error_type: "TypeError" },
    ]);
  });

  it("see a wrapped tool once, whoever is told first", async () => {
    const { recorder, records } = recording();
    const tools = recorder.wrapTools({ look: async (_input: object, _options?: object) => "seen" });
    await tools.look({ at: 1 }, { toolCallId: "c1" });
    await (recorder.agentsProcessor() as Processor).onSpanEnd(span({}));
    const handler = recorder.langchainHandler() as Handler;
    handler.handleToolStart({}, '{"at":5}', "run-1", undefined, [], {}, "look", "c2");
    await tools.look({ at: 5 }, { toolCallId: "c2" });
    handler.handleToolEnd("seen", "run-1");
    expect(records("tool_call")).toHaveLength(2);
    expect(records("tool_result")).toHaveLength(2);
    await Promise.all([tools.look({ at: 9 }), tools.look({ at: 9 })]);
    expect(records("tool_call")).toHaveLength(4);
  });
});
