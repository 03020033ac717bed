import { describe, expect, it } from "vitest";
import { buildTrace } from "./build-trace.ts";
import type { Json } from "./json.ts";
import { withMessages } from "./message-list.ts";
import { readExchange } from "./read-exchange.ts";

describe("what a response says", () => {
  it("is read once: text, thinking, stop reason, usage, model, cost", () => {
    const read = readExchange(
      { model: "asked" },
      {
        model: "answered",
        content: [
          { type: "thinking", thinking: "hm" },
          { type: "text", text: "one" },
          { type: "thinking" },
          { type: "text", text: "two" },
        ],
        stop_reason: "end_turn",
        usage: { input_tokens: 7, output_tokens: 3, thinking_tokens: 2, cached_input_tokens: 5 },
        latency_ms: 12,
        cost_usd: 0.5,
        batch: true,
      },
    );
    expect(read).toMatchObject({
      text: "one\ntwo",
      thinking: ["hm", ""],
      stopReason: "end_turn",
      usage: { inputTokens: 7, outputTokens: 3, thinkingTokens: 2, cachedInputTokens: 5 },
      model: "answered",
      requestedModel: "asked",
      durationMs: 12,
      costUsd: 0.5,
      batch: true,
    });
  });

  it("stays absent where the source says nothing, or nothing usable", () => {
    const read = readExchange({}, { content: null, stop_reason: 7, usage: [], latency_ms: "soon", cost_usd: null });
    expect(Object.keys(read).sort()).toEqual(["parts", "request", "response", "text"]);
  });

  it("does not take the model that was asked for the one that answered", () => {
    const read = readExchange({ model: "asked" }, {});
    expect(read.requestedModel).toBe("asked");
    expect(read).not.toHaveProperty("model");
  });

  it("counts tokens that are numbers, never texts", () => {
    expect(readExchange({}, { usage: { input_tokens: "12", output_tokens: 12n } }).usage).toEqual({ outputTokens: 12 });
  });
});

describe("what a request asks", () => {
  it.each([
    { name: "flat", tool: { name: "search", annotations: { readOnlyHint: true } }, readOnly: true },
    { name: "inside function", tool: { type: "function", function: { name: "search" } }, readOnly: undefined },
    { name: "as a bare name", tool: "search", readOnly: undefined },
  ])("offers tools written $name", ({ tool, readOnly }) => {
    const [offered] = readExchange({ tools: [tool, { type: "nameless" }] }, {}).offeredTools!;
    expect(offered).toEqual({ name: "search", definition: tool, ...(readOnly === undefined ? {} : { readOnly }) });
  });

  it("says nothing about tools when it has no list of them, and that it offers none when the list is empty", () => {
    expect(readExchange({ tools: null }, {})).not.toHaveProperty("offeredTools");
    expect(readExchange({ tools: [] }, {}).offeredTools).toEqual([]);
  });

  it("reads a list that many requests of a trace share only once", () => {
    const tools = [{ name: "search" }];
    const exchange = [
      { kind: "chat_request", payload: { tools } },
      { kind: "chat_response", payload: {} },
    ];
    const [first, second] = buildTrace([...exchange, ...exchange]).turns;
    expect(first!.offeredTools).toEqual([{ name: "search", definition: tools[0] }]);
    expect(second!.offeredTools).toBe(first!.offeredTools);
  });

  it("sees a tool that an agent adds to its list in place", () => {
    const tools = [{ name: "search" }];
    const offered = () => readExchange({ tools }, {}).offeredTools!.map((tool) => tool.name);
    expect(offered()).toEqual(["search"]);
    tools.push({ name: "delete_account" });
    expect(offered()).toEqual(["search", "delete_account"]);
  });

  it("joins the leading system and developer messages, and shows the messages without copying them", () => {
    const items: Json[] = [
      { role: "system", content: "Be brief." },
      { role: "developer", content: [{ type: "text", text: "No jokes." }] },
      { role: "user", content: "hi" },
      { role: "system", content: "later" },
    ];
    const read = readExchange(withMessages({}, items, 3), {});
    expect(read.system).toBe("Be brief.\nNo jokes.");
    items.push({ role: "user", content: "more" });
    expect([...read.messages!]).toEqual(items.slice(0, 3));
  });
});
