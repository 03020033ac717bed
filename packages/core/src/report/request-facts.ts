/** What went into a turn, and what of it is not what went into the turn before: prompt, tools, model, settings, new messages. */
import { isObject, type Json, type JsonObject, jsonEqual, member } from "../trace/json.ts";
import type { MessageList } from "../trace/message-list.ts";
import { present } from "../trace/present.ts";
import type { OfferedTool, Turn } from "../trace/trace.ts";
import { sinceAnswer } from "../trace/user-text.ts";
import type { Shortener } from "./shorten-json.ts";

export type RequestPart = "system" | "tools" | "model" | "settings";

export interface RequestFacts {
  /** Place of its system prompt in the run's list; absent when the request has none. */
  readonly system?: number;
  /** Place of the tools it offers; absent when it does not say. */
  readonly tools?: number;
  readonly requestedModel?: string;
  readonly settings?: JsonObject;
  /** What differs from the request of the same agent's turn before. */
  readonly changed?: readonly RequestPart[];
  readonly messages?: RequestMessages;
}

export interface RequestMessages {
  readonly total: number;
  /** What this request says first, but for answers of the model and results of tools, which stand with their turns and calls. */
  readonly fresh: readonly Json[];
  /** It does not go on from the request before: history was left out or put otherwise. */
  readonly rewritten?: true;
}

export interface RequestReader {
  read(turn: Turn, lane: number): RequestFacts;
  readonly systems: readonly string[];
  readonly toolSets: readonly (readonly OfferedTool[])[];
}

/** Reads turn after turn of one run; equal prompts and lists of tools are kept once. */
export function createRequestReader(shorten: Shortener): RequestReader {
  const systems: string[] = [];
  const placeOfSystem = new Map<string, number>();
  const toolSets: (readonly OfferedTool[])[] = [];
  const latest = new Map<number, { readonly facts: RequestFacts; readonly messages: MessageList | undefined }>();
  const keepSystem = (text: string) => {
    const place = placeOfSystem.get(text) ?? systems.push(shorten.text(text)) - 1;
    placeOfSystem.set(text, place);
    return place;
  };
  const keepTools = (tools: readonly OfferedTool[]) => {
    const known = toolSets.findLastIndex((set) => sameTools(set, tools));
    return known >= 0 ? known : toolSets.push(tools) - 1;
  };
  return {
    systems,
    toolSets,
    read(turn, lane) {
      const before = latest.get(lane);
      const own = {
        system: turn.system === undefined ? undefined : keepSystem(turn.system),
        tools: turn.offeredTools === undefined ? undefined : keepTools(turn.offeredTools),
        requestedModel: turn.requestedModel,
        settings: turn.settings === undefined || Object.keys(turn.settings).length === 0 ? undefined : turn.settings,
      };
      const changed = before === undefined ? [] : partsThatDiffer(before.facts, own);
      const facts = present({
        ...own,
        changed: changed.length === 0 ? undefined : changed,
        messages: messagesOf(turn.messages, before?.messages, shorten),
      });
      latest.set(lane, { facts, messages: turn.messages });
      return facts;
    },
  };
}

function sameTools(one: readonly OfferedTool[], other: readonly OfferedTool[]): boolean {
  return (
    one === other ||
    (one.length === other.length && one.every(({ definition }, at) => jsonEqual(definition, other[at]!.definition)))
  );
}

type Compared = { readonly [K in "system" | "tools" | "requestedModel" | "settings"]?: RequestFacts[K] | undefined };

/** A part that one of the two requests does not have was perhaps not recorded: it is never called a change. */
function partsThatDiffer(before: Compared, now: Compared): RequestPart[] {
  const parts: RequestPart[] = [];
  if (differs(before.system, now.system)) parts.push("system");
  if (differs(before.tools, now.tools)) parts.push("tools");
  if (differs(before.requestedModel, now.requestedModel)) parts.push("model");
  if (before.settings !== undefined && now.settings !== undefined && !jsonEqual(before.settings, now.settings))
    parts.push("settings");
  return parts;
}

function differs<T>(before: T | undefined, now: T | undefined): boolean {
  return before !== undefined && now !== undefined && before !== now;
}

function messagesOf(
  messages: MessageList | undefined,
  before: MessageList | undefined,
  shorten: Shortener,
): RequestMessages | undefined {
  if (messages === undefined) return undefined;
  const isSequel = before === undefined || messages.startsWith(before);
  const added = isSequel ? messages.slice(before?.length ?? 0) : sinceAnswer(messages);
  const fresh = added.filter(isNews).map((message) => shorten.json(message));
  return isSequel ? { total: messages.length, fresh } : { total: messages.length, fresh, rewritten: true };
}

/** System prompts stand on their own; answers and results with their turns and calls. */
function isNews(message: Json): boolean {
  if (!isObject(message)) return true;
  const role = member(message, "role");
  if (role === "assistant" || role === "tool" || role === "function" || role === "system" || role === "developer")
    return false;
  const content = member(message, "content");
  const isResult = (part: Json) => isObject(part) && member(part, "type") === "tool_result";
  return !(Array.isArray(content) && content.length > 0 && (content as readonly Json[]).every(isResult));
}
