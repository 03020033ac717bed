/** The official client of the Model Context Protocol over HTTP, as it is published; installed once for all tests that ask for it. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { onTestFinished } from "vitest";
import { installPackages } from "../../spoor/test/e2e/agent-cache.ts";

export const sdk = installPackages(["@modelcontextprotocol/sdk@1.32.2", "zod@4.1.12"]);

export interface ToolResult {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string; readonly _meta?: object }[];
  // biome-ignore lint/suspicious/noExplicitAny: answers of every tool, looked into by tests.
  readonly structuredContent: any;
}

export interface McpClient {
  listTools(): Promise<{ tools: { name: string; inputSchema: { properties: object } }[] }>;
  listResources(): Promise<{ resources: { uri: string }[] }>;
  listResourceTemplates(): Promise<{ resourceTemplates: { uriTemplate: string }[] }>;
  readResource(one: { uri: string }): Promise<{ contents: { text: string; _meta?: object }[] }>;
  listPrompts(): Promise<{ prompts: { name: string }[] }>;
  getPrompt(one: object): Promise<{ messages: { content: { text: string } }[] }>;
  callTool(one: object): Promise<ToolResult>;
}

/** Connected to a service, with a token or without one. */
export async function connectMcp(url: string, token?: string): Promise<McpClient> {
  const { Client } = await load("client/index.js");
  const { StreamableHTTPClientTransport } = await load("client/streamableHttp.js");
  const client = new Client!({ name: "test", version: "1" }) as McpClient & {
    connect(transport: unknown): Promise<void>;
    close(): Promise<void>;
  };
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport!(new URL(`${url}/mcp`), { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return client;
}

async function load(name: string) {
  const file = join(sdk.modules!, "@modelcontextprotocol/sdk/dist/esm", name);
  return (await import(pathToFileURL(file).href)) as Record<string, new (...given: unknown[]) => never>;
}
