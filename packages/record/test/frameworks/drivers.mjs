import { aiSdkDrivers } from "./ai-sdk.mjs";
import { langchain, langgraph } from "./langchain.mjs";
import { mastraDrivers } from "./mastra.mjs";
import { mcpDrivers } from "./mcp.mjs";
import { openaiAgents, openaiAgentsFunctions, openaiRunFunctions, openaiRunTools } from "./openai.mjs";
import { plainFunctions } from "./plain-functions.mjs";
/** Every framework the guard is held to, in the order of the table in docs/guard.md. */
export const drivers = [
  plainFunctions,
  ...aiSdkDrivers,
  openaiAgents,
  openaiAgentsFunctions,
  openaiRunTools,
  openaiRunFunctions,
  langgraph,
  langchain,
  ...mastraDrivers,
  ...mcpDrivers,
];
