/**
 * What was read of the latest list of messages. The requests of a conversation repeat all that was said before, so that most of a
 * file is said again and again: of a list that begins like the one before it only the rest is read.
 */
import { type Json, jsonEqual } from "../trace/json.ts";
import type { UnknownCounter } from "./count-unknown.ts";

export class HistoryMemory<T> {
  private list: readonly Json[] = [];
  /** What came of each message; undefined where reading it again may say something else. */
  private read: readonly (T | undefined)[] = [];

  /** What was read of the messages with which `list` begins as the latest one did; in their order. */
  beginningOf(list: readonly Json[]): T[] {
    const known: T[] = [];
    for (let index = 0; index < list.length; index++) {
      const read = this.read[index];
      if (read === undefined || !jsonEqual(this.list[index], list[index])) break;
      known.push(read);
    }
    return known;
  }

  keep(list: readonly Json[], read: readonly (T | undefined)[]): void {
    this.list = list;
    this.read = read;
  }
}

const MEMORIES = new WeakMap<UnknownCounter, HistoryMemory<unknown>>();

/** The memory of one reading: it lives as long as the counter of what that reading did not understand. */
export function historyMemory<T>(reading: UnknownCounter): HistoryMemory<T> {
  const known = MEMORIES.get(reading) as HistoryMemory<T> | undefined;
  if (known !== undefined) return known;
  const memory = new HistoryMemory<T>();
  MEMORIES.set(reading, memory);
  return memory;
}
