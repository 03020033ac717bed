/** LangChain and LangGraph: a callback handler that is told about tools, with the model's id of the call where there is one. */
import { parseInput } from "../../intercept/shapes/openai-agents.ts";
import { hasMethod, memberOf, textMember } from "../../intercept/tool-use.ts";
import type { RunningTool, ToolLog } from "../tools/tool-log.ts";
import { hookOnce } from "./hook-once.ts";

const NAME = "spoor_recorder";

/**
 * A plain object: no class of the framework's is needed. It is waited for, and does its work at once: put in the framework's
 * queue it would be told after the next call of the model, and outside of the session.
 */
export function langchainHandler(log: ToolLog): object {
  const running = new Map<unknown, RunningTool>();
  const take = (runId: unknown) => {
    const tool = running.get(runId);
    running.delete(runId);
    return tool;
  };
  return {
    name: NAME,
    awaitHandlers: true,
    raiseError: false,
    ignoreLLM: true,
    ignoreChain: true,
    ignoreRetriever: true,
    ignoreCustomEvent: true,
    ignoreAgent: false,
    handleToolStart(...told: readonly unknown[]) {
      const [tool, input, runId, , , , runName, callId] = told;
      const name = typeof runName === "string" && runName !== "" ? runName : textMember(tool, "name");
      if (name === undefined) return;
      const id = typeof callId === "string" && callId !== "" ? callId : undefined;
      const started = log.start({ door: "langchain", name, input: argumentsOf(input), callId: id });
      if (started !== undefined) running.set(runId, started);
    },
    handleToolEnd(output: unknown, runId: unknown) {
      const tool = take(runId);
      const content = memberOf(output, "content");
      if (memberOf(output, "status") === "error") tool?.failed(content);
      else tool?.ended(hasMethod(output, "getType") || hasMethod(output, "_getType") ? content : output);
    },
    handleToolError: (error: unknown, runId: unknown) => take(runId)?.failed(error),
  };
}

/** A tool of a single text is called with the text, which models are told to send as `input`. */
function argumentsOf(text: unknown): unknown {
  const input = parseInput(text);
  return typeof input === "object" ? input : { input };
}

/** Every run of the process gets the handler, whether or not the application names any. */
export function hookCallbackManager(CallbackManager: unknown, log: ToolLog): boolean {
  if (!hasMethod(CallbackManager, "_configureSync") || typeof CallbackManager !== "function") return false;
  const Manager = CallbackManager as unknown as new () => {
    handlers: unknown[];
    addHandler(h: object, inherit: boolean): void;
  };
  const handler = langchainHandler(log);
  return hookOnce(CallbackManager, "_configureSync", (configure) => {
    return function configureWatched(this: unknown, ...args: unknown[]): unknown {
      const configured = configure.apply(this, args) as InstanceType<typeof Manager> | undefined;
      const manager = configured ?? new Manager();
      if (!manager.handlers.some((one) => textMember(one, "name") === NAME)) manager.addHandler(handler, true);
      return manager;
    };
  });
}
