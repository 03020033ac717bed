/**
 * Where frameworks tell about their tools: of OpenAI Agents, LangChain and MCP a class is changed in place as it is loaded, by a line
 * added to its file under `import`, by looking at what is loaded under `require`.
 */
import Module, { register } from "node:module";
import type { AnyFunction } from "../../intercept/tool-use.ts";
import { hookAgentsRunner } from "../../recorder/hooks/agents-runner.ts";
import { hookCallbackManager } from "../../recorder/hooks/langchain-handler.ts";
import { hookMcpClient } from "../../recorder/hooks/mcp-client.ts";
import { hookMcpReplay } from "../../recorder/hooks/mcp-replay.ts";
import type { LazyRecorder } from "./lazy-recorder.ts";

/** Each with the name under which the class stands in what is loaded. */
const frameworks = [
  { name: "agents", exported: "Runner", hook: hookAgentsRunner, request: /agents|\/run(?:\.js)?$/ },
  { name: "langchain", exported: "CallbackManager", hook: hookCallbackManager, request: /callbacks\/manager/ },
  { name: "mcp", exported: "Client", hook: hookMcpClient, request: /client(?:\/index)?(?:\.js)?$/ },
] as const;

export function hookFrameworks(recorder: LazyRecorder): void {
  recorder.hook = (name, target) => {
    try {
      const replayer = recorder.core()?.replayer;
      if (name === "mcp" && replayer !== undefined) hookMcpReplay(target, replayer, () => recorder.core()?.context);
      frameworks.find((one) => one.name === name)?.hook(target, recorder.tools);
    } catch {
      // The framework works as if nobody looked on.
    }
  };
  register("./add-hooks.js", import.meta.url);
  watchRequire(recorder);
}

function watchRequire(recorder: LazyRecorder): void {
  const loader = Module as unknown as { _load: AnyFunction };
  const load = loader._load;
  loader._load = function loadWatched(this: unknown, ...args: unknown[]): unknown {
    const loaded = load.apply(this, args);
    const request = args[0];
    if (typeof request !== "string") return loaded;
    for (const { name, exported, request: known } of frameworks) {
      if (!known.test(request)) continue;
      const target = typeof loaded === "object" && loaded !== null ? Reflect.get(loaded, exported) : undefined;
      if (target !== undefined) recorder.hook(name, target);
    }
    return loaded;
  };
}
