/**
 * What an opencode server says while it works (`GET /event`, and `GET /global/event`, which wraps each event as a payload): messages and
 * parts are told again whenever they change, and texts may come in pieces. Put together they are the sessions that
 * `opencode export` would write now: what was removed is gone. Events about files, permissions and the interface are not needed for it.
 */
import type { Json, JsonObject } from "@spoor/core";
import type { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { isObject, member, setMember, stringMember } from "@spoor/core/internal/trace/json";

export interface ToldSession {
  readonly info: JsonObject;
  readonly messages: readonly { readonly info: JsonObject; readonly parts: readonly JsonObject[] }[];
  /** What broke the session off, where no message says so. */
  readonly errors: readonly Json[];
}

export function isServerEvent(value: Json): boolean {
  const event = eventOf(value);
  const properties = member(event, "properties");
  return (
    (stringMember(event, "type") ?? "").startsWith("message.") &&
    (isObject(member(properties, "info")) || isObject(member(properties, "part")))
  );
}

export function sessionsOfEvents(values: readonly Json[], unknown: UnknownCounter): ToldSession[] {
  const sessions = new Map<string, OpenSession>();
  for (const value of values) {
    const event = eventOf(value);
    const type = stringMember(event, "type") ?? "without a type";
    const properties = member(event, "properties");
    const id = sessionOf(properties);
    if (id === undefined) {
      if (type.startsWith("message.")) unknown.add(`event: ${type}`);
      continue;
    }
    let session = sessions.get(id);
    if (session === undefined) {
      session = { info: { id }, messages: new Map(), errors: [] };
      sessions.set(id, session);
    }
    apply(session, type, properties, unknown);
  }
  return [...sessions.values()].filter(({ messages, errors }) => messages.size + errors.length > 0).map(closed);
}

interface OpenMessage {
  info: JsonObject | undefined;
  readonly parts: Map<string, JsonObject>;
}

interface OpenSession {
  info: JsonObject;
  readonly messages: Map<string, OpenMessage>;
  readonly errors: Json[];
}

function eventOf(value: Json): Json {
  const payload = member(value, "payload");
  return isObject(payload) ? payload : value;
}

function sessionOf(properties: Json | undefined): string | undefined {
  const info = member(properties, "info");
  return (
    stringMember(properties, "sessionID") ??
    stringMember(info, "sessionID") ??
    stringMember(member(properties, "part"), "sessionID") ??
    (isObject(member(info, "time")) ? stringMember(info, "id") : undefined)
  );
}

function apply(session: OpenSession, type: string, properties: Json | undefined, unknown: UnknownCounter): void {
  const info = member(properties, "info");
  const part = member(properties, "part");
  const message = stringMember(properties, "messageID");
  if ((type === "session.created" || type === "session.updated") && isObject(info)) session.info = info;
  else if (type === "session.error") session.errors.push(member(properties, "error") ?? null);
  else if (type === "message.updated" && isObject(info)) messageOf(session, stringMember(info, "id")).info = info;
  else if (type === "message.removed" && message !== undefined) session.messages.delete(message);
  else if (type === "message.part.updated" && isObject(part))
    messageOf(session, stringMember(part, "messageID")).parts.set(stringMember(part, "id") ?? "", part);
  else if (type === "message.part.delta" && message !== undefined) extend(messageOf(session, message), properties);
  else if (type === "message.part.removed" && message !== undefined)
    session.messages.get(message)?.parts.delete(stringMember(properties, "partID") ?? "");
  else if (type.startsWith("message.")) unknown.add(`event: ${type}`);
}

function messageOf(session: OpenSession, id = ""): OpenMessage {
  const known = session.messages.get(id);
  if (known !== undefined) return known;
  const message: OpenMessage = { info: undefined, parts: new Map() };
  session.messages.set(id, message);
  return message;
}

/** A piece of a text; the part may not have been told yet. */
function extend(message: OpenMessage, properties: Json | undefined): void {
  const id = stringMember(properties, "partID") ?? "";
  const field = stringMember(properties, "field") ?? "text";
  const known = message.parts.get(id) ?? { id, type: "text" };
  const longer: Record<string, Json> = { ...known };
  setMember(longer, field, `${stringMember(known, field) ?? ""}${stringMember(properties, "delta") ?? ""}`);
  message.parts.set(id, longer);
}

function closed({ info, messages, errors }: OpenSession): ToldSession {
  const told = [...messages.values()].map((message) => {
    const parts = [...message.parts.values()];
    return { info: message.info ?? guessed(parts), parts };
  });
  const isTold = told.some((message) => isObject(member(message.info, "error")));
  return { info, messages: told, errors: isTold ? [] : errors };
}

/** A stream that was joined late has parts of messages that it never announced; only an answer has steps and tools. */
function guessed(parts: readonly JsonObject[]): JsonObject {
  const isAnswer = parts.some((part) => /^(?:step-|tool$|reasoning$)/.test(stringMember(part, "type") ?? ""));
  return isAnswer ? { role: "assistant" } : {};
}
