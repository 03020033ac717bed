/** Two notes about tool calls, a block of a response and a record beside it: whether they mean one call, and what is kept of both. */
import { isObject, type Json, jsonEqual, member } from "./json.ts";
import type { ToolCall } from "./trace.ts";

type Noted = Pick<ToolCall, "id" | "name" | "input">;

/**
 * Whether two notes with one id are about one call. Ids are used again (some servers count from 0 in every turn), so the tool and
 * the arguments must agree as well; one that lacks them, or has fewer because defaults were filled in, agrees.
 */
export function isSameCall(left: Noted, right: Noted): boolean {
  if (left.name !== "" && right.name !== "" && left.name !== right.name) return false;
  // Arguments that nobody can read (a language's own notation instead of JSON) say neither yes nor no.
  const isUnread = typeof left.input === "string" || typeof right.input === "string";
  if (isUnread && isUniqueId(left.id ?? right.id ?? "")) return true;
  return holdsAll(left.input, right.input) || holdsAll(right.input, left.input);
}

function holdsAll(whole: Json | undefined, part: Json | undefined): boolean {
  if (part === undefined || jsonEqual(whole, part) || jsonEqual(unwrapped(whole), part)) return true;
  if (!isObject(whole) || !isObject(part)) return false;
  return Object.keys(part).every((key) => Object.hasOwn(whole, key) && jsonEqual(whole[key], part[key]));
}

/** Telemetry writes down what a wrapper was called with: `{"input": {…}}`. */
function unwrapped(input: Json | undefined): Json | undefined {
  const keys = isObject(input) ? Object.keys(input) : [];
  return keys.length === 1 && WRAPPERS.has(keys[0]!) ? member(input, keys[0]!) : undefined;
}

const WRAPPERS: ReadonlySet<string> = new Set(["input", "inputs", "args", "arguments", "kwargs", "parameters"]);

/** Long enough to be drawn at random; `call_0` and `1` are counted, and counted anew. */
export function isUniqueId(id: string): boolean {
  return id.length >= 16 && /[0-9]/.test(id) && /[A-Za-z]/.test(id);
}

/** Of two notes about one call, the arguments of the one that knows more. */
export function keepFuller(call: { input?: Json }, input: Json | undefined): void {
  if (input === undefined || (typeof input === "string" && call.input !== undefined)) return;
  if (!holdsAll(call.input, input) && !jsonEqual(unwrapped(input), call.input)) call.input = input;
}
