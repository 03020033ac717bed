/**
 * Claude Code: session transcripts (under `~/.claude/projects`, sub-agents in the same file or in `agent-<id>.jsonl`)
 * and what `claude -p --output-format stream-json` prints. One event per line.
 *
 * One model response is several lines with the same `message.id`, one per block, with its usage repeated: it becomes one
 * turn. Results may stand between its lines, because tools start while the response still streams. A prompt or another
 * response between them means the conversation went on; what follows is a turn of its own, without the usage again.
 * Lines are grouped first (claude-lines.ts), because a sub-agent is linked to the call that started it only later.
 */

import type { Json, JsonObject } from "@spoor/core";
import { parseClock } from "@spoor/core/internal/providers/clock";
import { Conversation, metadataRecord } from "@spoor/core/internal/providers/conversation";
import { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { anthropicUsage } from "@spoor/core/internal/providers/provider-usage";
import { isObject, member, numberMember, stringMember } from "@spoor/core/internal/trace/json";
import { present } from "@spoor/core/internal/trace/present";
import { type ClaudeItem, ClaudeSession, isSidechain, laneKey } from "./claude-lines.ts";
import {
  type Arrivals,
  collectLines,
  type Format,
  type ImportedTrace,
  NOT_RECOGNISED,
  type Recognition,
  type Sample,
} from "./format.ts";

export const claudeCode: Format = {
  name: "claude-code",
  title: "Claude Code session",
  origin: "~/.claude/projects/**/*.jsonl, and claude -p --output-format stream-json",
  tells: ["results", "errors", "times", "tokens", "sub-agents", "requests"],
  marks: ["type"],
  recognise,
  openLines: () => collectLines(readSessions),
};

const BOOKKEEPING = new Set(["summary", "file-history-snapshot", "queue-operation", "last-prompt"]);

function recognise(sample: Sample): Recognition {
  let bookkeeping = false;
  let spoken = false;
  for (const line of sample.lines ?? []) {
    const type = member(line, "type");
    const session =
      Object.hasOwn(isObject(line) ? line : {}, "sessionId") || stringMember(line, "session_id") !== undefined;
    if ((type === "user" || type === "assistant") && isObject(member(line, "message")) && session) {
      return { score: 0.97, has: ["type", "message", "sessionId"] };
    }
    if (type === "assistant" && Array.isArray(member(member(line, "message"), "content"))) spoken = true;
    if (type === "system" && member(line, "subtype") === "init" && session)
      return { score: 0.97, has: ["type", "session_id"] };
    if (typeof type === "string" && BOOKKEEPING.has(type) && !Object.hasOwn(line as JsonObject, "payload"))
      bookkeeping = true;
  }
  if (spoken) return { score: 0.75, has: ["type", "message"], lacks: ["sessionId"] };
  return bookkeeping ? { score: 0.7, has: ["type"], lacks: ["message"] } : NOT_RECOGNISED;
}

/** Most files are one session; concatenated ones are told apart by their session ids. */
function readSessions(lines: readonly Json[], arrivals: Arrivals): ImportedTrace[] {
  const ids = new Set(lines.map(sessionId));
  ids.delete(undefined);
  if (ids.size <= 1) return [readSession(lines, arrivals)];
  return splitSessions(lines).map((session, index) => {
    const id = session.map(sessionId).find((value) => value !== undefined);
    return { ...readSession(session, arrivals), entry: `session ${id ?? index + 1}` };
  });
}

function sessionId(line: Json): string | undefined {
  return stringMember(line, "sessionId") ?? stringMember(line, "session_id");
}

function splitSessions(lines: readonly Json[]): Json[][] {
  const sessions: Json[][] = [];
  const sessionOf = new Map<string, Json[]>();
  const ownerOfUuid = new Map<string, Json[]>();
  let current: Json[] | undefined;
  for (const line of lines) {
    const id = sessionId(line);
    // A resumed session goes on under a new id, hanging on a line of the old one.
    const parent = stringMember(line, "parentUuid");
    let session =
      id === undefined ? current : (sessionOf.get(id) ?? (parent === undefined ? undefined : ownerOfUuid.get(parent)));
    if (session === undefined) {
      session = current !== undefined && sessionOf.size === 0 ? current : [];
      if (session !== current) sessions.push(session);
    }
    if (id !== undefined) sessionOf.set(id, session);
    const uuid = stringMember(line, "uuid");
    if (uuid !== undefined) ownerOfUuid.set(uuid, session);
    session.push(line);
    current = session;
  }
  return sessions;
}

function readSession(lines: readonly Json[], arrivals: Arrivals): ImportedTrace {
  const unknown = new UnknownCounter();
  const session = new ClaudeSession(lines, unknown, arrivals);
  const first = (key: string) =>
    stringMember(
      lines.find((line) => stringMember(line, key) !== undefined),
      key,
    );
  const id = first("sessionId") ?? first("session_id");
  // A file of a sub-agent alone holds nothing but its side of the conversation.
  const alone =
    lines.some(isSidechain) && lines.every((line) => isSidechain(line) || !isObject(member(line, "message")));
  const agentId = alone ? first("agentId") : undefined;
  const result = lines.findLast((line) => member(line, "type") === "result");
  const clock = parseClock(first("timestamp"));
  const metadata = metadataRecord(
    agentId === undefined ? id : `${id ?? "session"}/agent-${agentId}`,
    {
      agent: agentId === undefined ? "claude-code" : `agent-${agentId}`,
      session_id: id,
      version: first("version") ?? first("claude_code_version"),
      cwd: first("cwd"),
      git_branch: first("gitBranch"),
      labels: result === undefined ? costLabels(lines) : resultLabels(result),
    },
    clock,
  );
  const records = [metadata];
  const conversations = new Map<string, Conversation>();
  const mainLane = alone ? laneKey(lines.find(isSidechain)!, session.roots) : "";
  for (const item of session.items) {
    let conversation = conversations.get(item.lane);
    if (conversation === undefined) {
      conversation = new Conversation(records, item.lane === mainLane ? {} : session.laneOf(item.lane));
      conversations.set(item.lane, conversation);
    }
    emit(item, conversation, session.tools);
  }
  if (result !== undefined) session.finish(result, records);
  const notes = session.notes();
  return { records, ...unknown.result(), ...(notes.length === 0 ? {} : { notes }) };
}

function resultLabels(result: Json): JsonObject {
  return present({
    outcome: stringMember(result, "subtype"),
    cost_usd: numberMember(result, "total_cost_usd"),
    duration_ms: numberMember(result, "duration_ms"),
    turns: numberMember(result, "num_turns"),
    usage: usageByModel(member(result, "modelUsage")) ?? anthropicUsage(member(result, "usage")),
  });
}

/** Unlike `usage`, the counts per model hold those of sub-agents too. */
function usageByModel(models: Json | undefined): JsonObject | undefined {
  if (!isObject(models) || Object.keys(models).length === 0) return undefined;
  const sum = (key: string) =>
    Object.values(models).reduce<number>((total, model) => total + (numberMember(model, key) ?? 0), 0);
  return present({
    input_tokens: sum("inputTokens"),
    output_tokens: sum("outputTokens"),
    cached_input_tokens: sum("cacheReadInputTokens") || undefined,
    cached_write_5m_tokens: sum("cacheCreationInputTokens") || undefined,
  });
}

/** What a transcript says at its end about the whole session. */
function costLabels(lines: readonly Json[]): JsonObject | undefined {
  const state = lines.findLast((line) => member(line, "type") === "cost-state");
  if (state === undefined) return undefined;
  return present({ cost_usd: numberMember(state, "totalCostUSD"), duration_ms: numberMember(state, "totalDuration") });
}

function emit(item: ClaudeItem, conversation: Conversation, tools: readonly Json[] | undefined): void {
  switch (item.kind) {
    case "say":
      if (item.restart) conversation.restart();
      conversation.say(item.role, item.content);
      break;
    case "record":
      conversation.records.push(item.record);
      break;
    case "result":
      conversation.result(item);
      break;
    case "response":
      conversation.respond(tools === undefined ? item : { ...item, tools });
  }
}
