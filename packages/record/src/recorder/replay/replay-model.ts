/**
 * What becomes of a call of a model under replay, whichever door it comes through: a recorded answer, a refusal, or the model itself.
 * Where tools come from recordings, an answer is handed on only if every tool it asks for is one that stands behind the replay: any
 * other would run for real.
 */

import { collectAnswer } from "@spoor/core/internal/capture/collect-answer";
import { readBody } from "@spoor/core/internal/capture/read-body";
import { mayBeModelCall, recogniseCall } from "@spoor/core/internal/capture/recognise-call";
import type { StatedSession } from "@spoor/core/internal/capture/seen";
import type { AskedCall, AskedModel, CassetteSession } from "@spoor/core/internal/cassette/cassette";
import { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { isObject, type Json, type JsonObject, member, stringMember } from "@spoor/core/internal/trace/json";
import { askedTools } from "./asked-tools.ts";
import { missedModelText } from "./miss-text.ts";
import { type ReplayFailure, refusedAnswer } from "./replay-error.ts";
import type { Source } from "./replay-options.ts";
import type { ReplaySessions } from "./replay-sessions.ts";
import { type AnswerToSend, failedAgain, formOf, servedAnswer } from "./served-answer.ts";

export interface ModelRequest {
  readonly method: string;
  readonly url: string;
  readonly body: string;
  readonly session?: StatedSession | undefined;
}

/** `pass`: no call of a model. `ask`: the model itself answers; with `check`, its whole answer is looked at before anyone gets it. */
export type ModelDecision =
  | { readonly kind: "pass" }
  | { readonly kind: "answer"; readonly answer: AnswerToSend }
  | { readonly kind: "ask"; readonly check?: (answer: WholeAnswer) => AnswerToSend | undefined };

export interface WholeAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

export interface ModelReplayDoor {
  readonly model: Source;
  readonly tools: Source;
  readonly timing: "none" | "recorded";
  readonly sessions: ReplaySessions;
  /** Whether a tool of this name is answered by the replay, or may run for real. */
  isCovered(name: string, session: CassetteSession): boolean;
  readonly stopped: () => Error | undefined;
  /** Requests whose answers were not handed on, with the tools that nobody stands before. */
  readonly refused: Map<string, readonly string[]>;
  /** Told what an answer asked for that nobody stands before. */
  foundOpen(names: readonly string[]): void;
  /** Told what the provider ran by itself: it is part of the answer, and no recording stands before it. */
  foundProvider(names: readonly string[]): void;
}

/** Agents that live at the provider ask for tools by other ways than an answer. */
const HOSTED_AGENT = /\/(?:threads|assistants|realtime)(?:[/?]|$)/;

export function decideModel(request: ModelRequest, door: ModelReplayDoor): ModelDecision {
  if (door.tools === "recorded" && HOSTED_AGENT.test(new URL(request.url, "http://localhost").pathname)) {
    const message = "Agents that are kept at the provider cannot be replayed: their tools would run for real.";
    return { kind: "answer", answer: sent(undefined, { status: 502, code: "replay.tools-open", message }) };
  }
  if (!mayBeModelCall(request.method, request.url)) return { kind: "pass" };
  const asked = recogniseCall(request.url, readBody(request.body));
  if (asked === undefined) return { kind: "pass" };
  const stopped = door.stopped();
  if (stopped !== undefined) return refuse(asked, { status: 400, code: "replay.miss", message: stopped.message });
  const session = door.sessions.ofRequest(request.session, asked);
  if (door.model === "recorded") return answerRecorded(request, asked, session, door);
  session.noteRequest(asked);
  if (door.tools === "live") return { kind: "ask" };
  // Clients try again what failed; the model is not asked, and paid, a second time for an answer that nobody may have.
  const open = door.refused.get(request.body)?.filter((name) => !door.isCovered(name, session)) ?? [];
  if (open.length > 0) return { kind: "answer", answer: toSend(asked, toolsOpen(open)) };
  return {
    kind: "ask",
    check(answer) {
      const refusal = checkAnswer(answer, asked, session, door);
      if (refusal?.open !== undefined) door.refused.set(request.body, refusal.open);
      return refusal?.answer;
    },
  };
}

function answerRecorded(
  { url }: ModelRequest,
  asked: AskedModel,
  session: CassetteSession,
  door: ModelReplayDoor,
): ModelDecision {
  const answer = session.answerModel(asked);
  if (answer.served === "miss")
    return refuse(asked, { status: 400, code: "replay.miss", message: missedModelText(answer) });
  if ("error" in answer) return { kind: "answer", answer: failedAgain(asked.api, answer) };
  noteIds(callsOf(answer.body, asked), session, door.sessions);
  const open = openTools(answer.body, asked, session, door);
  if (open !== undefined) return { kind: "answer", answer: open.answer };
  const made = servedAnswer(asked.api, answer, formOf(asked.api, url, asked.body), door.timing);
  if (made !== undefined) return { kind: "answer", answer: made };
  const message = `A stream of ${asked.api.name} is not text, and cannot be served from a recording.`;
  return refuse(asked, { status: 400, code: "replay.miss", message });
}

interface Refusal {
  readonly answer: AnswerToSend;
  readonly open?: readonly string[];
}

/** What failed asks for nothing; what cannot be read may ask for anything. */
function checkAnswer(
  { status, contentType, text }: WholeAnswer,
  asked: AskedModel,
  session: CassetteSession,
  door: ModelReplayDoor,
): Refusal | undefined {
  if (status >= 400) return undefined;
  const collector = collectAnswer(asked.api, contentType, Number.POSITIVE_INFINITY);
  collector.add(text, 0);
  const { body, isEmpty } = collector.finish();
  if (isEmpty) return undefined;
  if (!isObject(body) || !asked.api.isResponse(body)) {
    const message = "The model's answer cannot be read, so nobody knows which tools it asks for.";
    return { answer: toSend(asked, { status: 502, code: "replay.tools-open", message }) };
  }
  const calls = callsOf(body, asked);
  session.noteCalls(calls);
  noteIds(calls, session, door.sessions);
  return openTools(body, asked, session, door);
}

function openTools(
  body: JsonObject,
  asked: AskedModel,
  session: CassetteSession,
  door: ModelReplayDoor,
): Refusal | undefined {
  if (door.tools === "live") return undefined;
  const { local, provider } = askedTools(asked.api, body);
  if (provider.length > 0) door.foundProvider(provider);
  const open = local.filter((name) => !door.isCovered(name, session));
  if (open.length === 0) return undefined;
  door.foundOpen(open);
  return { answer: toSend(asked, toolsOpen(open)), open };
}

function toolsOpen(names: readonly string[]): ReplayFailure {
  const one = names.length === 1;
  const which = one ? `The tool ${names[0]}` : `The tools ${names.join(", ")}`;
  const them = one ? "it" : "them";
  const message =
    `${which} would run for real, because no recording stands before ${them}: the answer was not handed on. ` +
    `Wrap ${them} with wrapTools of createRecorder (@spoor/record/recorder), or replay with --tools live.`;
  return { status: 502, code: "replay.tools-open", message };
}

function callsOf(body: JsonObject, { api, body: request }: AskedModel): AskedCall[] {
  const parts = member(api.decodeResponse(body, new UnknownCounter(), request), "content");
  const calls = (Array.isArray(parts) ? parts : []).filter((part: Json) => member(part, "type") === "tool_use");
  return calls.map((part: Json) => ({
    name: stringMember(part, "name") ?? "",
    args: member(part, "input"),
    id: stringMember(part, "id"),
  }));
}

function noteIds(calls: readonly AskedCall[], session: CassetteSession, sessions: ReplaySessions): void {
  sessions.noteCalls(
    session,
    calls.flatMap(({ id }) => id ?? []),
  );
}

function refuse(asked: AskedModel, failure: ReplayFailure): ModelDecision {
  return { kind: "answer", answer: toSend(asked, failure) };
}

function toSend({ api }: AskedModel, failure: ReplayFailure): AnswerToSend {
  return sent(api, failure);
}

function sent(api: AskedModel["api"] | undefined, failure: ReplayFailure): AnswerToSend {
  const { status, headers, text } = refusedAnswer(api, failure);
  return { status, headers, pieces: [{ text }] };
}
