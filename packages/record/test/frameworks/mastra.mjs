/** Mastra before and after 1.0: an agent's loop with tools in a record, and tools of a list called as Mastra calls them. */
import { callId } from "./scenario.mjs";
import { streamParts } from "./stream-parts.mjs";

const OLD = ["@mastra/core@0.24.9", "zod@4.1.12"];
const NEW = ["@mastra/core@1.71.0", "zod@4.1.12"];
export const mastraDrivers = [
  {
    name: "Mastra 0.24, agent",
    packages: OLD,
    run: (scenario, load) => runAgent(scenario, load, true),
  },
  {
    name: "Mastra 0.24, list of tools",
    packages: OLD,
    run: (scenario, load) => runList(scenario, load, true),
  },
  {
    name: "Mastra 1, agent",
    packages: NEW,
    run: (scenario, load) => runAgent(scenario, load, false),
  },
  {
    name: "Mastra 1, list of tools",
    packages: NEW,
    run: (scenario, load) => runList(scenario, load, false),
  },
];
async function runAgent(scenario, load, inContext) {
  const { Agent } = await load("@mastra/core/agent");
  const tools = Object.fromEntries((await toolsOf(scenario, load, inContext)).map((tool) => [tool.id, tool]));
  const agent = new Agent({
    id: "support",
    name: "support",
    instructions: "go",
    model: scripted(scenario),
    tools: scenario.wrap(tools),
  });
  await agent.generate("go", { maxSteps: 20 });
}
async function runList(scenario, load, inContext) {
  const tools = scenario.wrap(await toolsOf(scenario, load, inContext));
  for (const [step, calls] of scenario.script.entries()) {
    await Promise.all(
      calls.map(async ({ name, input }, index) => {
        const tool = tools.find(({ id }) => id === name);
        const options = {
          toolCallId: callId(step, index),
          messages: [],
        };
        await tool
          .execute(
            inContext
              ? {
                  context: input,
                  runtimeContext: {},
                }
              : input,
            options,
          )
          .then(scenario.saw, scenario.saw);
      }),
    );
  }
}
async function toolsOf({ tools }, load, inContext) {
  const { createTool } = await load("@mastra/core/tools");
  const { z } = await load("zod");
  return Object.entries(tools).map(([id, body]) =>
    createTool({
      id,
      description: id,
      inputSchema: z.object({}).passthrough(),
      execute: async (first) => body(inContext ? first.context : first),
    }),
  );
}
/** A model of the AI SDK's second specification, which both speak. */
function scripted({ script, saw }) {
  let step = 0;
  const usage = {
    inputTokens: 1,
    outputTokens: 1,
    totalTokens: 2,
  };
  const next = ({ prompt }) => {
    saw(prompt);
    const calls = script[step] ?? [];
    const at = step++;
    const content =
      calls.length === 0
        ? [
            {
              type: "text",
              text: "done",
            },
          ]
        : calls.map(({ name, input }, index) => ({
            type: "tool-call",
            toolCallId: callId(at, index),
            toolName: name,
            input: JSON.stringify(input),
          }));
    return {
      content,
      finishReason: calls.length === 0 ? "stop" : "tool-calls",
      usage,
      warnings: [],
    };
  };
  return {
    specificationVersion: "v2",
    provider: "scripted",
    modelId: "scripted",
    supportedUrls: {},
    doGenerate: async (asked) => next(asked),
    doStream: async (asked) => {
      const chunks = streamParts(next(asked));
      const stream = new ReadableStream({
        start(controller) {
          for (const chunk of chunks) controller.enqueue(chunk);
          controller.close();
        },
      });
      return { stream };
    },
  };
}
