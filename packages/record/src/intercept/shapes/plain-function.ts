/**
 * A function that is a tool. Frameworks call it with an object of named arguments and, behind it, what only the program is
 * concerned with (a context, a runner, options); people call it with whatever it takes.
 */
import { type Json, type JsonObject, jsonEqual, member, setMember } from "@spoor/core/internal/trace/json";
import { idIn } from "../intercept-door.ts";
import { parameterNames } from "../parameter-names.ts";
import { patchValue } from "../patch-value.ts";
import { snapshot } from "../snapshot.ts";
import { type AnyFunction, hasMethod, memberOf, type ReadUse } from "../tool-use.ts";
import { writeAt } from "./openai-agents.ts";

export function readPlainUse(run: AnyFunction, args: readonly unknown[]): ReadUse {
  const callId = idOfContext(args);
  if (args.length === 0 || isMcpExtra(args[0])) return { input: {}, callId };
  if (args.every((arg, index) => index === 0 || isContext(arg))) {
    const named = namedArguments(args[0]);
    if (named !== undefined) return { input: named, callId, rewrite: (changed) => writeAt(args, 0, named, changed) };
  }
  const names = parameterNames(run);
  const input = numbered(args, names);
  return { input, callId, rewrite: (changed) => renumbered(args, names, input, changed) };
}

/** Each argument as it was changed, under its name or its number. */
function renumbered(
  args: readonly unknown[],
  names: readonly string[],
  before: JsonObject,
  after: Json,
): readonly unknown[] | undefined {
  const listed = (value: Json, index: number) => (member(value, "args") as readonly Json[])[index]!;
  const patched = args.map((arg, index) => {
    const name = names[index];
    const said = name === undefined || name === "args" ? undefined : member(after, name);
    const isNamed = said !== undefined && !jsonEqual(said, listed(before, index));
    return patchValue(arg, listed(before, index), isNamed ? said : listed(after, index));
  });
  return patched.includes(undefined) ? undefined : patched.map((one) => one!.value);
}

/** Named arguments: an object, or its JSON text. */
function namedArguments(value: unknown): Json | undefined {
  if (typeof value === "string") return parsedObject(value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const json = snapshot(value);
  return typeof json === "object" && json !== null && !Array.isArray(json) ? json : undefined;
}

function parsedObject(text: string): Json | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** All arguments as a list, and each under the name its function has for it. */
function numbered(args: readonly unknown[], names: readonly string[]): JsonObject {
  const list = args.map((value) =>
    isContext(value) && value !== undefined ? describeContext(value) : snapshot(value),
  );
  const input: Record<string, Json> = { args: list };
  for (const [index, name] of names.entries())
    if (index < list.length && name !== "args") setMember(input, name, list[index]!);
  return input;
}

/** Data among the arguments is copied; what is too entangled to be data is named. */
function describeContext(value: unknown): Json {
  try {
    return snapshot(value);
  } catch {
    return `[${typeof value}]`;
  }
}

/** What stands behind the arguments when a framework calls: an object, a function, or nothing. */
function isContext(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    typeof value === "function" ||
    (typeof value === "object" && !Array.isArray(value))
  );
}

/** A handler of an MCP server without arguments is called with the request's circumstances alone. */
export function isMcpExtra(value: unknown): boolean {
  return hasMethod(value, "sendNotification") && memberOf(value, "signal") !== undefined;
}

/** Ids as frameworks hand them on beside the arguments. */
function idOfContext(args: readonly unknown[]): string | undefined {
  for (let index = 1; index < args.length; index++) {
    const other = args[index];
    const found = idIn(other, "toolCallId") ?? idIn(memberOf(other, "toolCall"), "callId", "id");
    if (found !== undefined) return found;
  }
  return undefined;
}
