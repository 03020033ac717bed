/**
 * Middleware for `wrapLanguageModel` of the AI SDK. A call that is seen on the wire is recorded there, where its retries, bytes
 * and failures are; what no wire shows (a model in the process, a transport of its own) is recorded here.
 */
import type { CapturedCall, SeenRequest } from "@spoor/core/internal/capture/seen";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import { memberOf, textMember } from "../../intercept/tool-use.ts";
import { safeCall } from "../fetch/captured-call.ts";
import { describeFailure, isAbort } from "../fetch/describe-failure.ts";
import { watchBody } from "../fetch/watch-body.ts";
import type { RecorderContext } from "../recorder-context.ts";
import { chatRequestOf, chatResponseOf } from "./chat-of-ai-sdk.ts";
import { foldStreamParts } from "./fold-stream-parts.ts";

export interface MiddlewareDoor {
  request(seen: SeenRequest): CapturedCall | undefined;
  now(): number;
  problem(error: unknown): void;
  readonly context: RecorderContext;
}

interface Wrapped {
  readonly doGenerate: () => PromiseLike<object>;
  readonly doStream: () => PromiseLike<{ stream: ReadableStream<unknown> }>;
  readonly params: unknown;
  readonly model: unknown;
}

export function aiMiddleware(door: MiddlewareDoor): object {
  return {
    specificationVersion: "v3",
    middlewareVersion: "v2",

    async wrapGenerate({ doGenerate, params, model }: Wrapped) {
      const call = openCall(door, params, model);
      try {
        const result = await door.context.with({ call: call.wire }, doGenerate);
        call.answered(result);
        return result;
      } catch (error) {
        call.failed(error);
        throw error;
      }
    },

    async wrapStream({ doStream, params, model }: Wrapped) {
      const call = openCall(door, params, model);
      try {
        const result = await door.context.with({ call: call.wire }, doStream);
        return { ...result, stream: watchParts(result.stream, call, door) };
      } catch (error) {
        call.failed(error);
        throw error;
      }
    },
  };
}

interface OpenCall {
  readonly wire: { seenOnWire: boolean };
  answered(result: unknown): void;
  failed(error: unknown): void;
}

/** Nothing is told before it is known that no wire has seen the call. */
function openCall(door: MiddlewareDoor, params: unknown, model: unknown): OpenCall {
  const startedMs = door.now();
  const modelId = textMember(model, "modelId") ?? "unknown";
  const wire = { seenOnWire: false };
  const tell = (what: (call: CapturedCall) => void) => {
    if (wire.seenOnWire || door.context.current().paused) return;
    try {
      const body = stringifyJson(chatRequestOf(modelId, params));
      const { session } = door.context.current();
      const seen = { method: "POST", url: "ai-sdk:///chat/completions", headers: {}, body, atMs: startedMs, session };
      const call = door.request(seen);
      if (call !== undefined) what(safeCall(call, door.problem));
    } catch (error) {
      door.problem(error);
    }
  };
  return {
    wire,
    answered: (result) =>
      tell((call) => {
        call.head(200, { "content-type": "application/json" }, startedMs);
        call.text(stringifyJson(chatResponseOf(modelId, result)), door.now());
        call.end(door.now());
      }),
    failed: (error) =>
      tell((call) => {
        const signal = memberOf(params, "abortSignal") as AbortSignal | undefined;
        call.broke(isAbort(error, signal) ? "client" : "server", describeFailure(error), door.now());
      }),
  };
}

function watchParts(stream: ReadableStream<unknown>, call: OpenCall, door: MiddlewareDoor): ReadableStream<unknown> {
  const parts = foldStreamParts();
  return watchBody(stream, {
    chunk(part) {
      try {
        parts.add(part);
      } catch (error) {
        door.problem(error);
      }
    },
    ended() {
      if (parts.error() === undefined) call.answered(parts.result());
      else call.failed(parts.error());
    },
    failed: (error) => call.failed(error),
    left: () => call.failed(new DOMException("The stream was not read to its end.", "AbortError")),
  });
}
