/**
 * Who acts, for whom and under which circumstances: what is known before anything is said. Conditions find it under
 * `principal` and `context`; a running agent states it when a session is opened, a recording in its metadata.
 */
import { canonicalJson } from "../canonical/canonical-json.ts";
import { isObject, type Json, type JsonObject, member } from "../trace/json.ts";
import type { Condition } from "./condition.ts";

export interface Situation extends JsonObject {}

export const NO_SITUATION: Situation = {};

const ROOTS = ["principal", "context"] as const;

/** The situation a recording states. */
export function situationOf(metadata: JsonObject): Situation {
  const found: Record<string, Json> = {};
  for (const root of ROOTS) {
    const value = member(metadata, root);
    if (isObject(value)) found[root] = value;
  }
  return found;
}

/** Who a limit `per: user` is for: the user's `id`, else all that is said of the user. Undefined where nobody says. */
export function userOf(situation: Situation): string | undefined {
  const user = member(situation["principal"], "user");
  if (user === undefined || user === null) return undefined;
  const id = member(user, "id");
  return canonicalJson(id === undefined || id === null ? user : id);
}

/** Whether a condition can only be looked up in a request or a response. */
export function looksAtTurns({ path }: Condition): boolean {
  return !ROOTS.some((root) => root === path.segments[0]);
}
