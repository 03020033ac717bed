/** All recordings of a cassette, indexed once: sessions look up, none changes it. */
import { jsonEqual } from "../trace/json.ts";
import type { RecordedAnswer, RecordedCall, Tape } from "./tape.ts";

export interface Library {
  readonly tapes: readonly Tape[];
  readonly callsByKey: ReadonlyMap<string, readonly RecordedCall[]>;
  readonly callsByName: ReadonlyMap<string, readonly RecordedCall[]>;
  readonly answersByKey: ReadonlyMap<string, readonly RecordedAnswer[]>;
  /** Tools that returned the same whatever they were asked, with one such call. */
  readonly constants: ReadonlyMap<string, RecordedCall>;
}

/** So many different questions with one answer, and the answer does not depend on the question. */
const CONSTANT_FROM = 3;

export function indexTapes(tapes: readonly Tape[]): Library {
  const calls = tapes.flatMap((tape) => tape.calls);
  const callsByName = groupBy(calls, ({ name }) => name);
  return {
    tapes,
    callsByKey: groupBy(calls, ({ key }) => key),
    callsByName,
    answersByKey: groupBy(
      tapes.flatMap((tape) => tape.answers),
      ({ request }) => request.key,
    ),
    constants: constantTools(callsByName),
  };
}

function constantTools(callsByName: ReadonlyMap<string, readonly RecordedCall[]>): Map<string, RecordedCall> {
  const constants = new Map<string, RecordedCall>();
  for (const [name, calls] of callsByName) {
    const first = calls[0]!;
    if (calls.length < CONSTANT_FROM || !calls.every((call) => isSuccess(call) && jsonEqual(call.result, first.result)))
      continue;
    if (new Set(calls.map(({ literal }) => literal)).size >= CONSTANT_FROM) constants.set(name, first);
  }
  return constants;
}

/** A tool that failed for three questions need not fail for the fourth; many say so in a text that is no error to the protocol. */
function isSuccess({ error, result }: RecordedCall): boolean {
  return error === undefined && !(typeof result === "string" && /^\s*error\b/i.test(result));
}

export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
