/** MCP: every client of the process, through the class. Its calls have no id of the model's; they are joined by name and arguments. */
import { followResult } from "../../intercept/follow-result.ts";
import { mcpFailure } from "../../intercept/shapes/mcp.ts";
import { hasMethod, memberOf, textMember } from "../../intercept/tool-use.ts";
import type { ToolLog } from "../tools/tool-log.ts";
import { hookOnce } from "./hook-once.ts";

export function hookMcpClient(Client: unknown, log: ToolLog): boolean {
  const prototype = memberOf(Client, "prototype");
  if (!hasMethod(prototype, "callTool") || !hasMethod(prototype, "listTools")) return false;
  return hookOnce(prototype as object, "callTool", (callTool) => {
    return function callToolWatched(this: unknown, ...args: unknown[]): unknown {
      const run = () => callTool.apply(this, args);
      const name = textMember(args[0], "name");
      const input = memberOf(args[0], "arguments") ?? {};
      const tool = name === undefined ? undefined : log.start({ door: "mcp", name, input });
      if (tool === undefined) return run();
      return followResult(
        { run },
        {
          returned(output) {
            const failure = mcpFailure(output);
            if (failure === undefined) tool.ended(output);
            else tool.failed(failure);
          },
          threw: (error) => tool.failed(error),
        },
      );
    };
  });
}
