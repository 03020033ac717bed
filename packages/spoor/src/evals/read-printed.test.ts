import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Json, JsonObject, Trace } from "@spoor/core";
import { subjectOfTrace } from "@spoor/core/internal/evaluators/subject";
import { buildTrace } from "@spoor/core/internal/trace/build-trace";
import { describe, expect, it } from "vitest";
import { outputMessages } from "../formats/write-agentv.ts";
import { readPrinted } from "./read-printed.ts";

interface CliVector {
  readonly name: string;
  readonly file_content: string;
  readonly seed_release: {
    readonly output_messages: readonly JsonObject[];
    readonly token_usage: object | null;
    readonly cost_usd: number | null;
    readonly duration_ms: number | string;
  };
}

const file = fileURLToPath(new URL("../../../../vectors/agentv/cli-output.json", import.meta.url));
const vectors = (JSON.parse(readFileSync(file, "utf8")) as { cases: CliVector[] }).cases;

/** Records that AgentV turned into text as a whole because of one bad member; here the good members are kept. */
const KEPT_HERE: Readonly<Record<string, readonly JsonObject[]>> = {
  "output_messages entry without role": [{ role: "assistant", content: "m" }],
  "tool call without tool name": [{ role: "assistant", toolCalls: [{ tool: "Read" }] }],
  "tool call duration null": [{ role: "assistant", toolCalls: [{ tool: "Read" }] }],
  // An event list is a trace, and it is read as one: its calls stand alone.
  "unknown fields are dropped": [
    { role: "tool", toolCalls: [{ tool: "x" }] },
    { role: "assistant", content: "t" },
  ],
  // Structured content is what a person would read of it.
  "message name and metadata kept": [{ role: "assistant", content: '{"a":1}' }],
};

function traceOf(text: string, caseId = "case-1"): Trace {
  const { records, format } = readPrinted(text, caseId);
  return buildTrace(records, { source: { format } });
}

describe("AgentV's own outputs", () => {
  it.each(vectors)("$name", ({ name, file_content, seed_release }) => {
    const trace = traceOf(file_content);
    const expected = KEPT_HERE[name] ?? seed_release.output_messages;
    expect(outputMessages(trace).map(essence)).toEqual(expected.map(essence));
    const { tokenUsage, costUsd, durationMs } = subjectOfTrace(trace);
    expect(tokenUsage ?? null).toEqual(seed_release.token_usage);
    expect(costUsd ?? null).toEqual(seed_release.cost_usd);
    if (typeof seed_release.duration_ms === "number") expect(durationMs).toBe(seed_release.duration_ms);
  });

  /** What was said and called, in either spelling; an empty answer is no content. */
  function essence(message: JsonObject): JsonObject {
    const calls = (message["toolCalls"] ?? message["tool_calls"] ?? []) as readonly JsonObject[];
    return {
      role: message["role"]!,
      content: message["content"] ?? "",
      calls: calls.map(({ tool, input, output, durationMs, duration_ms }): JsonObject => {
        const optional = { input, output, duration: durationMs ?? duration_ms };
        return { tool: tool!, ...(JSON.parse(JSON.stringify(optional)) as JsonObject) };
      }),
    };
  }
});

describe("bad members are reported with their place", () => {
  it.each([
    [
      '{"output_messages":[{"role":"assistant","tool_calls":[{"tool":"a"},{"input":{}}]}]}',
      "output_messages[0].tool_calls[1]",
    ],
    [
      '{"output_messages":[{"role":"assistant","tool_calls":[{"tool":"a","duration_ms":-1}]}]}',
      "tool_calls[0].duration_ms",
    ],
    ['{"output_messages":[5,{"role":"assistant"}]}', "output_messages[0]"],
    ['{"output_messages":[{"role":"assistant","tool_calls":"x"}]}', "output_messages[0].tool_calls"],
    ['{"text":"t","cost_usd":-1}', "cost_usd"],
    ['{"text":"t","token_usage":{"input":1}}', "token_usage"],
    ['{"text":"t","trace":[{"type":"tool_call"}]}', "trace[0]"],
    ['{"output_messages": [{"role": "assist', "line 1, column"],
  ])("%s", (text, place) => {
    expect(readPrinted(text, "c").problems?.join("\n")).toContain(place);
  });

  it("reads arguments given as JSON text, and tool names like __proto__", () => {
    const text = '{"output_messages":[{"role":"assistant","tool_calls":[{"tool":"__proto__","input":"{\\"a\\":1}"}]}]}';
    expect(traceOf(text).toolCalls).toMatchObject([{ name: "__proto__", input: { a: 1 } }]);
  });
});

describe("one record per case", () => {
  const lines = '{"id":"a","text":"for a"}\n{"id":"b","output_messages":[{"role":"assistant","content":"for b"}]}\n';

  it.each([
    ["a", "for a"],
    ["b", "for b"],
  ])("picks the record of case %s", (id, content) => {
    expect(subjectOfTrace(traceOf(lines, id)).answer).toBe(content);
    expect(subjectOfTrace(traceOf(`[${lines.trim().replace("\n", ",")}]`, id)).answer).toBe(content);
  });

  it("says which id is missing", () => {
    expect(() => readPrinted(lines, "c")).toThrow("has no answer for case c");
  });
});

describe("other formats, by their content", () => {
  const message: Json = {
    role: "assistant",
    content: "hm",
    tool_calls: [{ tool: "look", input: { q: 1 }, output: "x" }],
  };
  const openai: Json = {
    role: "assistant",
    tool_calls: [{ id: "1", type: "function", function: { name: "look", arguments: '{"q":1}' } }],
  };

  it.each<[string, string, string]>([
    ["AgentV messages, alone", JSON.stringify([message]), "agentv"],
    ["AgentV messages, one per line", `${JSON.stringify(message)}\n${JSON.stringify(message)}`, "agentv"],
    ["AgentV messages under another key", JSON.stringify({ messages: [message] }), "agentv"],
    ["OpenAI messages", JSON.stringify([{ role: "user", content: "go" }, openai]), "openai-chat"],
  ])("%s", (_name, text, format) => {
    const trace = traceOf(text);
    expect(trace.source.format).toBe(format);
    expect(trace.toolCalls[0]).toMatchObject({ name: "look", input: { q: 1 } });
  });

  it.each([
    ["plain words", "It is 42.\n", "It is 42."],
    ["an answer that is JSON", '{"answer": 42}', '{"answer": 42}'],
    ["an answer over lines that are JSON", '{"a":1}\n{"a":2}', '{"a":1}\n{"a":2}'],
    ["a list of numbers", "[1,2]", "[1,2]"],
  ])("%s stays an answer", (_name, text, answer) => {
    expect(subjectOfTrace(traceOf(text))).toMatchObject({ answer, toolCalls: [] });
  });

  it("refuses events that no format knows, and names them", () => {
    const text = '{"type":"agent.began"}\n{"type":"agent.step","tool":"x"}\n';
    expect(() => readPrinted(text, "c")).toThrow("2 events that no format knows: agent.began, agent.step");
  });

  it("refuses a stream of a known format of which most is strange, and names what was seen", () => {
    const strange = Array.from({ length: 5 }, () => '{"type":"novelty"}').join("\n");
    expect(() => readPrinted(`{"type":"turn.started"}\n${strange}`, "c")).toThrow(
      "read as Codex exec stream, but most of it was not understood: novelty (5)",
    );
  });
});

describe("what Python prints", () => {
  it("NaN and Infinity are no numbers, and the result says how many there were", () => {
    const read = readPrinted(
      '{"tool_calls": [{"tool": "a", "input": {"x": NaN, "y": [-Infinity, 1]}}], "text": "NaN"}',
      "one",
    );
    const [call] = buildTrace(read.records).toolCalls;
    expect(call).toMatchObject({ name: "a", input: { y: [null, 1] } });
    expect(call!.input).not.toHaveProperty("x");
    expect(read.problems).toEqual(["2 figures written as NaN or Infinity are read as absent"]);
  });

  it("an answer that is no trace stays the text it is", () => {
    expect(subjectOfTrace(traceOf("NaN")).answer).toBe("NaN");
    expect(subjectOfTrace(traceOf('{"answer": NaN}')).answer).toBe('{"answer": NaN}');
  });
});
