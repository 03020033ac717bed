/**
 * VS Code's chat: what "Chat: Export Chat…" writes, and the sessions it keeps (`chatSessions/*.json`, in newer versions lines that change
 * a document). Copilot keeps the rounds of an answer under `result.metadata`: each round is a turn, with its calls; results
 * stand beside them by id. Without rounds the answer is one turn, made of what was shown.
 */
import type { Json, JsonObject, TraceRecord } from "@spoor/core";
import { toolUse } from "@spoor/core/internal/providers/chat-parts";
import { type Clock, parseClock } from "@spoor/core/internal/providers/clock";
import { Conversation, errorRecord, metadataRecord } from "@spoor/core/internal/providers/conversation";
import { counted, UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { parseCount, tokenUsage } from "@spoor/core/internal/providers/usage";
import { isObject, member, numberMember, setMember, stringMember } from "@spoor/core/internal/trace/json";
import {
  collectLines,
  type Format,
  type ImportedTrace,
  NOT_RECOGNISED,
  type Recognition,
  type Sample,
} from "./format.ts";

export const vscodeChat: Format = {
  name: "vscode-chat",
  title: "VS Code chat",
  origin:
    'command "Chat: Export Chat…"; <user data>/workspaceStorage/<id>/chatSessions/*.json and .jsonl (Copilot Chat)',
  tells: ["results", "errors", "times", "tokens"],
  marks: ["requests", "v"],
  recognise,
  readDocument: readChats,
  openLines: () => collectLines((lines) => readChats(replay(lines))),
};

function recognise({ document, lines }: Sample): Recognition {
  const chat =
    document ??
    member(
      lines?.find((line) => member(line, "kind") === 0),
      "v",
    );
  const requests = member(chat, "requests");
  if (!Array.isArray(requests)) return NOT_RECOGNISED;
  const first = requests.find(isObject);
  const known = ["responderUsername", "initialLocation", "requesterUsername"].filter(
    (key) => member(chat, key) !== undefined,
  );
  const isRequest = isObject(member(first, "message")) && Array.isArray(member(first, "response"));
  if (isRequest) return { score: 0.97, has: ["requests", "message", "response"] };
  return known.length > 0 || document === undefined ? { score: 0.8, has: ["requests", ...known] } : NOT_RECOGNISED;
}

/** `kind` 0 gives the document, 1 sets a member, 2 appends to a list, cut at `i` first. */
function replay(lines: readonly Json[]): Json {
  let document: Json = {};
  for (const line of lines) {
    const value = member(line, "v") ?? null;
    const path = member(line, "k");
    if (member(line, "kind") === 0) document = copyOf(value);
    else if (Array.isArray(path) && path.length > 0) change(document, path, value, line);
  }
  return document;
}

/** What is changed must not be the line itself. */
function copyOf(value: Json): Json {
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isObject(value)) return value;
  const copy: Record<string, Json> = {};
  for (const [key, inner] of Object.entries(value)) setMember(copy, key, copyOf(inner));
  return copy;
}

function change(document: Json, path: readonly Json[], value: Json, line: Json): void {
  let at: Json | undefined = document;
  for (const key of path.slice(0, -1)) at = inside(at, key);
  const last = path.at(-1)!;
  const old = inside(at, last);
  const kept = Array.isArray(old) ? old.slice(0, numberMember(line, "i") ?? old.length) : [];
  const next: Json =
    member(line, "kind") === 2 ? [...kept, ...(Array.isArray(value) ? value : [value]).map(copyOf)] : copyOf(value);
  if (Array.isArray(at) && Number.isInteger(last) && Number(last) >= 0 && Number(last) <= at.length)
    (at as Json[])[Number(last)] = next;
  else if (isObject(at) && isStep(last)) setMember(at as Record<string, Json>, String(last), next);
}

/** A step of a path is a name or a number; anything else leads nowhere. */
function inside(value: Json | undefined, key: Json): Json | undefined {
  if (!isStep(key)) return undefined;
  return Array.isArray(value) ? value[Number(key)] : member(value, String(key));
}

function isStep(key: Json): key is string | number {
  return typeof key === "string" || typeof key === "number";
}

/** VS Code writes a session when its window opens; one in which nothing was asked is no run. */
function readChats(chat: Json): ImportedTrace[] {
  const requests = member(chat, "requests");
  return Array.isArray(requests) && requests.length === 0 ? [] : [readChat(chat)];
}

function readChat(chat: Json): ImportedTrace {
  const unknown = new UnknownCounter();
  const id = stringMember(chat, "sessionId");
  const agent = stringMember(chat, "responderUsername") ?? "vscode-chat";
  const records = [metadataRecord(id, { agent, session_id: id }, parseClock(member(chat, "creationDate")))];
  const reader = new Chat(records, unknown);
  const requests = member(chat, "requests");
  if (Array.isArray(requests)) for (const request of requests) reader.add(request);
  else unknown.add("requests");
  const notes = [
    ...reader.conversation.notes(),
    ...(reader.shown === 0 ? [] : [`${counted(reader.shown, "answer")} without rounds, each told as one turn`]),
  ];
  return { records, ...unknown.result(), ...(notes.length === 0 ? {} : { notes }) };
}

class Chat {
  readonly conversation: Conversation;
  /** Answers of which only what was shown is there. */
  shown = 0;
  private readonly records: TraceRecord[];
  private readonly unknown: UnknownCounter;

  constructor(records: TraceRecord[], unknown: UnknownCounter) {
    this.records = records;
    this.unknown = unknown;
    this.conversation = new Conversation(records);
  }

  add(request: Json): void {
    const asked = parseClock(member(request, "timestamp"));
    const text = stringMember(member(request, "message"), "text") ?? stringMember(request, "message");
    if (text === undefined) this.unknown.add("request without a message");
    else this.conversation.say("user", text);
    const result = member(request, "result");
    const rounds = member(member(result, "metadata"), "toolCallRounds");
    const model = stringMember(request, "modelId");
    const response = member(request, "response");
    if (Array.isArray(rounds) && rounds.length > 0) this.addRounds(rounds, member(result, "metadata"), model, asked);
    else if (Array.isArray(response))
      this.addShown(response, model, asked, numberMember(member(result, "timings"), "totalElapsed"));
    const message = stringMember(member(result, "errorDetails"), "message");
    if (message !== undefined) this.records.push(errorRecord({ source: "llm", message }, asked));
  }

  private addRounds(
    rounds: readonly Json[],
    metadata: Json | undefined,
    model: string | undefined,
    asked: Clock | undefined,
  ): void {
    const results = member(metadata, "toolCallResults");
    // Counted for the answer as a whole: only an answer of one round says which turn they belong to.
    const usage = rounds.length === 1 ? usageOf(metadata) : undefined;
    for (const [index, round] of rounds.entries()) {
      const calls = listOf(member(round, "toolCalls"));
      const named = calls.filter((call) => stringMember(call, "name") !== undefined);
      if (named.length < calls.length) this.unknown.add("tool call without a name", calls.length - named.length);
      this.conversation.respond({
        parts: [
          ...thinking(member(round, "thinking")),
          ...texts(stringMember(round, "response")),
          ...named.map((call) =>
            toolUse(stringMember(call, "id"), stringMember(call, "name")!, member(call, "arguments")),
          ),
        ],
        model,
        usage,
        clock: parseClock(member(round, "timestamp")) ?? (index === 0 ? asked : undefined),
      });
      for (const call of named) {
        const callId = stringMember(call, "id");
        const given = callId === undefined ? undefined : member(results, callId);
        if (given !== undefined) this.conversation.result({ callId, ...outcome(given) });
      }
    }
  }

  private addShown(
    response: readonly Json[],
    model: string | undefined,
    asked: Clock | undefined,
    elapsedMs: number | undefined,
  ): void {
    const calls = response.filter((part) => CALLS.has(member(part, "kind")));
    const parts = response.flatMap((part): JsonObject[] => this.shownPart(part));
    if (parts.length === 0) return;
    this.shown++;
    this.conversation.respond({
      parts: joinTexts(parts),
      model,
      clock: asked,
      ...(calls.length === 0 ? { latencyMs: elapsedMs } : {}),
    });
    for (const call of calls) {
      const details = member(call, "resultDetails");
      const output = listOf(member(details, "output"))
        .map((item) => stringMember(item, "value") ?? "")
        .join("\n");
      if (member(call, "isComplete") !== true) continue;
      this.conversation.result({
        callId: stringMember(call, "toolCallId"),
        output: output === "" ? undefined : output,
        isError: member(details, "isError") === true,
      });
    }
  }

  private shownPart(part: Json): JsonObject[] {
    const kind = member(part, "kind");
    if (CALLS.has(kind)) {
      const input = member(member(part, "resultDetails"), "input");
      return [toolUse(stringMember(part, "toolCallId"), stringMember(part, "toolId") ?? "tool", input)];
    }
    if (kind === "thinking") return thinking(part);
    if (kind === undefined || kind === "markdownContent")
      return texts(stringMember(part, "value") ?? stringMember(member(part, "content"), "value"));
    if (kind === "inlineReference") return texts(stringMember(part, "name"));
    if (typeof kind === "string" && !QUIET.has(kind)) this.unknown.add(`response ${kind}`);
    return [];
  }
}

const CALLS: ReadonlySet<Json | undefined> = new Set(["toolInvocationSerialized", "toolInvocation"]);
/** Parts of the interface: progress, edits that a tool made, questions to the person. */
const QUIET = new Set([
  ...[
    "progressMessage",
    "progressTask",
    "progressTaskSerialized",
    "prepareToolInvocation",
    "mcpServersStarting",
    "undoStop",
  ],
  ...[
    "codeblockUri",
    "textEditGroup",
    "notebookEditGroup",
    "confirmation",
    "command",
    "warning",
    "references",
    "codeCitation",
    "treeData",
    "elicitation",
  ],
]);

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function texts(text: string | undefined): JsonObject[] {
  return text === undefined || text === "" ? [] : [{ type: "text", text }];
}

function thinking(value: Json | undefined): JsonObject[] {
  const said = member(value, "text") ?? member(value, "value");
  const text = Array.isArray(said) ? said.filter((line) => typeof line === "string").join("\n") : said;
  return typeof text === "string" && text !== "" ? [{ type: "thinking", text }] : [];
}

/** What was shown comes in pieces, a link between two of them. */
function joinTexts(parts: readonly JsonObject[]): JsonObject[] {
  const joined: JsonObject[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part["type"] === "text" && last?.["type"] === "text")
      joined[joined.length - 1] = { type: "text", text: `${last["text"]}${part["text"]}` };
    else joined.push(part);
  }
  return joined;
}

function usageOf(metadata: Json | undefined): JsonObject | undefined {
  return tokenUsage({
    input: parseCount(member(metadata, "promptTokens")),
    output: parseCount(member(metadata, "outputTokens")),
    cached: undefined,
    written: undefined,
    thinking: undefined,
    includedInput: 0,
    includedOutput: 0,
  });
}

/** Copilot hands a failed tool to the model as a text that says so. */
function outcome(given: Json): { output: Json | undefined; isError: boolean } {
  const content = listOf(member(given, "content")).map((item) => spokenValue(member(item, "value")));
  const isText = content.length > 0 && content.every((value) => value !== undefined);
  const output = isText ? content.join("\n") : member(given, "content");
  return { output, isError: typeof output === "string" && /^ERROR while calling tool/i.test(output) };
}

/** A text, or the tree of elements it was rendered from: `{node: {children: [{text, lineBreakBefore}]}}`. */
function spokenValue(value: Json | undefined): string | undefined {
  if (typeof value === "string") return value;
  const pieces: string[] = [];
  const node = member(value, "node");
  if (!isObject(node)) return undefined;
  collectText(node, pieces, 0);
  return pieces.join("").replace(/^\n/, "");
}

const MAX_DEPTH = 100;

function collectText(node: Json, into: string[], depth: number): void {
  const text = stringMember(node, "text");
  if (text !== undefined) into.push(`${member(node, "lineBreakBefore") === true ? "\n" : ""}${text}`);
  if (depth < MAX_DEPTH) for (const child of listOf(member(node, "children"))) collectText(child, into, depth + 1);
}
