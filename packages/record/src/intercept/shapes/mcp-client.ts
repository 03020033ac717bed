/**
 * An MCP client: `callTool`, and the ways around it (`request` of tools/call, streams of tasks). The client stays the client:
 * all else is passed through to it, bound to it.
 */
import { messageOf, SpoorError } from "@spoor/core/internal/errors";
import type { Json } from "@spoor/core/internal/trace/json";
import { interceptDoor } from "../intercept-door.ts";
import { patchValue } from "../patch-value.ts";
import { snapshot } from "../snapshot.ts";
import {
  type AnyFunction,
  type Door,
  hasMethod,
  type Intercept,
  memberOf,
  type ReadUse,
  type ToolShape,
  textMember,
} from "../tool-use.ts";
import { mcpFailure, mcpRefusal, mcpResult } from "./mcp.ts";

export const mcpClient: ToolShape = {
  title: "an MCP client",
  recognises: (value) => hasMethod(value, "callTool"),
  holdsMany: true,
  wrap: (client, _name, intercept) => through(client, intercept),
};

const result = { style: "promise", refusal: mcpRefusal, resultOf: mcpResult, failureOf: mcpFailure } as const;
/** A stream of a task says in its last message how it ended. */
const stream = {
  style: "async_generator",
  refusal: (text: string) => ({ type: "result", result: mcpRefusal(text) }),
  resultOf: (output: Json) =>
    memberOf(output, "type") === "result" ? output : { type: "result", result: mcpResult(output) },
  failureOf: (last: unknown) =>
    memberOf(last, "type") === "error"
      ? messageOf(memberOf(memberOf(last, "error"), "message"))
      : mcpFailure(memberOf(last, "result")),
} as const;

/** What every other way of a client ends in. */
export const requestDoor: Door = { method: "request", read: readRequest, ...result };

const doors: readonly Door[] = [
  { method: "callTool", read: readCall, ...result },
  { method: "callToolStream", read: readCall, ...stream },
  requestDoor,
  { method: "requestStream", read: readRequest, ...stream },
  { method: "send", read: ([message]) => refuseRaw(message) },
];

/** Objects of the client through which it can be reached as well. */
const INSIDE = new Set(["experimental", "tasks", "transport", "_client"]);

function through(target: object, intercept: Intercept): object {
  const inner = new Map<unknown, object>();
  return new Proxy(target, {
    get(_target, key) {
      const value = Reflect.get(target, key, target) as unknown;
      const door = doors.find(({ method }) => method === key);
      if (typeof value === "function") {
        const run = value as AnyFunction;
        if (key === "listTools" && intercept.onListed !== undefined)
          return listed(run.bind(target), intercept.onListed);
        return door === undefined
          ? run.bind(target)
          : interceptDoor(
              () => run,
              door,
              "",
              intercept,
              () => target,
            );
      }
      if (typeof key !== "string" || !INSIDE.has(key) || typeof value !== "object" || value === null) return value;
      if (!inner.has(value)) inner.set(value, through(value, intercept));
      return inner.get(value);
    },
  });
}

function listed(list: AnyFunction, onListed: (names: readonly string[]) => void): AnyFunction {
  return async (...args: unknown[]) => {
    const result = await list(...args);
    onListed(listedNames(result));
    return result;
  };
}

/** The names in a result of tools/list. */
export function listedNames(result: unknown): string[] {
  const tools = memberOf(result, "tools");
  return Array.isArray(tools) ? tools.flatMap((tool) => textMember(tool, "name") ?? []) : [];
}

function readCall([params, ...others]: readonly unknown[]): ReadUse {
  return readParams(params, (changed) => [changed, ...others]);
}

function readRequest([request, ...others]: readonly unknown[]): ReadUse | undefined {
  if (memberOf(request, "method") !== "tools/call") return undefined;
  return readParams(memberOf(request, "params"), (params) => [{ ...(request as object), params }, ...others]);
}

/** `withParams`: the arguments of the method with other parameters of the call. */
function readParams(params: unknown, withParams: (changed: object) => readonly unknown[]): ReadUse {
  const name = textMember(params, "name");
  if (name === undefined)
    throw new SpoorError("guard.tool-name", "The call names no tool.", { consequence: "Nothing ran." });
  const given = memberOf(params, "arguments") ?? {};
  const input = snapshot(given);
  return {
    name,
    input,
    rewrite(changed) {
      const patched = patchValue(given, input, changed);
      return patched && withParams({ ...(params as object), arguments: patched.value });
    },
  };
}

/** A message put on the wire by hand has no result that could be judged or refused in its form. */
function refuseRaw(message: unknown): undefined {
  for (const one of Array.isArray(message) ? (message as unknown[]) : [message]) {
    if (memberOf(one, "method") !== "tools/call") continue;
    throw new SpoorError("guard.tool-shape", "tools/call was put on the transport of a guarded client by hand.", {
      hint: "Use callTool or request of the client.",
      consequence: "Nothing was sent.",
    });
  }
  return undefined;
}
