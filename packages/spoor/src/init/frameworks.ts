/** Packages that tell how an agent is built. In the order of their mention. */
export interface Framework {
  readonly package: string;
  readonly title?: string;
  /** `told`: its tools are plain functions, seen to run only when they are wrapped; a recording knows their results all the same. */
  readonly tools?: "told";
  /** The variable that holds the key of the provider it speaks to. */
  readonly key?: string;
}

export const frameworks: readonly Framework[] = [
  { package: "ai", title: "Vercel AI SDK", tools: "told" },
  { package: "@openai/agents", title: "OpenAI Agents SDK", key: "OPENAI_API_KEY" },
  { package: "openai", tools: "told", key: "OPENAI_API_KEY" },
  { package: "@anthropic-ai/sdk", tools: "told", key: "ANTHROPIC_API_KEY" },
  {
    package: "@anthropic-ai/claude-agent-sdk",
    title: "Claude Agent SDK",
    key: "ANTHROPIC_API_KEY",
  },
  { package: "langchain", title: "LangChain" },
  { package: "@langchain/core", title: "LangChain" },
  { package: "@langchain/langgraph", title: "LangGraph" },
  { package: "langgraph", title: "LangGraph" },
  { package: "@mastra/core", title: "Mastra" },
  { package: "llamaindex", title: "LlamaIndex" },
  { package: "@modelcontextprotocol/sdk", title: "MCP" },
  { package: "openai-agents", title: "OpenAI Agents SDK", key: "OPENAI_API_KEY" },
  { package: "anthropic", key: "ANTHROPIC_API_KEY" },
  { package: "pydantic-ai", title: "Pydantic AI" },
  { package: "crewai", title: "CrewAI" },
  { package: "google-adk", title: "Agent Development Kit", key: "GOOGLE_API_KEY" },
  { package: "inspect-ai", title: "Inspect" },
  { package: "vitest" },
  { package: "promptfoo" },
];
