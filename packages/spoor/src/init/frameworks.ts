/** Packages that tell how an agent is built, and how its runs become files that Spoor reads. In the order of their mention. */
export interface Framework {
  readonly package: string;
  readonly title?: string;
  /** How to record runs with it; absent for packages that run no agent. */
  readonly record?: string;
}

const telemetry = "export its OpenTelemetry spans as OTLP JSON";

export const frameworks: readonly Framework[] = [
  { package: "ai", title: "Vercel AI SDK", record: `switch on experimental_telemetry and ${telemetry}` },
  { package: "@openai/agents", title: "OpenAI Agents SDK", record: "save what a trace processor receives" },
  { package: "openai", record: "save each request and response as one line of JSON" },
  { package: "@anthropic-ai/sdk", record: "save each request and response as one line of JSON" },
  {
    package: "@anthropic-ai/claude-agent-sdk",
    title: "Claude Agent SDK",
    record: "keep its session files (~/.claude/projects)",
  },
  { package: "langchain", title: "LangChain", record: "export runs from LangSmith, or from Langfuse" },
  { package: "@langchain/core", title: "LangChain", record: "export runs from LangSmith, or from Langfuse" },
  { package: "@langchain/langgraph", title: "LangGraph", record: "export runs from LangSmith, or from Langfuse" },
  { package: "langgraph", title: "LangGraph", record: "export runs from LangSmith, or from Langfuse" },
  { package: "@mastra/core", title: "Mastra", record: telemetry },
  { package: "llamaindex", title: "LlamaIndex", record: telemetry },
  { package: "@modelcontextprotocol/sdk", title: "MCP" },
  { package: "openai-agents", title: "OpenAI Agents SDK", record: "save what a trace processor receives" },
  { package: "anthropic", record: "save each request and response as one line of JSON" },
  { package: "pydantic-ai", title: "Pydantic AI", record: telemetry },
  { package: "crewai", title: "CrewAI", record: telemetry },
  { package: "google-adk", title: "Agent Development Kit", record: telemetry },
  { package: "inspect-ai", title: "Inspect", record: "keep its JSON logs (inspect eval --log-format json)" },
  { package: "vitest" },
  { package: "promptfoo" },
];
