import { buildTrace, type Json, type TraceRecord } from "@spoor/core";
import { usedTokens } from "@spoor/core/internal/report/trace-totals";
import { describe, expect, it } from "vitest";
import { importFixture, importValues } from "../../test/fixtures.ts";
import { traceFacts } from "./trace-facts.ts";

const turn = (usage: Json): TraceRecord[] => [
  { kind: "chat_request", payload: { messages: [] } },
  { kind: "chat_response", payload: { content: [{ type: "text", text: "x" }], usage } },
];

describe("tokens of a trace", () => {
  it.each<{ name: string; usages: Json[]; used: Json | undefined }>([
    {
      name: "what was read from a cache and written to one is counted, and said",
      usages: [
        { input_tokens: 4, output_tokens: 9, cached_input_tokens: 12_000, cached_write_5m_tokens: 800 },
        { input_tokens: 6, output_tokens: 11, cached_input_tokens: 13_000, cached_write_1h_tokens: 70 },
      ],
      // 4 + 9 + 6 + 11 = 30, and 12,000 + 800 + 13,000 + 70 = 25,870
      used: { total: 25_900, cached: 25_870, reasoning: 0 },
    },
    {
      name: "what was thought is counted beside what was said",
      usages: [{ input_tokens: 256, output_tokens: 515, thinking_tokens: 256 }],
      used: { total: 1027, cached: 0, reasoning: 256 },
    },
    {
      name: "a turn without counts adds nothing",
      usages: [{ input_tokens: 1, output_tokens: 2 }, {}],
      used: { total: 3, cached: 0, reasoning: 0 },
    },
    { name: "without any count there is none, which is not 0", usages: [{}, {}], used: undefined },
  ])("$name", ({ usages, used }) => {
    expect(usedTokens(buildTrace(usages.flatMap(turn)))).toEqual(used);
  });

  it("of a Codex session, an opencode session and Phoenix spans: all that was processed", () => {
    const totals = (name: string) => usedTokens(importFixture(name)[0]!);
    // 2711 + 85 + 30 + 1200 and 200 + 90 + 4000
    expect(totals("opencode/session.json")).toEqual({ total: 8316, cached: 5200, reasoning: 30 });
    // The prompts 1203 + 1260 + 1300, which include what was cached, and the completions 21 + 30 + 9
    expect(totals("phoenix/turn.json")).toEqual({ total: 3823, cached: 3756, reasoning: 0 });
  });
});

describe("calls that no turn asked for", () => {
  const span = (id: string, name: string, attributes: object, parent?: string) => ({
    traceId: "0af7651916cd43dd8448eb211c80319c",
    spanId: id,
    ...(parent === undefined ? {} : { parentSpanId: parent }),
    name,
    startTimeUnixNano: `17670360${id.slice(0, 2)}000000000`,
    endTimeUnixNano: `17670360${id.slice(0, 2)}500000000`,
    attributes: Object.entries(attributes).map(([key, value]) => ({ key, value: { stringValue: value } })),
  });
  const read = (spans: object[]) =>
    importValues("otlp", { document: { resourceSpans: [{ scopeSpans: [{ spans }] }] } as unknown as Json })[0]!;
  const tool = (name: string) => ({ "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name });

  it("of a server of tools alone stand before the timeline, each with its time", () => {
    const facts = traceFacts(
      read([span("1000000000000001", "a", tool("list")), span("2000000000000002", "b", tool("read"))]),
    );
    expect(facts).toMatchObject({ turns: 0, toolCalls: 2, timeline: [] });
    expect(facts["callsBeforeTurns"]).toMatchObject([
      { name: "list", durationMs: 500 },
      { name: "read", durationMs: 500 },
    ]);
  });

  it("one before the first turn is told too, and only it", () => {
    const trace = read([
      span("1000000000000001", "agent", { "gen_ai.operation.name": "invoke_agent" }),
      span("2000000000000002", "a", tool("warm_up"), "1000000000000001"),
      span(
        "3000000000000003",
        "chat",
        { "gen_ai.operation.name": "chat", "gen_ai.request.model": "m" },
        "1000000000000001",
      ),
    ]);
    expect(traceFacts(trace)["callsBeforeTurns"]).toMatchObject([{ name: "warm_up" }]);
    expect(traceFacts(trace)["turns"]).toBe(1);
  });

  it("are not named where every call belongs to a turn", () => {
    expect(traceFacts(importFixture("opencode/session.json")[0]!)).not.toHaveProperty("callsBeforeTurns");
  });
});
