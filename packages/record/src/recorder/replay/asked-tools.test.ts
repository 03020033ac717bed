import { expect, it } from "vitest";
import { askedTools } from "./asked-tools.ts";

it.each([
  {
    title: "chat: functions, custom tools and the single call of old",
    api: "chat",
    body: {
      choices: [
        {
          message: {
            tool_calls: [
              { type: "function", function: { name: "a" } },
              { type: "custom", custom: { name: "b" } },
              { type: "function", function: { name: "a" } },
            ],
          },
        },
        { message: { function_call: { name: "c" } } },
      ],
    },
    local: ["a", "b", "c"],
    provider: [],
  },
  {
    title: "Responses: what runs at the provider, and what only looks so",
    api: "responses",
    body: {
      output: [
        { type: "function_call", name: "a" },
        { type: "custom_tool_call", name: "b" },
        { type: "function_call", name: "spawn", namespace: "agents" },
        { type: "web_search_call" },
        { type: "mcp_call", name: "lookup" },
        { type: "local_shell_call" },
        { type: "computer_call" },
        { type: "some_future_call" },
        { type: "message" },
      ],
    },
    local: ["a", "b", "agents.spawn", "local_shell", "computer", "some_future"],
    provider: ["web_search", "lookup"],
  },
  {
    title: "Messages",
    api: "messages",
    body: {
      content: [
        { type: "text", text: "x" },
        { type: "tool_use", name: "a" },
        { type: "server_tool_use", name: "web_search" },
        { type: "mcp_tool_use", name: "b" },
      ],
    },
    local: ["a"],
    provider: ["web_search", "b"],
  },
  {
    title: "Gemini",
    api: "gemini",
    body: { candidates: [{ content: { parts: [{ functionCall: { name: "a" } }, { executableCode: {} }] } }] },
    local: ["a"],
    provider: ["code_execution"],
  },
  {
    title: "Bedrock",
    api: "bedrock",
    body: { output: { message: { content: [{ toolUse: { name: "a" } }] } } },
    local: ["a"],
    provider: [],
  },
  { title: "an answer without calls", api: "chat", body: { choices: [{ message: {} }] }, local: [], provider: [] },
])("$title", ({ api, body, local, provider }) => {
  expect(askedTools({ name: api }, body)).toEqual({ local, provider });
});
