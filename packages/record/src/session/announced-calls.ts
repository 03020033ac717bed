/**
 * Calls that a response asked for and that have not started yet. They were judged with the response, as it asked for them; they
 * are judged again, as they really are, when they start. Only then do they count: a call that a person declines, or that a
 * framework drops, has never happened.
 *
 * A tool that nobody wrapped starts out of sight. Its calls count as soon as something else happens.
 */
import { decodeState, encodeState } from "@spoor/core/internal/policy/state-codec";
import { isObject, type Json, jsonEqual, member } from "@spoor/core/internal/trace/json";
import type { ToolCall } from "@spoor/core/internal/trace/trace";

export class AnnouncedCalls {
  private waiting: ToolCall[] = [];

  get isEmpty(): boolean {
    return this.waiting.length === 0;
  }

  announce(calls: readonly ToolCall[]): void {
    this.waiting.push(...calls);
  }

  /**
   * The announced call that now starts: of this name, of this id where both have one, and with these arguments. A schema may
   * have added defaults to them, never taken any away; where the id is the same, they may differ, and are judged as they are.
   */
  take(name: string, input: Json, callId: string | undefined): ToolCall | undefined {
    return this.waiting.length === 0 ? undefined : this.takeWaiting(name, input, callId);
  }

  private takeWaiting(name: string, input: Json, callId: string | undefined): ToolCall | undefined {
    const named = (call: ToolCall) => call.name === name;
    const sameId = (call: ToolCall) => callId !== undefined && call.id === callId;
    const freeId = (call: ToolCall) => callId === undefined || call.id === undefined;
    const found =
      this.waiting.find((call) => named(call) && sameId(call)) ??
      this.waiting.find((call) => named(call) && freeId(call) && extendsInput(input, call.input ?? {}));
    if (found !== undefined) this.waiting.splice(this.waiting.indexOf(found), 1);
    return found;
  }

  /** Those that start out of sight, if they start at all. The others, when `rest` says so, never will. */
  takeUnseen(isSeen: (name: string) => boolean, rest: "keep" | "drop"): readonly ToolCall[] {
    const unseen = this.waiting.filter((call) => !isSeen(call.name));
    this.waiting = rest === "drop" ? [] : this.waiting.filter((call) => isSeen(call.name));
    return unseen;
  }

  save(): Json {
    return encodeState(this.waiting);
  }

  restore(saved: Json): void {
    this.waiting = decodeState(saved) as ToolCall[];
  }
}

function extendsInput(actual: Json, announced: Json): boolean {
  if (!isObject(announced) || !isObject(actual)) return jsonEqual(announced, actual);
  return Object.entries(announced).every(([key, value]) => {
    const found = member(actual, key);
    return found !== undefined && extendsInput(found, value);
  });
}
