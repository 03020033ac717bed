/** What became of a call of a model: an answer, an answer that broke off, or an error. */

import { UnknownCounter } from "../providers/count-unknown.ts";
import { isObject, type Json, type JsonObject, member, stringMember } from "../trace/json.ts";
import { present } from "../trace/present.ts";
import { markOfHeader, REPLAY_HEADER, type ReplayMark, replayMeta } from "../trace/replay-marks.ts";
import { callShapesOf } from "./asked-calls.ts";
import type { CaptureState } from "./capture-state.ts";
import { placeEarlyTools } from "./capture-tool.ts";
import { type Answer, type AnswerCollector, collectAnswer } from "./collect-answer.ts";
import { elapsedMs } from "./elapsed-ms.ts";
import { keptHeaders } from "./kept-headers.ts";
import { boundRecord, boundResidue } from "./read-body.ts";
import { readMessage } from "./read-history.ts";
import type { BrokenBy, CapturedCall } from "./seen.ts";
import type { SentCall } from "./sent-call.ts";
import { residueOf } from "./wire-residue.ts";

const LONGEST_MESSAGE = 500;

export function answerCall(sent: SentCall, state: CaptureState): CapturedCall {
  const answering = new Answering(sent, state);
  const call: CapturedCall = {
    head: (status, headers) => state.guarded(() => answering.head(status, headers), undefined),
    text: (chunk, atMs) => state.guarded(() => answering.text(chunk, atMs), undefined),
    end: (atMs) => settle(() => answering.end(atMs)),
    broke: (by, error, atMs) => settle(() => answering.broke(by, error, atMs)),
  };
  state.open.add(call);
  return call;

  function settle(finish: () => void): void {
    if (!state.open.delete(call)) return;
    state.guarded(finish, undefined);
    state.guarded(() => placeEarlyTools(state), undefined);
  }
}

class Answering {
  private readonly sent: SentCall;
  private readonly state: CaptureState;
  private status = 200;
  private headers: JsonObject | undefined;
  private mark: ReplayMark | undefined;
  private collector: AnswerCollector;

  constructor(sent: SentCall, state: CaptureState) {
    this.sent = sent;
    this.state = state;
    this.collector = collectAnswer(sent.api, "", state.maxBodyBytes);
  }

  head(status: number, headers: Readonly<Record<string, string>>): void {
    this.status = status;
    this.mark = markOfHeader(headers[REPLAY_HEADER]);
    this.headers = keptHeaders(headers, (text) => this.state.redactText(text));
    this.collector = collectAnswer(this.sent.api, headers["content-type"] ?? "", this.state.maxBodyBytes);
  }

  text(chunk: string, atMs: number): void {
    this.collector.add(chunk, atMs);
  }

  end(atMs: number): void {
    this.writeAnswer(this.collector.finish(), atMs);
  }

  private writeAnswer(answer: Answer, atMs: number): void {
    const error = this.errorIn(answer.body) ?? this.errorText(answer.text);
    if (error !== undefined && this.saysSomething(answer)) {
      const what = { code: error.code, message: error.message ?? "the model's server reported an error" };
      this.writeCut(answer.body, answer, "server", what, atMs);
    } else if (this.status >= 400 || error !== undefined) this.writeError(error ?? {}, atMs);
    else if (answer.tooLarge !== undefined)
      this.writeGap("too_large", { of: "response", characters: answer.tooLarge }, atMs);
    else if (!this.sent.api.isResponse(answer.body) || !isObject(answer.body))
      this.writeGap("not_understood", { of: "response", status: this.status }, atMs);
    else if (answer.complete) this.writeResponse(answer.body, answer, atMs, true);
    else this.writeCut(answer.body, answer, "server", { message: "the stream ended early" }, atMs);
  }

  broke(by: BrokenBy, error: { readonly code?: string | undefined; readonly message: string }, atMs: number): void {
    const answer = this.collector.finish();
    if (this.status < 400 && isObject(answer.body) && this.sent.api.isResponse(answer.body)) {
      // A client that has what it wants leaves; the model had said that it was done.
      if (by === "client" && answer.complete && answer.events !== undefined) this.writeAnswer(answer, atMs);
      else this.writeCut(answer.body, answer, by, error, atMs);
    } else if (by === "exit") this.writeInterrupt(by, error, atMs);
    else this.writeError(error, atMs);
  }

  /** An error may end an answer that had begun. */
  private saysSomething(answer: Answer): answer is Answer & { readonly body: JsonObject } {
    const { api } = this.sent;
    if (this.status >= 400 || !isObject(answer.body) || !api.isResponse(answer.body)) return false;
    return api.reply(answer.body, new UnknownCounter()).parts.length > 0;
  }

  private writeResponse(body: JsonObject, answer: Answer, atMs: number, complete: boolean): void {
    const { sent, state } = this;
    const { api, log, turn } = sent;
    const kept = state.redactJson(body);
    const unknown = new UnknownCounter();
    const decoded = api.decodeResponse(kept, unknown, sent.body);
    const payload: JsonObject = present({
      ...boundRecord(decoded),
      ...(complete ? {} : { stop_reason: "error" }),
      latency_ms: this.latency(atMs),
      stream_timings: this.mark === undefined ? timingsOf(answer, sent.sentMs) : undefined,
    });
    const meta = {
      ...this.markMeta(),
      complete: complete ? undefined : false,
      redacted: kept === body ? undefined : true,
      not_understood: notUnderstood(unknown, answer),
      headers: this.headers,
      wire: present({ api: api.name, residue: boundResidue(residueOf(api.encodeResponse(payload), kept), kept) }),
    };
    log.add({ kind: "chat_response", payload, atMs, lane: turn?.lane, parent: sent.requestId, meta });
    state.count("responses");
    if (turn === undefined) return;
    if (complete)
      state.placement.answered(turn, {
        id: stringMember(body, "id"),
        digest: readMessage({ role: "assistant", content: payload["content"] ?? [] }).digest,
        calls: callShapesOf(payload, atMs),
      });
    else this.noteFailure("cut", atMs);
  }

  private writeCut(
    body: JsonObject,
    answer: Answer,
    by: BrokenBy,
    error: { readonly code?: string | undefined; readonly message: string },
    atMs: number,
  ): void {
    this.writeResponse(body, answer, atMs, false);
    this.writeInterrupt(by, error, atMs);
    this.state.count("cuts");
  }

  private writeInterrupt(by: BrokenBy, error: { code?: string | undefined; message: string }, atMs: number): void {
    const { log, turn } = this.sent;
    const attributes = present({ code: error.code, message: this.state.redactText(error.message) });
    log.event({ category: "stream_interrupt", name: by, severity: "warning", attributes }, atMs, turn?.lane);
    if (turn !== undefined && turn.state === "open") this.noteFailure(by, atMs);
  }

  private writeError(error: { code?: string | undefined; message?: string | undefined }, atMs: number): void {
    const { log, turn, requestId } = this.sent;
    const failedStatus = this.status >= 400 ? this.status : undefined;
    const message = error.message ?? (failedStatus === undefined ? "the call failed" : `HTTP status ${failedStatus}`);
    const payload = present({
      source: "llm",
      code: error.code === undefined ? undefined : this.state.redactText(error.code),
      message: this.state.redactText(message),
      status_code: failedStatus,
      latency_ms: this.latency(atMs),
    });
    const meta = { ...this.markMeta(), headers: this.headers };
    log.add({ kind: "error", payload, atMs, lane: turn?.lane, parent: requestId, meta });
    this.state.count("errors");
    this.noteFailure(failedStatus === undefined ? (error.code ?? "error") : String(failedStatus), atMs);
  }

  /** Something came that is not in the recording; nothing is made up for it, and every reader counts it. */
  private writeGap(name: "too_large" | "not_understood", attributes: JsonObject, atMs: number): void {
    const { log, turn } = this.sent;
    this.state.gap(log, name, attributes, atMs, turn?.lane);
    this.state.problem(name, `an answer of ${this.sent.api.name} was not recorded`);
    if (turn !== undefined) this.state.placement.answered(turn, { calls: [] });
  }

  /** What a recording answers takes no time that would say anything. */
  private latency(atMs: number): number | undefined {
    return this.mark === undefined ? elapsedMs(this.sent.sentMs, atMs) : undefined;
  }

  private markMeta(): JsonObject {
    return this.mark === undefined ? {} : replayMeta(this.mark);
  }

  private noteFailure(name: string, atMs: number): void {
    const { turn } = this.sent;
    if (turn === undefined) return;
    turn.failure = { name, atMs };
    this.state.placement.failed(turn);
  }

  /** Gateways answer in plain words; the page of a proxy is cut. Redacted before that, or half a secret would stay. */
  private errorText(text: string | undefined): { code?: string; message: string } | undefined {
    if (this.status < 400 || !text?.trim()) return undefined;
    return { message: this.state.redactText(text.trim()).slice(0, LONGEST_MESSAGE).toWellFormed() };
  }

  /** An error in the words of any API; some come with status 200. */
  private errorIn(body: Json | undefined): { code?: string; message?: string } | undefined {
    const named = Array.isArray(body) ? member(body[0], "error") : member(body, "error");
    if (typeof named === "string") return { message: named };
    if (isObject(named)) return errorOf(named);
    if (this.status < 400) return undefined;
    const message = stringMember(body, "message");
    return message === undefined ? undefined : { message };
  }
}

function notUnderstood(unknown: UnknownCounter, { unread }: Answer): JsonObject | undefined {
  const counts = { ...unread, ...unknown.result().unknown };
  return Object.keys(counts).length === 0 ? undefined : counts;
}

function errorOf(error: JsonObject): { code?: string; message?: string } {
  const code = [error["code"], error["type"], error["status"]].find((one) => typeof one === "string");
  const message = stringMember(error, "message");
  return present({ code, message });
}

function timingsOf({ events, firstMs, lastMs }: Answer, sentMs: number): JsonObject | undefined {
  if (events === undefined) return undefined;
  return present({
    first_ms: firstMs === undefined ? undefined : elapsedMs(sentMs, firstMs),
    last_ms: lastMs === undefined ? undefined : elapsedMs(sentMs, lastMs),
    events,
  });
}
