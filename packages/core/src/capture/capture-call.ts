/** One call of a model: its request in its place, told results before it, and what became of it. */
import { canonicalJson } from "../canonical/canonical-json.ts";
import { digestText } from "../canonical/digest.ts";
import type { ProviderApi } from "../providers/provider-api.ts";
import { isObject, type Json, type JsonObject, member, stringMember } from "../trace/json.ts";
import { present } from "../trace/present.ts";
import { requestResults } from "../trace/request-results.ts";
import { answerCall } from "./answer-call.ts";
import type { CaptureState } from "./capture-state.ts";
import { elapsedMs } from "./elapsed-ms.ts";
import { keptHeaders } from "./kept-headers.ts";
import type { Placed, Turn } from "./placed.ts";
import { readBody } from "./read-body.ts";
import type { ReadMessage } from "./read-history.ts";
import { readRequest } from "./read-request.ts";
import { mayBeModelCall, recogniseCall } from "./recognise-call.ts";
import type { RunLog } from "./run-log.ts";
import type { CapturedCall, SeenRequest } from "./seen.ts";
import type { SentCall } from "./sent-call.ts";
import { conversationOf, type Stated, statedSession } from "./stated-session.ts";
import { tellResults } from "./tell-results.ts";
import type { WholeRequest } from "./whole-request.ts";

export function captureCall(seen: SeenRequest, state: CaptureState): CapturedCall | undefined {
  if (!mayBeModelCall(seen.method, seen.url) || seen.headers["x-spoor-skip"] === "1") return undefined;
  if (seen.body.length > state.maxBodyBytes) return tooLarge(seen, state);
  const recognised = recogniseCall(seen.url, readBody(seen.body));
  if (recognised === undefined) return undefined;
  const { api, body } = recognised;
  const stated = statedSession(seen, body);
  const request = readRequest(api, body, state.history);
  const sent = isAuxiliary(body, stated, request, state)
    ? sendAuxiliary(seen, api, body, request, state)
    : send(seen, api, body, stated, request, state);
  return answerCall(sent, state);
}

function send(
  seen: SeenRequest,
  api: ProviderApi,
  body: JsonObject,
  stated: Stated,
  request: WholeRequest,
  state: CaptureState,
): SentCall {
  const results = requestResults(request.payload);
  const answeredCalls = results.flatMap(({ id }) => (id === undefined ? [] : [id])).reverse();
  const placed = state.placement.place({
    session: stated.session?.id,
    thread: stated.thread,
    parentThread: stated.parentThread,
    messages: request.messages,
    setup: setupOf(request),
    model: typeof request.model?.value === "string" ? request.model.value : "",
    id: request.rest,
    previousResponseId: stringMember(body, "previous_response_id"),
    conversationId: conversationOf(body),
    answeredCalls,
    offersTools: request.tools !== undefined,
  });
  const { lane } = placed.turn;
  const log = state.logOf(lane.run, stated.session, seen.atMs);
  tellResults(results, { lane, log, state, atMs: seen.atMs });
  const requestId = placed.again
    ? retried(placed.turn, seen, log, state)
    : writeRequest(request, placed, seen, log, state);
  return { api, body, log, turn: placed.turn, requestId, sentMs: seen.atMs };
}

function writeRequest(
  request: WholeRequest,
  placed: Placed,
  seen: SeenRequest,
  log: RunLog,
  state: CaptureState,
): string {
  const { turn, by, fork, trimmed } = placed;
  if (trimmed)
    log.event({ category: "context_trim", name: "rewritten_history", severity: "info" }, seen.atMs, turn.lane);
  const meta = {
    placed_by: by,
    fork: fork ? true : undefined,
    redacted: request.redacted ? true : undefined,
    headers: keptHeaders(seen.headers, (text) => state.redactText(text)),
  };
  state.count("requests");
  const id = log.request(request, { atMs: seen.atMs, lane: turn.lane, meta, from: turn.from?.lane });
  turn.recordId = id;
  return id;
}

/** The same request again: no second request, but a note that says so. */
function retried(turn: Turn, seen: SeenRequest, log: RunLog, state: CaptureState): string {
  const { attempts, failure } = turn;
  const attributes = present({
    attempt: attempts,
    waited_ms: failure === undefined ? undefined : elapsedMs(failure.atMs, seen.atMs),
    retry_count: seen.headers["x-stainless-retry-count"],
  });
  log.event(
    { category: "retry", name: failure?.name ?? "error", severity: "warning", attributes },
    seen.atMs,
    turn.lane,
  );
  state.count("retries");
  return turn.recordId ?? "";
}

/** Titles, summaries and the like: they ask for a form and offer no tools, beside an agent that has some. */
function isAuxiliary(body: JsonObject, stated: Stated, request: WholeRequest, state: CaptureState): boolean {
  const session = stated.session?.id;
  if (session === undefined || stated.parentThread !== undefined || request.tools !== undefined || !wantsForm(body))
    return false;
  return stated.hasAuxiliary === true || state.placement.offersTools(session);
}

/** Whether a request asks for output of a JSON schema, in the words of any API. */
function wantsForm(body: JsonObject): boolean {
  const places = [
    member(body, "response_format"),
    member(member(body, "text"), "format"),
    member(body, "output_format"),
    member(member(body, "output_config"), "format"),
  ];
  const schema =
    member(member(body, "generationConfig"), "responseSchema") ??
    member(member(body, "generationConfig"), "responseJsonSchema");
  return isObject(schema) || places.some((place) => stringMember(place, "type")?.startsWith("json_schema"));
}

function sendAuxiliary(
  seen: SeenRequest,
  api: ProviderApi,
  body: JsonObject,
  request: WholeRequest,
  state: CaptureState,
): SentCall {
  const log = state.auxiliary(seen.atMs);
  state.count("auxiliary");
  const requestId = log.request(request, {
    atMs: seen.atMs,
    meta: { headers: keptHeaders(seen.headers, (text) => state.redactText(text)) },
  });
  return { api, body, log, turn: undefined, requestId, sentMs: seen.atMs };
}

/** A body too large to be kept is a gap, not nothing. */
function tooLarge(seen: SeenRequest, state: CaptureState): undefined {
  const log = state.logOf(state.placement.runOf(seen.session?.id), seen.session, seen.atMs);
  state.gap(log, "too_large", { of: "request", characters: seen.body.length }, seen.atMs);
  state.problem("too_large", `a request of ${seen.body.length} characters was not recorded`);
}

/** What mostly stays the same through a conversation: instructions and tools. */
function setupOf({ messages, tools }: WholeRequest): string {
  const instructions = messages.filter(isInstruction).map(({ digest }) => digest);
  const names = Array.isArray(tools?.value) ? tools.value.map(toolName) : [];
  return digestText(canonicalJson([instructions, names]), 32);
}

function isInstruction({ value }: ReadMessage): boolean {
  return value["role"] === "system" || value["role"] === "developer";
}

function toolName(tool: Json): Json {
  return member(tool, "name") ?? member(member(tool, "function"), "name") ?? member(tool, "type") ?? null;
}
