/** Every kind of tool object that is known, the more particular first. */
import { aiSdkTool } from "./shapes/ai-sdk.ts";
import { langchainRunnable, langchainTool } from "./shapes/langchain.ts";
import { mastraTool } from "./shapes/mastra.ts";
import { mcpClient } from "./shapes/mcp-client.ts";
import { mcpHandlerTool, mcpRegisteredTool, mcpServer } from "./shapes/mcp-server.ts";
import { openaiAgentsTool } from "./shapes/openai-agents.ts";
import { openaiRunnableTool } from "./shapes/openai-run-tools.ts";
import { runnableObject } from "./shapes/runnable-object.ts";
import type { ToolShape } from "./tool-use.ts";

export const toolShapes: readonly ToolShape[] = [
  mcpClient,
  mcpServer,
  mcpRegisteredTool,
  langchainTool,
  langchainRunnable,
  openaiAgentsTool,
  openaiRunnableTool,
  mastraTool,
  aiSdkTool,
  mcpHandlerTool,
  runnableObject,
];
