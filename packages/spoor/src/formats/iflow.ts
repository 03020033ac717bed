/**
 * iFlow CLI sessions: Claude Code's lines with two habits of their own. A response that streams is written again and again, each
 * time with some of the calls of the line before; and what a tool returned stands inside Gemini's `functionResponse`.
 * Both are undone here, and Claude Code's reader does the rest.
 */
import type { Json, JsonObject } from "@spoor/core";
import { isObject, member, stringMember } from "@spoor/core/internal/trace/json";
import { claudeCode } from "./claude-code.ts";
import { collectLines, type Format, NOT_RECOGNISED, type Recognition, type Sample } from "./format.ts";
import { geminiResults } from "./gemini-parts.ts";

export const iflow: Format = {
  name: "iflow",
  title: "iFlow CLI session",
  origin: "~/.iflow/projects/<project>/session-*.jsonl",
  tells: ["results", "errors", "times"],
  marks: ["sessionId"],
  recognise,
  openLines: (context) =>
    collectLines((lines) => {
      const reader = claudeCode.openLines!(context);
      for (const [index, line] of asClaudeLines(lines).entries()) reader.line(line, index + 1);
      return reader.finish().map((trace) => ({ ...trace, records: trace.records.map(named) }));
    }),
};

/** Its ids are `response-<clock>`, its results wrap what a tool returned. */
function recognise({ lines = [] }: Sample): Recognition {
  const own = lines.some(
    (line) =>
      stringMember(line, "sessionId") !== undefined &&
      (/^response-\d/.test(stringMember(member(line, "message"), "id") ?? "") ||
        blocksOf(line).some((block) => isObject(member(member(block, "content"), "responseParts")))),
  );
  return own ? { score: 0.99, has: ["sessionId", "message"] } : NOT_RECOGNISED;
}

function blocksOf(line: Json): readonly Json[] {
  const content = member(member(line, "message"), "content");
  return Array.isArray(content) ? content : [];
}

/** Lines between two inputs are one response: they get one id, and each call is kept once. */
function asClaudeLines(lines: readonly Json[]): Json[] {
  const seen = new Set<string>();
  let round = 0;
  return lines.map((line) => {
    if (member(line, "type") === "user") round++;
    const message = member(line, "message");
    if (!isObject(line) || !isObject(message) || !Array.isArray(member(message, "content"))) return line;
    const blocks = blocksOf(line);
    if (member(line, "type") !== "assistant")
      return { ...line, message: { ...message, content: blocks.map(unwrapped) } };
    const fresh = blocks.filter((block) => {
      const id = member(block, "type") === "tool_use" ? stringMember(block, "id") : undefined;
      if (id === undefined) return true;
      if (seen.has(id)) return false;
      seen.add(id);
      return true;
    });
    const { usage: _none, ...rest } = message;
    return {
      ...line,
      message: {
        ...rest,
        id: `response-${round}`,
        ...usageOf(message),
        content: fresh,
      },
    };
  });
}

/** Counts of nothing are no counts. */
function usageOf(message: JsonObject): JsonObject {
  const usage = member(message, "usage");
  const counts = isObject(usage) ? Object.values(usage).filter((count) => typeof count === "number" && count > 0) : [];
  return counts.length === 0 ? {} : { usage: usage! };
}

function unwrapped(block: Json): Json {
  const content = member(block, "content");
  if (member(block, "type") !== "tool_result" || !isObject(block) || !isObject(content)) return block;
  const [result] = geminiResults(member(content, "responseParts"));
  if (result === undefined) return block;
  const failed = result.failed || isObject(member(content, "error"));
  return { ...block, content: result.output ?? "", ...(failed ? { is_error: true } : {}) };
}

function named<T extends { readonly kind: string; readonly payload: Json }>(record: T): T {
  if (record.kind !== "metadata" || !isObject(record.payload)) return record;
  return { ...record, payload: { ...record.payload, agent: "iflow" } };
}
