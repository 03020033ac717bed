/**
 * Which calls change the world. A call is an effect when its tool may change something and the call did not fail.
 *
 * An explicit flag decides; without one the tool's name does, and what cannot be understood counts as an effect: a missed
 * effect would be worse than one too many. Cost: one regular expression per distinct name.
 */
import type { CohortCall } from "./run.ts";

const READ_FIRST = new Set(
  (
    "get list find search read fetch lookup look query view show describe check calculate compute count think browse " +
    "inspect retrieve verify validate is has grep glob ls cat select summarize"
  ).split(" "),
);
const READ_LAST = new Set(["search", "fetch", "lookup", "retrieve", "read"]);
const WRITE_FIRST = new Set(
  "create add insert update modify edit set delete remove cancel send post put write save book pay transfer".split(" "),
);
const WORDS = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+/g;

/** Whether this call changed the world, as far as the trace can tell. */
export function isEffect(call: CohortCall): boolean {
  return call.error !== true && (call.effect ?? isEffectName(call.name));
}

/** Whether a tool of this name may change the world: `get_user` may not, `mcp__github__create_issue` may. */
export function isEffectName(name: string): boolean {
  const words = wordsOfName(name);
  const first = words[0];
  if (first === undefined) return true;
  if (READ_FIRST.has(first)) return false;
  return !READ_LAST.has(words[words.length - 1]!) || WRITE_FIRST.has(first);
}

function wordsOfName(name: string): string[] {
  const afterDot = name.slice(name.lastIndexOf(".") + 1);
  const separator = afterDot.lastIndexOf("__");
  const tail = separator < 0 ? afterDot : afterDot.slice(separator + 2);
  return (tail.match(WORDS) ?? []).map((word) => word.toLowerCase());
}
