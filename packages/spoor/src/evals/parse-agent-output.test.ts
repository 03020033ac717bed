import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Json } from "@spoor/core";
import { describe, expect, it } from "vitest";
import type { OutputMessage } from "../formats/output-messages.ts";
import { parseAgentOutput } from "./parse-agent-output.ts";

interface CliVector {
  readonly name: string;
  readonly file_content: string;
  readonly seed_release: {
    readonly output_messages: readonly { role: string; content?: Json; toolCalls?: readonly object[] }[];
    readonly token_usage: object | null;
    readonly cost_usd: number | null;
    readonly duration_ms: number | string;
  };
}

const file = fileURLToPath(new URL("../../../../vectors/agentv/cli-output.json", import.meta.url));
const vectors = (JSON.parse(readFileSync(file, "utf8")) as { cases: CliVector[] }).cases;

/** Records that AgentV turned into text as a whole because of one bad member; here the good members are kept. */
const KEPT_HERE: Readonly<Record<string, readonly OutputMessage[]>> = {
  "output_messages entry without role": [{ role: "assistant", content: "m" }],
  "tool call without tool name": [{ role: "assistant", tool_calls: [{ tool: "Read" }] }],
  "tool call duration null": [{ role: "assistant", tool_calls: [{ tool: "Read" }] }],
  // An event list is a trace, and it is read as one.
  "unknown fields are dropped": [
    { role: "assistant", tool_calls: [{ tool: "x", start_time: "2024-01-15T10:30:00Z" }] },
    { role: "assistant", content: "t" },
  ],
};

describe("AgentV's own outputs", () => {
  it.each(vectors)("$name", ({ name, file_content, seed_release }) => {
    const answer = parseAgentOutput(file_content, "case-1");
    expect(answer.messages).toEqual(KEPT_HERE[name] ?? seed_release.output_messages.map(wire));
    expect(answer.usage ?? null).toEqual(seed_release.token_usage);
    expect(answer.costUsd ?? null).toEqual(seed_release.cost_usd);
    if (typeof seed_release.duration_ms === "number") expect(answer.durationMs).toBe(seed_release.duration_ms);
    else expect(answer.durationMs).toBeUndefined();
  });

  function wire({ toolCalls, ...message }: Record<string, unknown>) {
    const rename = ({ durationMs, ...rest }: Record<string, unknown>) => ({
      ...rest,
      ...(durationMs === undefined ? {} : { duration_ms: durationMs }),
    });
    const renamed = rename(message);
    return toolCalls === undefined
      ? renamed
      : { ...renamed, tool_calls: (toolCalls as Record<string, unknown>[]).map(rename) };
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
    ['{"output_messages": [{"role": "assist', "line 1, column"],
  ])("%s", (text, place) => {
    expect(parseAgentOutput(text, "c").problems?.join("\n")).toContain(place);
  });

  it("keeps arguments as JSON text, which the trace parses, and tool names like __proto__", () => {
    const text = '{"output_messages":[{"role":"assistant","tool_calls":[{"tool":"__proto__","input":"{\\"a\\":1}"}]}]}';
    expect(parseAgentOutput(text, "c").messages).toEqual([
      { role: "assistant", tool_calls: [{ tool: "__proto__", input: '{"a":1}' }] },
    ]);
  });
});

describe("one record per case", () => {
  const lines = '{"id":"a","text":"for a"}\n{"id":"b","output_messages":[{"role":"assistant","content":"for b"}]}\n';

  it.each([
    ["a", "for a"],
    ["b", "for b"],
  ])("picks the record of case %s", (id, content) => {
    expect(parseAgentOutput(lines, id).messages).toEqual([{ role: "assistant", content }]);
  });

  it("says which id is missing", () => {
    expect(() => parseAgentOutput(lines, "c")).toThrow("Batch output missing id 'c'");
  });
});

it("reads a recording in another format", () => {
  const stream = readFileSync(
    fileURLToPath(new URL("../../test/fixtures/codex/exec-stream.jsonl", import.meta.url)),
    "utf8",
  );
  expect(parseAgentOutput(stream, "c").trace?.toolCalls.length).toBe(4);
});
