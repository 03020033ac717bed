/** The arguments of a call as a text to remember them by. */
import { canonicalJson } from "../canonical/canonical-json.ts";
import { shortKey } from "../canonical/digest.ts";
import type { ToolCall } from "../trace/trace.ts";

/** Every rule that remembers arguments asks about the same call: the last one is not worked out again. */
let latest: ToolCall | undefined;
let latestKey = "";

export function argumentsKey(call: ToolCall): string {
  // By the call, never by its arguments: whoever calls may use the same object for other ones.
  if (call !== latest) {
    latestKey = shortKey(canonicalJson(call.input ?? null));
    latest = call;
  }
  return latestKey;
}
