const PACKAGES = ["@modelcontextprotocol/sdk@1.32.2", "zod@4.1.12"];
const WAYS = ["callTool", "request", "callToolStream"];
const SERVERS = ["wrapped handlers", "registered tools", "the server"];
export const mcpDrivers = [
  ...WAYS.map((way) => ({
    name: `MCP client, ${way}`,
    packages: PACKAGES,
    run: (scenario, load) => runClient(scenario, load, way),
  })),
  ...SERVERS.map((what) => ({
    name: `MCP server, ${what}`,
    packages: PACKAGES,
    run: (scenario, load) => runServer(scenario, load, what),
  })),
];
async function runClient(scenario, load, way) {
  const server = await serverOf(load);
  for (const [name, body] of Object.entries(scenario.tools)) await register(server, load, name, handlerOf(body));
  const client = scenario.wrap(await connect(server, load));
  const { CallToolResultSchema } = await load("@modelcontextprotocol/sdk/types.js");
  await play(scenario, async (name, input) => {
    const params = {
      name,
      arguments: input,
    };
    if (way === "callTool") scenario.saw(await client.callTool(params));
    else if (way === "request")
      scenario.saw(
        await client.request(
          {
            method: "tools/call",
            params,
          },
          CallToolResultSchema,
        ),
      );
    else for await (const _message of client.experimental.tasks.callToolStream(params)) scenario.saw(_message);
  });
}
async function runServer(scenario, load, what) {
  const bare = await serverOf(load);
  const handlers = Object.fromEntries(Object.entries(scenario.tools).map(([name, body]) => [name, handlerOf(body)]));
  const server = what === "the server" ? scenario.wrap(bare) : bare;
  const given = what === "wrapped handlers" ? scenario.wrap(handlers) : handlers;
  const registered = {};
  for (const [name, handler] of Object.entries(given)) registered[name] = await register(server, load, name, handler);
  if (what === "registered tools") scenario.wrap(registered);
  const client = await connect(bare, load);
  await play(scenario, (name, input) =>
    client.callTool({
      name,
      arguments: input,
    }),
  );
}
function handlerOf(body) {
  return async (args) => ({
    content: [
      {
        type: "text",
        text: JSON.stringify(await body(args)),
      },
    ],
  });
}
async function serverOf(load) {
  const { McpServer } = await load("@modelcontextprotocol/sdk/server/mcp.js");
  return new McpServer({
    name: "shop",
    version: "1",
  });
}
async function register(server, load, name, handler) {
  const { z } = await load("zod");
  return server.registerTool(
    name,
    {
      description: name,
      inputSchema: z.object({}).passthrough(),
    },
    handler,
  );
}
async function connect(server, load) {
  const { Client } = await load("@modelcontextprotocol/sdk/client/index.js");
  const { InMemoryTransport } = await load("@modelcontextprotocol/sdk/inMemory.js");
  const client = new Client({
    name: "agent",
    version: "1",
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  return client;
}
async function play({ script, saw }, call) {
  for (const calls of script) await Promise.all(calls.map(({ name, input }) => call(name, input).then(saw, saw)));
}
