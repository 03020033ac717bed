/** OpenAI: the agent loop of @openai/agents, and `runTools` of the client, with a scripted API and no network. */
import { ANY_INPUT, callId } from "./scenario.mjs";

const AGENTS = ["@openai/agents@0.20.0", "zod@4.1.12"];
export const openaiAgents = {
  name: "OpenAI Agents",
  packages: AGENTS,
  async run({ script, tools, wrap, saw }, load) {
    const agents = await load("@openai/agents");
    await runAgent(script, wrap(toolsOf(agents, tools)), agents, saw);
  },
};
export const openaiAgentsFunctions = {
  name: "OpenAI Agents, wrapped functions, errorFunction",
  packages: AGENTS,
  async run({ script, tools, wrap, saw }, load) {
    const agents = await load("@openai/agents");
    // Words of its own for what failed: nothing but the function itself shows that it threw.
    const errorFunction = () => "All is well.";
    await runAgent(script, toolsOf(agents, wrap({ ...tools }), { errorFunction }), agents, saw);
  },
};
function toolsOf({ tool }, functions, options = {}) {
  return Object.entries(functions).map(([name, execute]) =>
    tool({
      name,
      description: name,
      parameters: ANY_INPUT,
      strict: false,
      execute,
      ...options,
    }),
  );
}
async function runAgent(script, tools, { Agent, Runner }, saw) {
  let step = 0;
  const model = {
    async getResponse({ input }) {
      saw(input);
      const calls = script[step] ?? [];
      const at = step++;
      const output =
        calls.length === 0
          ? [
              {
                type: "message",
                role: "assistant",
                status: "completed",
                content: [
                  {
                    type: "output_text",
                    text: "done",
                  },
                ],
              },
            ]
          : calls.map(({ name, input }, index) => ({
              type: "function_call",
              callId: callId(at, index),
              name,
              status: "completed",
              arguments: JSON.stringify(input),
            }));
      return {
        usage: {
          requests: 1,
          inputTokens: 1,
          outputTokens: 1,
          totalTokens: 2,
        },
        output,
      };
    },
    async *getStreamedResponse() {},
  };
  const agent = new Agent({
    name: "support",
    model,
    tools,
  });
  await new Runner({ tracingDisabled: true }).run(agent, "go", { maxTurns: 20 });
}
const OPENAI = ["openai@6.49.0"];
export const openaiRunTools = {
  name: "openai runTools, list of tools",
  packages: OPENAI,
  async run({ script, tools, wrap, saw }, load) {
    const list = Object.entries(tools).map(([name, body]) => ({
      type: "function",
      function: {
        name,
        description: name,
        parameters: ANY_INPUT,
        parse: JSON.parse,
        function: body,
      },
    }));
    await runTools({ script, saw }, wrap(list), await load("openai"));
  },
};
export const openaiRunFunctions = {
  name: "openai runTools, wrapped functions",
  packages: OPENAI,
  async run({ script, tools, wrap, saw }, load) {
    const wrapped = wrap({ ...tools });
    const list = Object.entries(wrapped).map(([name, body], index) => ({
      type: "function",
      // With and without `parse`: the arguments come as an object, or as their text.
      function: {
        name,
        description: name,
        parameters: ANY_INPUT,
        function: body,
        ...(index % 2 === 0 ? { parse: JSON.parse } : {}),
      },
    }));
    await runTools({ script, saw }, list, await load("openai"));
  },
};
async function runTools({ script, saw }, tools, openai) {
  let step = 0;
  const fetch = async (_url, { body: asked }) => {
    saw(asked);
    const calls = script[step] ?? [];
    const at = step++;
    const tool_calls = calls.map(({ name, input }, index) => ({
      id: callId(at, index),
      type: "function",
      function: {
        name,
        arguments: JSON.stringify(input),
      },
    }));
    const message = {
      role: "assistant",
      content: calls.length === 0 ? "done" : null,
      ...(calls.length === 0 ? {} : { tool_calls }),
    };
    const choices = [
      {
        index: 0,
        message,
        finish_reason: calls.length === 0 ? "stop" : "tool_calls",
      },
    ];
    const body = {
      id: `r${at}`,
      object: "chat.completion",
      created: 1,
      model: "m",
      choices,
      usage: {
        prompt_tokens: 1,
        completion_tokens: 1,
        total_tokens: 2,
      },
    };
    return new Response(JSON.stringify(body), { headers: { "content-type": "application/json" } });
  };
  const client = new openai.default({
    apiKey: "none",
    fetch,
    maxRetries: 0,
  });
  // A tool that fails ends the run; an application goes on with the next one.
  for (let attempts = 0; step <= script.length && attempts < 20; attempts++) {
    const messages = [{ role: "user", content: "go" }];
    const runner = client.chat.completions.runTools({ model: "m", messages, tools }, { maxChatCompletions: 20 });
    await runner.done().catch(() => undefined);
  }
}
