/**
 * Where one conversation of a trace ends and the next begins: the one cutter that all lenses share.
 *
 * 1. An explicit key (given by the caller, else the records' `session_tag`) beats everything: a new value opens a new session,
 *    and conversations that are interleaved stay apart.
 * 2. Two or more `metadata` records alone decide.
 * 3. Otherwise a request opens a session when its last message comes from the user, or when the previous response had
 *    ended; but never when its messages merely extend the previous request's, or quote the previous answer: that is the same
 *    conversation going on. System messages, marks for caches and the form of a text (alone or in a block) do not count, and
 *    the beginning of a history may have been cut off. Nor does a request that is tried again after an error.
 *
 * A response stands in the session of the request it answers.
 */
import { isObject, type Json, member } from "./json.ts";
import { type MessageList, messagesOfRequest } from "./message-list.ts";
import { isFailedCall, pairRequests, type RequestPairs, sessionTag } from "./pair-requests.ts";
import type { TraceRecord } from "./record.ts";
import { quotesResponse, sameMessage, spokenOf } from "./same-message.ts";
import { type RecordSurvey, surveyRecords } from "./survey-records.ts";

export interface SessionOptions {
  /** The session a record belongs to; undefined leaves it in the current one, a response with its request. */
  readonly key?: (record: TraceRecord) => string | undefined;
}

/** The session index of every record, from 0. Linear in the size of the requests. */
export function cutSessions(
  records: readonly TraceRecord[],
  options: SessionOptions = {},
  { requestOf }: RequestPairs = pairRequests(records),
  messagesOf: readonly (MessageList | undefined)[] = records.map(messagesOfRequest),
  { tagged, metadataRecords }: Pick<RecordSurvey, "tagged" | "metadataRecords"> = surveyRecords(records),
): number[] {
  const key = options.key ?? (tagged ? sessionTag : undefined);
  const sessions =
    key !== undefined
      ? cutByKey(records, key)
      : metadataRecords >= 2
        ? cutByMarkers(records)
        : cutByConversation(records, messagesOf);
  for (let index = 0; index < records.length; index++) {
    const request = requestOf[index]!;
    if (request >= 0 && (key === undefined || key(records[index]!) === undefined)) sessions[index] = sessions[request]!;
  }
  return sessions;
}

function cutByKey(records: readonly TraceRecord[], key: (record: TraceRecord) => string | undefined): number[] {
  const indexOfKey = new Map<string, number>();
  let current = 0;
  return records.map((record) => {
    const value = key(record);
    if (value !== undefined) {
      const known = indexOfKey.get(value);
      current = known ?? indexOfKey.size;
      if (known === undefined) indexOfKey.set(value, current);
    }
    return current;
  });
}

function cutByMarkers(records: readonly TraceRecord[]): number[] {
  let current = -1;
  return records.map((record) => {
    if (record.kind === "metadata") current++;
    return Math.max(current, 0);
  });
}

function cutByConversation(
  records: readonly TraceRecord[],
  messagesOf: readonly (MessageList | undefined)[],
): number[] {
  const cutter = createConversationCutter();
  return records.map((record, index) => cutter.next(record, messagesOf[index]));
}

/** Cuts a stream of records as they come, by the conversation alone. */
export interface ConversationCutter {
  /** The session of the next record, with its messages when it is a request. */
  next(record: TraceRecord, messages: MessageList | undefined): number;
}

interface CutterState {
  current: number;
  seenTurn: boolean;
  previousEnded: boolean;
  previousMessages: MessageList | undefined;
  /** The next request of its conversation quotes it. */
  latestResponse?: Json;
  /** The history was cut: the next request goes on with other messages. */
  trimmed?: boolean;
  /** A request was sent and nothing came back yet. */
  awaiting?: boolean;
  /** The latest request ended in an error: an equal one tries again. */
  failed?: boolean;
}

export function createConversationCutter(): ConversationCutter {
  const state: CutterState = { current: 0, seenTurn: false, previousEnded: true, previousMessages: undefined };
  return {
    next(record, messages) {
      // A sub-agent works inside the session that called it, with messages of its own.
      if (record.meta && member(record.meta, "parent_tool_call_id") !== undefined) return state.current;
      if (record.kind === "harness_event" && member(record.payload, "category") === "context_trim")
        state.trimmed = true;
      if (record.kind === "chat_request") {
        const wantsNew = state.seenTurn && (state.previousEnded || lastRelevantIsUser(messages));
        if (wantsNew && !continues(messages, state)) state.current++;
        state.trimmed = false;
        state.failed = false;
        state.awaiting = true;
        state.seenTurn = true;
        state.previousEnded = false;
        state.previousMessages = messages;
      } else if (record.kind === "chat_response") {
        state.seenTurn = true;
        state.awaiting = false;
        state.previousEnded = member(record.payload, "stop_reason") !== "tool_use";
        state.latestResponse = record.payload;
      } else if (state.awaiting && isFailedCall(record)) {
        state.awaiting = false;
        state.failed = true;
      }
      return state.current;
    },
  };
}

/** Whether a request goes on with the conversation of the one before it, whatever was said last. */
function continues(messages: MessageList | undefined, state: CutterState): boolean {
  if (state.trimmed || extendsMessages(messages, state.previousMessages)) return true;
  if (state.latestResponse !== undefined && quotesResponse(messages, state.latestResponse)) return true;
  return state.failed === true && equalMessages(messages, state.previousMessages);
}

/** Walks backwards over system messages; no message at all counts as the user's. */
function lastRelevantIsUser(messages: MessageList | undefined): boolean {
  if (messages === undefined) return true;
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages.at(index);
    if (!isObject(message)) continue;
    const role = message["role"];
    if (role === "system") continue;
    return role === "user" && !holdsOnlyToolResults(message["content"]);
  }
  return true;
}

/** Anthropic-style tool results travel in a user message; that is not the user speaking. */
function holdsOnlyToolResults(content: Json | undefined): boolean {
  if (!Array.isArray(content) || content.length === 0) return false;
  return content.every((part) => member(part, "type") === "tool_result");
}

/** Strictly longer, with every earlier message the same. After no message at all, the assistant's own comes first. */
function extendsMessages(messages: MessageList | undefined, previous: MessageList | undefined): boolean {
  if (messages === undefined || previous === undefined || messages.length <= previous.length) return false;
  if (previous.length === 0) return member(messages.at(0), "role") === "assistant";
  return messages.startsWith(previous) || extendsInSubstance(messages, previous);
}

/** The same without what agents write anew in every request: clocks in system prompts, marks for caches, text as a block. */
function extendsInSubstance(messages: MessageList, previous: MessageList): boolean {
  const [ours, theirs] = [spokenOf(messages), spokenOf(previous)];
  if (theirs.length === 0 || ours.length <= theirs.length) return false;
  return theirs.every((message, index) => sameMessage(message, ours[index]));
}

function equalMessages(messages: MessageList | undefined, previous: MessageList | undefined): boolean {
  if (messages === undefined || previous === undefined) return messages === previous;
  return messages.length === previous.length && messages.startsWith(previous);
}
