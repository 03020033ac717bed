/** Calls of a running agent that nobody has reported as ended: the next request may tell what they returned. */
import type { Json } from "../trace/json.ts";
import { requestResults } from "../trace/request-results.ts";
import type { CallEvent, TurnEvent } from "./events.ts";
import { decodeState, encodeState } from "./state-codec.ts";

const MAX_OPEN = 1000;

export class OpenCalls {
  private calls = new Map<string, CallEvent>();

  add(event: CallEvent): void {
    if (event.call.id === undefined || event.numbered === true) return;
    this.calls.set(event.call.id, event);
    // Where no request ever tells, the oldest are past waiting for.
    if (this.calls.size > MAX_OPEN) this.calls.delete(this.calls.keys().next().value!);
  }

  end({ call }: CallEvent): void {
    if (call.id !== undefined && this.calls.size > 0) this.calls.delete(call.id);
  }

  save(): Json {
    return encodeState(this.calls);
  }

  restore(saved: Json): void {
    this.calls = decodeState(saved) as Map<string, CallEvent>;
  }

  endedBy(turn: TurnEvent): CallEvent[] {
    if (this.calls.size === 0) return [];
    return requestResults(turn.request).flatMap(({ id, failed, output }) => {
      const known = id === undefined ? undefined : this.calls.get(id);
      if (known === undefined) return [];
      const status = failed ? "error" : "ok";
      return [{ ...known, call: { ...known.call, status, ...(output === undefined ? {} : { output }) } }];
    });
  }
}
