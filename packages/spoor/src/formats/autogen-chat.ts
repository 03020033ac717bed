/**
 * Chats of AutoGen 0.2 and AG2: `ChatResult` with its `chat_history`, or the list alone. Roles are those the initiator sees, its own words are
 * `assistant`; who spoke is told by `name`. Results stand in `tool_responses`; code that the other side ran comes back as `exitcode: …`.
 */
import type { Json, JsonObject } from "@spoor/core";
import { namedCalls } from "@spoor/core/internal/providers/chat-parts";
import { metadataRecord } from "@spoor/core/internal/providers/conversation";
import { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { isObject, member, stringifyJson, stringMember } from "@spoor/core/internal/trace/json";
import { AgentLanes } from "./agent-lanes.ts";
import type { ImportedTrace } from "./format.ts";

export interface AutogenChat {
  readonly messages: readonly JsonObject[];
  /** The `ChatResult` that holds them. */
  readonly result?: JsonObject | undefined;
}

/** The chat that a value is, if it is one. */
export function autogenChat(value: Json): AutogenChat | undefined {
  const history = member(value, "chat_history");
  const list = Array.isArray(value) ? value : history;
  if (!Array.isArray(list) || list.length === 0 || !list.every(isMessage)) return undefined;
  const isResult = isObject(value) && ENVELOPE.some((key) => Object.hasOwn(value, key));
  if (!isResult && !isAutogen(list)) return undefined;
  return { messages: list, result: isObject(value) ? value : undefined };
}

const ENVELOPE = ["summary", "cost", "human_input", "chat_id"];
const ROLES: ReadonlySet<string> = new Set(["user", "assistant", "tool", "function", "system"]);

function isMessage(value: Json): value is JsonObject {
  return isObject(value) && ROLES.has(stringMember(value, "role") ?? "") && stringMember(value, "type") === undefined;
}

/** Results in a list of their own; or every speaker has a name, and more than one of them is called `user`, or an agent speaks first and is answered by a `user`. */
function isAutogen(messages: readonly JsonObject[]): boolean {
  if (messages.some((message) => Array.isArray(message["tool_responses"]))) return true;
  const spoken = messages.filter((message) => message["role"] !== "system" && !asks(message) && !isResult(message));
  if (spoken.length < 2 || !spoken.every((message) => nameOf(message) !== undefined)) return false;
  const users = new Set(spoken.filter((message) => message["role"] === "user").map(nameOf));
  const [first] = spoken;
  return users.size > 1 || (users.size === 1 && first!["role"] === "assistant" && !users.has(nameOf(first!)));
}

function nameOf(message: JsonObject): string | undefined {
  return stringMember(message, "name") || undefined;
}

function asks(message: JsonObject): boolean {
  return Array.isArray(message["tool_calls"]) || isObject(message["function_call"]);
}

function isResult(message: JsonObject): boolean {
  return message["role"] === "tool" || message["role"] === "function";
}

export function readAutogenChat({ messages, result }: AutogenChat): ImportedTrace {
  return new ChatReader(messages, onlyModel(result)).read(stringMember(result, "chat_id"));
}

/** Counts are told for the whole chat, per model: of one model they say who answered, of none what an answer took. */
function onlyModel(result: JsonObject | undefined): string | undefined {
  const cost = member(result, "cost");
  const usage = member(cost, "usage_including_cached_inference");
  const models = isObject(usage) ? Object.keys(usage).filter((key) => isObject(usage[key])) : [];
  return models.length === 1 ? models[0] : undefined;
}

/** Whoever is called so has no model behind it: a person, or the side that runs tools and code. */
const PERSON = /user|human|proxy|admin|executor|customer|terminal|interpreter/i;
const CODE_RESULT = /^exitcode: (-?\d+) \(execution \w+\)\s*Code output:\s*/;

class ChatReader {
  private readonly unknown = new UnknownCounter();
  private readonly lanes = new AgentLanes();
  /** Which agent asked for a call. */
  private readonly asked = new Map<string, string>();
  private readonly initiator: string | undefined;
  private latest: string;
  private runs = 0;

  private readonly messages: readonly JsonObject[];
  private readonly model: string | undefined;

  constructor(messages: readonly JsonObject[], model: string | undefined) {
    this.messages = messages;
    this.model = model;
    const first = messages.find((message) => message["role"] !== "system");
    this.initiator = first === undefined ? undefined : nameOf(first);
    this.latest = this.otherSpeaker();
  }

  read(id: string | undefined): ImportedTrace {
    let isFirst = true;
    for (const [index, message] of this.messages.entries()) {
      if (message["role"] === "system") {
        this.lanes.tellAll({ role: "system", content: message["content"] ?? "" });
        continue;
      }
      this.add(message, isFirst, this.messages[index + 1]);
      isFirst = false;
    }
    const notes = this.lanes.notes();
    return {
      records: [metadataRecord(id, { agent: this.lanes.main || undefined }), ...this.lanes.records],
      ...this.unknown.result(),
      ...(notes.length === 0 ? {} : { notes }),
    };
  }

  private add(message: JsonObject, isFirst: boolean, next: JsonObject | undefined): void {
    if (isResult(message)) this.results(message);
    else if (asks(message)) this.respond(message, nameOf(message) ?? this.latest, undefined);
    else if (this.isSaid(message, isFirst)) this.say(message);
    else this.respond(message, nameOf(message) ?? this.latest, next);
  }

  /** The task is given, not answered; so is what a person says. Without names the initiator's own words are `assistant`. */
  private isSaid(message: JsonObject, isFirst: boolean): boolean {
    const name = nameOf(message);
    return isFirst || (name === undefined ? message["role"] === "assistant" : PERSON.test(name));
  }

  private say(message: JsonObject): void {
    const content = textOf(message["content"]);
    const ran = CODE_RESULT.exec(content);
    if (ran === null || this.runs === 0) {
      if (content !== "") this.lanes.tellAll({ role: "user", content });
      return;
    }
    const output = content.slice(ran[0].length);
    this.lanes.of(this.latest).result({ callId: `code-${this.runs}`, output, isError: Number(ran[1]) !== 0 });
  }

  private respond(message: JsonObject, agent: string, next: JsonObject | undefined): void {
    const text = textOf(message["content"]);
    const parts: JsonObject[] = text === "" ? [] : [{ type: "text", text }];
    const calls = this.callsOf(message);
    const blocks = next !== undefined && CODE_RESULT.test(textOf(next["content"])) ? codeBlocks(text) : [];
    if (blocks.length > 0)
      calls.push({
        type: "tool_use",
        id: `code-${++this.runs}`,
        name: "code_executor",
        input: { code_blocks: blocks },
      });
    for (const call of calls) this.asked.set(stringMember(call, "id") ?? "", agent);
    this.latest = agent;
    this.lanes.of(agent).respond({ parts: [...parts, ...calls], model: this.model });
    if (text !== "") this.lanes.tellAll({ role: "user", content: text }, agent);
  }

  private callsOf(message: JsonObject): JsonObject[] {
    const calls = member(message, "tool_calls");
    const one = member(message, "function_call");
    const given = [...(Array.isArray(calls) ? calls : []), ...(isObject(one) ? [one] : [])].filter(isObject);
    return namedCalls(given, this.unknown);
  }

  private results(message: JsonObject): void {
    const list = member(message, "tool_responses");
    const responses = Array.isArray(list) && list.length > 0 ? list : [message];
    for (const response of responses) {
      const callId = stringMember(response, "tool_call_id");
      const output = member(response, "content") ?? undefined;
      const agent = (callId === undefined ? undefined : this.asked.get(callId)) ?? this.latest;
      // What AutoGen writes when the function threw, was not known or got no JSON.
      const isError = typeof output === "string" && output.startsWith("Error: ");
      this.lanes.of(agent).result({ callId, output, isError });
    }
  }

  /** Who makes calls that name nobody: the first speaker that is neither the initiator nor one who runs tools. */
  private otherSpeaker(): string {
    const names = this.messages.filter((message) => !isResult(message)).map(nameOf);
    const other = names.find((name) => name !== undefined && name !== this.initiator && !PERSON.test(name));
    return other ?? "assistant";
  }
}

function codeBlocks(text: string): Json[] {
  return [...text.matchAll(/```(\w*)\s*\n([\s\S]*?)```/g)].map(([, language, code]) => ({
    ...(language ? { language } : {}),
    code: code!,
  }));
}

function textOf(content: Json | undefined): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return content === undefined || content === null ? "" : stringifyJson(content);
  return content.map((part) => (typeof part === "string" ? part : (stringMember(part, "text") ?? ""))).join("\n");
}
