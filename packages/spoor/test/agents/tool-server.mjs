/** An MCP server on standard input and output: the tools that its arguments name, each of which says that it was called. */
import { createInterface } from "node:readline";

const tools = process.argv.slice(2).map((name) => ({
  name,
  description: `The tool ${name}`,
  inputSchema: { type: "object", properties: { query: { type: "string" } } },
}));

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: answer(method, params) })}\n`);
});

function answer(method, params) {
  if (method === "initialize")
    return {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "seedtools", version: "1.0.0" },
    };
  if (method === "tools/list") return { tools };
  if (method === "tools/call") return { content: [{ type: "text", text: `${params.name} was called` }] };
  return {};
}
