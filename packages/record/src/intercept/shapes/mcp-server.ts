/**
 * Tools of an MCP server. What `registerTool` returns is the very object the server calls, so it is changed in place, and so
 * is every handler it is given later; of a server itself, tools that are registered are guarded as they come.
 */
import { SpoorError } from "@spoor/core/internal/errors";
import { interceptDoor } from "../intercept-door.ts";
import { patchArgument } from "../patch-value.ts";
import { snapshot } from "../snapshot.ts";
import { type AnyFunction, type Door, hasMethod, type Intercept, memberOf, type ToolShape } from "../tool-use.ts";
import { viewOf } from "../view-of.ts";
import { isGuarded, isWrappedBy, markGuarded, markWrapped } from "../wrapped.ts";
import { mcpFailure, mcpRefusal, mcpResult } from "./mcp.ts";
import { isMcpExtra } from "./plain-function.ts";

const door: Omit<Door, "method"> = {
  read(args) {
    if (isMcpExtra(args[0])) return { input: {} };
    const input = snapshot(args[0] ?? {});
    return { input, rewrite: (changed) => patchArgument(args, 0, input, changed) };
  },
  style: "promise",
  refusal: mcpRefusal,
  resultOf: mcpResult,
  failureOf: mcpFailure,
};

/** The object that `registerTool` returns. */
export const mcpRegisteredTool: ToolShape = {
  title: "a registered tool of an MCP server",
  recognises: (value) =>
    isHandler(memberOf(value, "handler")) && hasMethod(value, "update") && hasMethod(value, "remove"),
  nameOf: (_tool, key) => key,
  wrap(tool, name, intercept) {
    guardInPlace(tool, name!, intercept);
    return tool;
  },
};

/** A description of a tool that is yet to be registered: `handler` or `callback` runs it. */
export const mcpHandlerTool: ToolShape = {
  title: "a tool with a handler",
  recognises: (value) => hasMethod(value, "handler") || hasMethod(value, "callback"),
  nameOf: (tool, key) => key ?? (memberOf(tool, "name") as string | undefined),
  doorsOf: (tool) =>
    ["handler", "callback"].filter((key) => hasMethod(tool, key)).map((method) => ({ method, ...door })),
};

export const mcpServer: ToolShape = {
  title: "an MCP server",
  recognises: (value) => hasMethod(value, "registerTool") && hasMethod(value, "connect"),
  holdsMany: true,
  wrap(server, _name, intercept) {
    const registered = memberOf(server, "_registeredTools");
    for (const [name, tool] of Object.entries((registered ?? {}) as Record<string, object>))
      if (!isWrappedBy(tool, intercept.owner)) guardInPlace(tool, name, intercept);
    const register =
      (method: string) =>
      (name: string, ...rest: unknown[]) => {
        const made = ((server as Record<string, unknown>)[method] as AnyFunction).call(server, name, ...rest) as object;
        guardInPlace(made, name, intercept);
        return made;
      };
    const methods = ["registerTool", "tool"].filter((method) => hasMethod(server, method));
    return viewOf(server, Object.fromEntries(methods.map((method) => [method, register(method)])));
  },
};

function guardInPlace(tool: object, name: string, intercept: Intercept): void {
  if (isWrappedBy(tool, intercept.owner)) return;
  if (intercept.onUnseen === undefined && isGuarded(tool)) {
    throw new SpoorError("guard.tool-shape", `The registered tool ${name} is guarded already, by another session.`, {
      hint: "A server's tool has one handler: guard it in one session, or register a tool per session.",
    });
  }
  intercept.onTool?.(name);
  let current = (tool as { handler: unknown }).handler;
  let guarded = guardHandler(current, name, intercept);
  Object.defineProperty(tool, "handler", {
    enumerable: true,
    configurable: true,
    get: () => guarded,
    set: (next: unknown) => {
      current = next;
      guarded = guardHandler(current, name, intercept);
    },
  });
  markWrapped(tool, intercept.owner, tool);
  if (intercept.onUnseen === undefined) markGuarded(tool);
}

/** A function, or for tools that run as tasks an object whose `createTask` starts them. */
function guardHandler(handler: unknown, name: string, intercept: Intercept): unknown {
  if (typeof handler === "function") return interceptDoor(() => handler as AnyFunction, door, name, intercept);
  const task = handler as Record<string, AnyFunction>;
  const refusal = () => {
    throw new SpoorError("guard.refused", `The task of ${name} was refused.`, { consequence: "Nothing ran." });
  };
  const start = interceptDoor(
    () => task["createTask"]!,
    { ...door, refusal },
    name,
    intercept,
    () => task,
  );
  return viewOf(task, { createTask: start });
}

function isHandler(value: unknown): boolean {
  return typeof value === "function" || hasMethod(value, "createTask");
}
