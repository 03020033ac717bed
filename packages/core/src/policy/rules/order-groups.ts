/**
 * What `must_call_before` remembers of the calls that must come first, one group for each set of `same` values: how many were
 * made, succeeded and were used up, and when the latest was. Counts and moments, never the calls themselves.
 */
import { canonicalJson } from "../../canonical/canonical-json.ts";
import { shortKey } from "../../canonical/digest.ts";
import type { Json } from "../../trace/json.ts";
import { type CallEvent, timeOfCall } from "../events.ts";
import { isRedacted } from "../judge-arguments.ts";
import { type Path, valueAt } from "../path.ts";
import { withLast, without } from "../short-list.ts";

export interface Group {
  readonly made: Tally;
  /** Those that were known to have succeeded. */
  readonly succeeded: Tally;
  readonly failed: number;
  /** Positions of those that have not ended. */
  readonly open: readonly number[];
}

interface Tally {
  readonly count: number;
  /** How many a guarded call has used up (`each`). */
  readonly used: number;
  readonly latest: Moment | undefined;
}

interface Moment {
  readonly turn: number;
  /** Milliseconds since 1970, where the recording has times. */
  readonly at: number | undefined;
}

export interface Reach {
  readonly turns?: number;
  readonly seconds?: number;
}

const NONE: Tally = { count: 0, used: 0, latest: undefined };
export const EMPTY_GROUP: Group = { made: NONE, succeeded: NONE, failed: 0, open: [] };

/** Enough to tell late results apart; calls that never end would fill any list. */
const MAX_OPEN = 256;

export function afterFirst(group: Group, call: CallEvent): Group {
  return {
    made: { count: group.made.count + 1, used: group.made.used, latest: momentOf(call) },
    succeeded: group.succeeded,
    failed: group.failed,
    open: withLast(group.open, call.call.position, MAX_OPEN),
  };
}

export function afterResult(group: Group, call: CallEvent): Group {
  const { made, succeeded, failed } = group;
  const open = without(group.open, (position) => position === call.call.position);
  if (call.call.status === "error") return { made, succeeded, failed: failed + 1, open };
  const { count, used } = succeeded;
  return { made, succeeded: { count: count + 1, used, latest: momentOf(call) }, failed, open };
}

/** Why a guarded call is not covered by a tally; undefined when it is. */
export function lackOf(tally: Tally, call: CallEvent, each: boolean, within: Reach | undefined): Lack | undefined {
  if (tally.count - (each ? tally.used : 0) <= 0) return tally.count > 0 ? "used_up" : "none";
  if (within === undefined) return undefined;
  const [before, now] = [tally.latest!, momentOf(call)];
  if (within.turns !== undefined && now.turn - before.turn > within.turns) return "too_long_ago";
  if (within.seconds === undefined) return undefined;
  if (before.at === undefined || now.at === undefined) return "no_time";
  return now.at - before.at > within.seconds * 1000 ? "too_long_ago" : undefined;
}

export type Lack = "none" | "used_up" | "too_long_ago" | "no_time";

export function useUp(group: Group, which: "made" | "succeeded"): Group {
  const { made, succeeded, failed, open } = group;
  if (which === "made") return { made: usedOnce(made), succeeded, failed, open };
  return { made, succeeded: usedOnce(succeeded), failed, open };
}

function usedOnce({ count, used, latest }: Tally): Tally {
  return { count, used: used + 1, latest };
}

/** The values a call has at the paths of `same`, as a key; undefined when one of them is not known. */
export function keyOf(call: CallEvent, paths: readonly Path[]): string | undefined {
  if (paths.length === 0) return "";
  const values = paths.map((path) => valueAt(path, call.call.input ?? null));
  if (values.some((value) => value === undefined || isRedacted(value))) return undefined;
  // An id is an id, whether it was written as a number or as text.
  if (values.length === 1 && typeof values[0] !== "object") return shortKey(JSON.stringify(String(values[0])));
  return shortKey(canonicalJson(values.map((value) => (typeof value === "object" ? (value as Json) : String(value)))));
}

function momentOf(event: CallEvent): Moment {
  return { turn: Math.max(0, event.call.turnIndex), at: timeOfCall(event) };
}
