/**
 * An MCP client: `callTool`, and the ways around it (`request` of tools/call, streams of tasks). The client stays the client:
 * all else is passed through to it, bound to it.
 */
import { SpoorError } from "@spoor/core/internal/errors";
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
import { mcpFailure, mcpRefusal } from "./mcp.ts";

export const mcpClient: ToolShape = {
  title: "an MCP client",
  recognises: (value) => hasMethod(value, "callTool"),
  holdsMany: true,
  wrap: (client, _name, intercept) => through(client, intercept),
};

const result = { style: "promise", refusal: mcpRefusal, failureOf: mcpFailure } as const;
/** A stream of a task says in its last message how it ended. */
const stream = {
  style: "async_generator",
  refusal: (text: string) => ({ type: "result", result: mcpRefusal(text) }),
  failureOf: (last: unknown) =>
    memberOf(last, "type") === "error"
      ? String(memberOf(memberOf(last, "error"), "message"))
      : mcpFailure(memberOf(last, "result")),
} as const;

const doors: readonly Door[] = [
  { method: "callTool", read: readCall, ...result },
  { method: "callToolStream", read: readCall, ...stream },
  { method: "request", read: readRequest, ...result },
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
