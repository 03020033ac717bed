/**
 * OpenAI Agents: its runner says, with the model's own id of the call, when a tool starts and ends; also where tracing is switched
 * off or sent elsewhere. The class is changed in place, so that it does not matter who imported it before.
 */

import { failureText, parseInput } from "../../intercept/shapes/openai-agents.ts";
import { type AnyFunction, hasMethod, memberOf, textMember } from "../../intercept/tool-use.ts";
import type { RunningTool, ToolLog } from "../tools/tool-log.ts";
import { hookOnce } from "./hook-once.ts";

export function hookAgentsRunner(Runner: unknown, log: ToolLog): boolean {
  const prototype = memberOf(Runner, "prototype");
  if (!hasMethod(prototype, "emit") || !hasMethod(prototype, "run")) return false;
  const running = new Map<string, RunningTool>();
  return hookOnce(prototype as object, "emit", (emit: AnyFunction) => {
    return function emitWatched(this: unknown, ...args: unknown[]): unknown {
      const [type, , agent, tool, last] = args;
      if (type === "agent_tool_start") start(agent, tool, memberOf(last, "toolCall"));
      if (type === "agent_tool_end") end(last, memberOf(args[5], "toolCall"));
      return emit.apply(this, args);
    };
  });

  function start(agent: unknown, tool: unknown, call: unknown): void {
    const callId = textMember(call, "callId");
    const name = textMember(tool, "name");
    // Computers, shells and the like have actions instead of arguments.
    if (callId === undefined || name === undefined || memberOf(call, "type") !== "function_call") return;
    const input = parseInput(memberOf(call, "arguments"));
    const started = log.start({ door: "agents", name, input, callId, agent: textMember(agent, "name") });
    if (started !== undefined) running.set(callId, started);
  }

  function end(output: unknown, call: unknown): void {
    const callId = textMember(call, "callId") ?? "";
    const tool = running.get(callId);
    running.delete(callId);
    const failure = failureText(output);
    if (failure === undefined) tool?.ended(output);
    else tool?.failed(failure);
  }
}
