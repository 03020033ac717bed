/**
 * Which tools change the world. What a trace itself declares decides (an eval's permissions, MCP's annotations in the tool list);
 * without a declaration the tool's name does, and what cannot be understood counts as an effect: a missed effect would be worse
 * than one too many. Cost: one regular expression per distinct name.
 */
import { isObject, member } from "./json.ts";
import type { Trace } from "./trace.ts";

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
/** What `get_or_create` and `find_and_replace` do second. */
const WRITE_SECOND = new Set([...WRITE_FIRST, "replace", "purge", "drop", "reset", "move", "execute", "run", "apply"]);
const WORDS = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+/g;

/** Whether a tool of this name may change the world: `get_user` may not, `mcp__github__create_issue` may. */
export function isEffectName(name: string): boolean {
  const words = wordsOfName(name);
  const first = words[0];
  if (first === undefined) return true;
  if (words.some((word, index) => (word === "and" || word === "or") && WRITE_SECOND.has(words[index + 1] ?? "")))
    return true;
  if (READ_FIRST.has(first)) return false;
  return !READ_LAST.has(words[words.length - 1]!) || WRITE_FIRST.has(first);
}

/** What the trace itself declares about its tools: an eval's permissions, or MCP's annotations in the tool list. */
export function declaredEffects(trace: Pick<Trace, "turns" | "metadata">): Map<string, boolean> {
  const declared = new Map<string, boolean>();
  let seen: unknown;
  for (const { offeredTools } of trace.turns) {
    if (offeredTools === undefined || offeredTools === seen) continue;
    seen = offeredTools;
    for (const { name, readOnly } of offeredTools) if (readOnly !== undefined) declared.set(name, !readOnly);
  }
  const permissions = member(trace.metadata, "tool_permission");
  if (isObject(permissions)) {
    for (const [name, permission] of Object.entries(permissions)) {
      if (typeof permission === "string") declared.set(name, permission.toLowerCase() !== "read");
    }
  }
  return declared;
}

function wordsOfName(name: string): string[] {
  const afterDot = name.slice(name.lastIndexOf(".") + 1);
  const separator = afterDot.lastIndexOf("__");
  const tail = separator < 0 ? afterDot : afterDot.slice(separator + 2);
  return (tail.match(WORDS) ?? []).map((word) => word.toLowerCase());
}
