/** LangGraph's agent loop, and LangChain's tools called by hand in every way they offer. */
import { ANY_INPUT, callId } from "./scenario.mjs";

const PACKAGES = ["@langchain/core@1.2.13", "@langchain/langgraph@1.4.18", "zod@4.6.7"];
export const langgraph = {
  name: "LangGraph, createReactAgent",
  packages: PACKAGES,
  async run(scenario, load) {
    const { createReactAgent } = await load("@langchain/langgraph/prebuilt");
    const { BaseChatModel } = await load("@langchain/core/language_models/chat_models");
    const { AIMessage } = await load("@langchain/core/messages");
    let step = 0;
    class Scripted extends BaseChatModel {
      _llmType() {
        return "scripted";
      }
      bindTools() {
        return this;
      }
      async _generate(messages) {
        scenario.saw(messages.map(({ content }) => content));
        const calls = scenario.script[step] ?? [];
        const at = step++;
        const tool_calls = calls.map(({ name, input }, index) => ({
          id: callId(at, index),
          name,
          args: input,
          type: "tool_call",
        }));
        return {
          generations: [
            {
              text: "",
              message: new AIMessage({
                content: calls.length === 0 ? "done" : "",
                tool_calls,
              }),
            },
          ],
        };
      }
    }
    const agent = createReactAgent({
      llm: new Scripted({}),
      tools: scenario.wrap(await toolsOf(scenario, load)),
    });
    await agent.invoke(
      {
        messages: [
          {
            role: "user",
            content: "go",
          },
        ],
      },
      { recursionLimit: 60 },
    );
  },
};
const WAYS = ["invoke", "call", "batch", "func", "_call"];
export const langchain = {
  name: "LangChain tools, invoke / call / batch / func",
  packages: PACKAGES,
  async run(scenario, load) {
    const tools = scenario.wrap(await toolsOf(scenario, load));
    for (const [step, calls] of scenario.script.entries()) {
      await Promise.all(
        calls.map(async ({ name, input }, index) => {
          const tool = tools.find((one) => one.name === name);
          const way = WAYS[(step + index) % WAYS.length];
          const args =
            way === "invoke"
              ? {
                  id: callId(step, index),
                  name,
                  args: input,
                  type: "tool_call",
                }
              : input;
          // A tool that fails has failed: the next step is made all the same, as a model would.
          await Promise.resolve(tool[way](way === "batch" ? [args] : args)).then(scenario.saw, scenario.saw);
        }),
      );
    }
  },
};
async function toolsOf({ tools }, load) {
  const { tool } = await load("@langchain/core/tools");
  return Object.entries(tools).map(([name, body]) =>
    tool(body, {
      name,
      description: name,
      schema: ANY_INPUT,
    }),
  );
}
