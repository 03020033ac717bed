/**
 * Tools, guarded. The shape that goes in comes out: a record of functions, Vercel AI SDK tools (`execute`), OpenAI Agents
 * tools (`invoke`), an MCP client (`callTool`), or a list of any of these. SDK objects are recognised by shape; none is a
 * dependency.
 */
import type { Violation } from "@spoor/core/internal/policy/policy";
import { isObject, type Json, type JsonObject, stringMember } from "@spoor/core/internal/trace/json";
import type { GuardOptions } from "./guard-options.ts";
import { blockedToolText } from "./placeholders.ts";
import type { CallVerdict } from "./verdicts.ts";

export interface ToolGuard {
  readonly judgeCall: (name: string, input: Json, callId?: string) => CallVerdict;
  readonly settings: GuardOptions;
}

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

export function wrapTools<T>(tools: T, guard: ToolGuard): T {
  if (Array.isArray(tools)) return tools.map((tool) => wrapTool(toolName(tool, undefined), tool, guard)) as T;
  if (isMcpClient(tools)) return wrapMcpClient(tools, guard) as T;
  if (isTool(tools) && typeof tools !== "function") return wrapTool(toolName(tools, undefined), tools, guard) as T;
  if (typeof tools === "function") return wrapTool(toolName(tools, undefined), tools, guard) as T;
  if (typeof tools === "object" && tools !== null) {
    return Object.fromEntries(
      Object.entries(tools).map(([key, tool]) => [key, wrapTool(toolName(tool, key), tool, guard)]),
    ) as T;
  }
  throw new TypeError("wrapTools takes functions, tool objects, a list or a record of them, or an MCP client.");
}

/** The name a tool carries itself beats the key it stands under: it is what the model calls. */
function toolName(tool: unknown, key: string | undefined): string {
  if (typeof tool === "function") return key ?? tool.name;
  const own = (tool as { name?: unknown } | null)?.name;
  return typeof own === "string" && own !== "" ? own : (key ?? "");
}

function isTool(value: unknown): boolean {
  const tool = value as { execute?: unknown; invoke?: unknown; handler?: unknown; callback?: unknown } | null;
  if (typeof value !== "object" || tool === null) return false;
  return [tool.execute, tool.invoke, tool.handler, tool.callback].some((run) => typeof run === "function");
}

function wrapTool(name: string, tool: unknown, guard: ToolGuard): unknown {
  if (typeof tool === "function") return wrapPlain(name, tool as AnyFunction, guard);
  if (!isTool(tool)) {
    // A tool without anything to run (executed by the provider) cannot be judged here; it is passed on as it is.
    return tool;
  }
  const shape = tool as Record<string, unknown>;
  if (typeof shape["invoke"] === "function")
    return replaceMethod(shape, "invoke", openaiAgentsInvoke(name, shape["invoke"] as AnyFunction, guard));
  if (typeof shape["execute"] === "function")
    return replaceMethod(shape, "execute", vercelExecute(name, shape["execute"] as AnyFunction, guard));
  const handler = typeof shape["handler"] === "function" ? "handler" : "callback";
  return replaceMethod(shape, handler, mcpHandler(name, shape[handler] as AnyFunction, guard));
}

/** A copy with one method exchanged; prototype and everything else stay. */
function replaceMethod(tool: Record<string, unknown>, method: string, replacement: AnyFunction): unknown {
  return Object.create(Object.getPrototypeOf(tool) as object | null, {
    ...Object.getOwnPropertyDescriptors(tool),
    [method]: { value: replacement, enumerable: true, configurable: true, writable: true },
  });
}

/** `(input) => …`; several or other arguments are judged as `{args: […]}`. */
function wrapPlain(name: string, run: AnyFunction, guard: ToolGuard): AnyFunction {
  return function guarded(this: unknown, ...args: unknown[]) {
    const only = args.length === 1 ? args[0] : undefined;
    const input: Json = args.length === 0 ? {} : isPlainObject(only) ? (only as JsonObject) : { args: args as Json[] };
    return runGuarded(guard, name, input, undefined, () => run.apply(this, args), blockedToolText);
  };
}

/** Vercel AI SDK: `execute(input, { toolCallId, … })`. */
function vercelExecute(name: string, execute: AnyFunction, guard: ToolGuard): AnyFunction {
  return function guarded(this: unknown, ...args: unknown[]) {
    const callId = idOf(args[1], ["toolCallId"]);
    return runGuarded(guard, name, (args[0] ?? {}) as Json, callId, () => execute.apply(this, args), blockedToolText);
  };
}

/** OpenAI Agents: `invoke(runContext, jsonText, { toolCall: { callId } })`. */
function openaiAgentsInvoke(name: string, invoke: AnyFunction, guard: ToolGuard): AnyFunction {
  return function guarded(this: unknown, ...args: unknown[]) {
    const details = args[2] as { toolCall?: unknown } | undefined;
    const callId = idOf(details?.toolCall, ["callId", "call_id", "id"]);
    return runGuarded(guard, name, parseInput(args[1]), callId, () => invoke.apply(this, args), blockedToolText);
  };
}

/** An MCP server's handler: `(arguments, extra)`; a refusal is a result with `isError`. */
function mcpHandler(name: string, handler: AnyFunction, guard: ToolGuard): AnyFunction {
  return function guarded(this: unknown, ...args: unknown[]) {
    return runGuarded(guard, name, (args[0] ?? {}) as Json, undefined, () => handler.apply(this, args), mcpRefusal);
  };
}

interface McpClient {
  callTool: AnyFunction;
}

function isMcpClient(value: unknown): value is McpClient {
  return typeof value === "object" && value !== null && typeof (value as Partial<McpClient>).callTool === "function";
}

/** The client as it is, with `callTool({ name, arguments })` judged first. */
function wrapMcpClient(client: McpClient, guard: ToolGuard): McpClient {
  return new Proxy(client, {
    get(target, key) {
      const value = Reflect.get(target, key, target) as unknown;
      if (key !== "callTool") return typeof value === "function" ? (value as AnyFunction).bind(target) : value;
      return (...args: unknown[]) => {
        const params = isPlainObject(args[0]) ? (args[0] as JsonObject) : {};
        const name = stringMember(params, "name") ?? "";
        const input = params["arguments"] ?? {};
        return runGuarded(guard, name, input, undefined, () => (value as AnyFunction).apply(target, args), mcpRefusal);
      };
    },
  });
}

function mcpRefusal(violations: readonly Violation[]): unknown {
  return { content: [{ type: "text", text: blockedToolText(violations) }], isError: true };
}

/** Judge, run, tell how it ended. A synchronous tool stays synchronous. */
function runGuarded(
  guard: ToolGuard,
  name: string,
  input: Json,
  callId: string | undefined,
  run: () => unknown,
  refusal: (violations: readonly Violation[]) => unknown,
): unknown {
  const verdict = guard.judgeCall(name, input, callId);
  if (!verdict.allowed) return (guard.settings.toolPlaceholder ?? refusal)(verdict.violations);
  let returned: unknown;
  try {
    returned = run();
  } catch (error) {
    verdict.settle({ error });
    throw error;
  }
  if (!isThenable(returned)) {
    verdict.settle({ output: returned });
    return returned;
  }
  return returned.then(
    (output) => {
      verdict.settle({ output });
      return output;
    },
    (error: unknown) => {
      verdict.settle({ error });
      throw error;
    },
  );
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function";
}

function isPlainObject(value: unknown): boolean {
  return isObject(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);
}

function idOf(value: unknown, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const found = stringMember(value as Json, key);
    if (found !== undefined && found !== "") return found;
  }
  return undefined;
}

function parseInput(raw: unknown): Json {
  if (typeof raw !== "string") return (raw ?? {}) as Json;
  try {
    return JSON.parse(raw) as Json;
  } catch {
    return raw;
  }
}
