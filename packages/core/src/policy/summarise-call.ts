import { shortJson } from "../text/words.ts";
import { isObject, type Json } from "../trace/json.ts";
import type { ToolCall } from "../trace/trace.ts";

const MAX_LEAVES = 6;

/** A call on one line, nested arguments by their path: `issue_refund(order_id "A-7731", refund.amount 89)`. */
export function summariseCall(call: ToolCall): string {
  const leaves: string[] = [];
  const complete = call.input === undefined || collect(call.input, "", leaves);
  return `${call.name}(${leaves.join(", ")}${complete ? "" : ", …"})`;
}

/** Returns false when something had to be left out. */
function collect(value: Json, path: string, into: string[]): boolean {
  if (isObject(value) && Object.keys(value).length > 0) {
    return Object.keys(value).every((key) => collect(value[key]!, path === "" ? key : `${path}.${key}`, into));
  }
  if (isObject(value) && path === "") return true;
  if (into.length >= MAX_LEAVES) return false;
  const text = shortJson(value, 48);
  into.push(path === "" ? text : `${path} ${text}`);
  return true;
}
