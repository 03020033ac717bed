/**
 * MCP under replay: every client of the process, through the class. `callTool` and all else ends in `request`, so that is where the
 * recording stands. The names a client lists are the tools that stand behind it.
 */
import { interceptDoor } from "../../intercept/intercept-door.ts";
import { listedNames, requestDoor } from "../../intercept/shapes/mcp-client.ts";
import { type AnyFunction, hasMethod, memberOf } from "../../intercept/tool-use.ts";
import type { RecorderContext } from "../recorder-context.ts";
import type { Replayer } from "../replay/replayer.ts";
import { hookOnce } from "./hook-once.ts";

export function hookMcpReplay(
  Client: unknown,
  replayer: Replayer,
  context: () => RecorderContext | undefined,
): boolean {
  const prototype = memberOf(Client, "prototype");
  if (!hasMethod(prototype, "request") || !hasMethod(prototype, "callTool")) return false;
  return hookOnce(prototype as object, "request", (request) => {
    const around = (use: Parameters<Replayer["standBefore"]>[0]) =>
      replayer.standBefore(use, context()?.current().session).run();
    const intercepted = interceptDoor(() => request, requestDoor, "", { around });
    return function requestReplayed(this: unknown, ...args: unknown[]): unknown {
      if (memberOf(args[0], "method") !== "tools/list") return intercepted.apply(this, args);
      return listing(request.apply(this, args), replayer);
    } as AnyFunction;
  });
}

async function listing(result: unknown, replayer: Replayer): Promise<unknown> {
  const listed = await result;
  for (const name of listedNames(listed)) replayer.announce(name);
  return listed;
}
