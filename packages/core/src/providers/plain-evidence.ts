/**
 * What a source plainly shows, whoever reads it: messages of a model, and calls in them. Held against what a reader found, so that
 * a reader which understands nothing of a fork of its format cannot take it for an agent that said and did nothing.
 */
import type { ImportedTrace } from "../trace/imported-trace.ts";
import { isObject, type Json, type JsonObject, member, stringMember } from "../trace/json.ts";
import { messageList } from "../trace/message-list.ts";

/** What was plainly there and not found; undefined when a reader found something of it. */
export function overlooked(imported: readonly ImportedTrace[], source: readonly Json[]): string | undefined {
  const found = foundBy(imported);
  if (found.calls > 0 || found.failed) return undefined;
  const shown = evidenceIn(source);
  const said = found.said === 0 ? shown.said : 0;
  if (said === 0 && shown.calls === 0) return undefined;
  const what = said > 0 ? counted(said, "message of a model", "messages of a model") : "";
  const calls = shown.calls > 0 ? counted(shown.calls, "tool call", "tool calls") : "";
  const total = [what, calls].filter((text) => text !== "").join(" and ");
  return `it shows ${total}, of which nothing was found (${shown.shapes.join("; ")})`;
}

interface Evidence {
  said: number;
  calls: number;
  /** The first distinct shapes, each with its place. */
  readonly shapes: string[];
  nodes: number;
}

/** Enough of a document to see what it is. */
const MAX_NODES = 20_000;
const MAX_DEPTH = 12;
const MAX_SHAPES = 3;

function evidenceIn(source: readonly Json[]): Evidence {
  const evidence: Evidence = { said: 0, calls: 0, shapes: [], nodes: 0 };
  const several = source.length > 1;
  for (const [index, value] of source.entries()) walk(value, several ? `line ${index + 1}` : "", 0, evidence);
  return evidence;
}

/** True when a message of a model was seen at or below the value: what wraps it is not a second one. */
function walk(value: Json, path: string, depth: number, evidence: Evidence): boolean {
  if (depth > MAX_DEPTH || evidence.nodes++ > MAX_NODES || typeof value !== "object" || value === null) return false;
  let seen = false;
  if (Array.isArray(value)) {
    value.forEach((item: Json, index) => {
      seen = walk(item, `${path}[${index}]`, depth + 1, evidence) || seen;
    });
    return seen;
  }
  const object = value as JsonObject;
  const own = modelContent(object);
  for (const [key, inner] of Object.entries(object)) {
    if (own === undefined || key !== own.key)
      seen = walk(inner, path === "" ? key : `${path}.${key}`, depth + 1, evidence) || seen;
  }
  if (seen || own === undefined) return seen;
  evidence.said++;
  evidence.calls += own.calls;
  const shape = `"${own.role}" with ${own.key}${own.parts === "" ? "" : ` of ${own.parts}`}`;
  if (evidence.shapes.length < MAX_SHAPES && !evidence.shapes.some((known) => known.startsWith(shape)))
    evidence.shapes.push(path === "" ? shape : `${shape}, ${path}`);
  return true;
}

/** Also words that no format of ours uses: whoever writes them means a model. */
const MODEL_ROLES: ReadonlySet<string> = new Set([
  "assistant",
  "model",
  "ai",
  "AI",
  "AIMessage",
  "gemini",
  "agent",
  "bot",
  "chatbot",
  "gpt",
]);
const CALL_LISTS = ["tool_calls", "toolCalls", "toolRequests"] as const;
const TEXTS = ["content", "parts", "blocks", "text"] as const;

interface ModelContent {
  readonly role: string;
  readonly key: string;
  readonly parts: string;
  readonly calls: number;
}

function modelContent(object: JsonObject): ModelContent | undefined {
  const role = stringMember(object, "role") ?? stringMember(object, "type");
  if (role === undefined || !MODEL_ROLES.has(role)) return undefined;
  const key =
    TEXTS.find((name) => isFilled(member(object, name))) ??
    CALL_LISTS.find((name) => listLength(member(object, name)) > 0);
  if (key === undefined) return undefined;
  const content = member(object, key);
  const parts = Array.isArray(content) ? content.filter(isObject) : [];
  const beside = CALL_LISTS.reduce((sum, name) => sum + listLength(member(object, name)), 0);
  return {
    role,
    key,
    parts: [...new Set(parts.map(partShape))].slice(0, 4).join(", "),
    calls: beside > 0 ? beside : parts.filter(isCall).length,
  };
}

function isFilled(value: Json | undefined): boolean {
  return (typeof value === "string" && value.trim() !== "") || listLength(value) > 0;
}

function listLength(value: Json | undefined): number {
  return Array.isArray(value) ? value.length : 0;
}

function partShape(part: JsonObject): string {
  return stringMember(part, "type") ?? (Object.keys(part).slice(0, 3).join("+") || "{}");
}

const CALL_TYPE = /^(?:tool[_-](?:use|call)|function_call|tool-(?!result|output)[\w-]+|dynamic-tool|toolCall|toolUse)$/;
const CALL_KEYS = ["functionCall", "function_call", "toolUse", "toolCall", "tool_call"] as const;

function isCall(part: JsonObject): boolean {
  const type = stringMember(part, "type");
  return (type !== undefined && CALL_TYPE.test(type)) || CALL_KEYS.some((key) => isObject(member(part, key)));
}

interface Found {
  said: number;
  calls: number;
  /** A run that died has said nothing, and that is told. */
  failed: boolean;
}

/** What stands in the records, said or recalled. */
function foundBy(imported: readonly ImportedTrace[]): Found {
  const found: Found = { said: 0, calls: 0, failed: false };
  for (const { records, unknown = {} } of imported) {
    let latest: Json | undefined;
    for (const { kind, payload } of records) {
      if (kind === "error") found.failed = true;
      else if (kind === "tool_call") found.calls++;
      else if (kind === "chat_response") countContent(member(payload, "content"), unknown, found);
      else if (kind === "chat_request") latest = payload;
      if (found.calls > 0) return found;
    }
    // The latest request repeats what the earlier ones said.
    if (isObject(latest)) countHistory(latest, unknown, found);
  }
  return found;
}

type Unknown = NonNullable<ImportedTrace["unknown"]>;

/** Parts of unknown type stay among the parts of a response; they are nothing that was found. */
function countContent(content: Json | undefined, unknown: Unknown, found: Found): void {
  if (typeof content === "string" && content !== "") found.said++;
  if (!Array.isArray(content)) return;
  for (const part of content) {
    const type = stringMember(part, "type");
    if (type === "tool_use") found.calls++;
    else if (type !== undefined && unknown[`part ${type.replaceAll("-", "_")}`] === undefined) found.said++;
  }
}

function countHistory(request: JsonObject, unknown: Unknown, found: Found): void {
  for (const message of messageList(request) ?? []) {
    if (member(message, "role") === "assistant") countContent(member(message, "content"), unknown, found);
  }
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
