/**
 * What any tool object may have beside the door its framework uses, and the last resort for objects of no known framework:
 * every method by which people run things is asked about, so that none of them is a way around.
 */
import { idIn } from "../intercept-door.ts";
import {
  type AnyFunction,
  type Door,
  hasMethod,
  memberOf,
  type ReadUse,
  type ToolShape,
  textMember,
} from "../tool-use.ts";
import { readText } from "./openai-agents.ts";
import { readPlainUse } from "./plain-function.ts";

export const RUN_METHODS: readonly string[] = ["execute", "invoke", "run", "call", "func", "handler", "callback"];

export const runnableObject: ToolShape = {
  title: "an object that can be run",
  recognises: (value) => RUN_METHODS.some((method) => hasMethod(value, method)),
  nameOf: (tool, key) => key ?? textMember(tool, "name") ?? textMember(tool, "id"),
  doorsOf: (tool) => furtherDoors(tool, []),
};

/** Doors for the methods that a shape does not know of. */
export function furtherDoors(tool: object, known: readonly string[]): readonly Door[] {
  return RUN_METHODS.filter((method) => !known.includes(method) && hasMethod(tool, method)).map((method) => ({
    method,
    read: (args) => readAny(memberOf(tool, method) as AnyFunction, args),
  }));
}

/** Arguments as an object first, or as JSON text behind a context. */
function readAny(run: AnyFunction, args: readonly unknown[]): ReadUse {
  const [, second, details] = args;
  if (typeof second !== "string" || !second.trimStart().startsWith("{")) return readPlainUse(run, args);
  return { ...readText(args, 1), callId: idIn(memberOf(details, "toolCall"), "callId", "call_id", "id") };
}
