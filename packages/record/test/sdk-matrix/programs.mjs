/**
 * The SDKs that are recorded, each with a program that does the same with it. Installed on demand; never dependencies.
 * `ran`: its tools are seen as they run, where a recorder is in the process.
 */
export const programs = [
  { name: "openai", packages: ["openai@6.49.0"], variants: ["chat", "responses"], kinds: ["esm", "cjs"] },
  { name: "anthropic", packages: ["@anthropic-ai/sdk@1.8.0"], variants: ["messages"], kinds: ["esm", "cjs"] },
  { name: "genai", packages: ["@google/genai@2.32.0"], variants: ["gemini"], kinds: ["esm", "cjs"] },
  {
    name: "ai 6",
    program: "ai",
    packages: ["ai@6.0.326", "@ai-sdk/openai@3.0.139", "@ai-sdk/anthropic@3.0.138", "zod@4.1.12"],
    variants: ["chat", "responses", "anthropic"],
    kinds: ["esm", "cjs"],
  },
  {
    name: "ai 7",
    program: "ai",
    packages: ["ai@7.0.169", "@ai-sdk/openai@4.0.114", "@ai-sdk/anthropic@4.0.102", "zod@4.1.12"],
    variants: ["chat", "responses", "anthropic"],
    kinds: ["esm"],
    ran: true,
  },
  {
    name: "agents",
    packages: ["@openai/agents@0.20.0", "zod@4.1.12"],
    variants: ["responses"],
    kinds: ["esm", "cjs"],
    ran: true,
  },
  {
    name: "langgraph",
    packages: ["@langchain/core@1.2.13", "@langchain/langgraph@1.4.18", "@langchain/openai@1.5.8", "zod@4.6.7"],
    variants: ["chat"],
    kinds: ["esm", "cjs"],
    ran: true,
  },
];
