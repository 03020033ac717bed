/** AI SDK 6 and 7: the agent loop of generateText and streamText. */
import { ANY_INPUT, callId } from "./scenario.mjs";
import { streamParts } from "./stream-parts.mjs";

const versions = [
  {
    packages: ["ai@6.0.326"],
    title: "AI SDK 6",
    model: "MockLanguageModelV3",
  },
  {
    packages: ["ai@7.0.169"],
    title: "AI SDK 7",
    model: "MockLanguageModelV4",
  },
];
export const aiSdkDrivers = versions.flatMap(({ packages, title, model }) => [
  {
    name: `${title}, generateText`,
    packages,
    run: (scenario, load) => generate(scenario, load, model),
  },
  {
    name: `${title}, streamText`,
    packages,
    run: (scenario, load) => stream(scenario, load, model),
  },
]);
async function generate(scenario, load, model) {
  const { generateText, stepCountIs } = await load("ai");
  await generateText({
    model: await scripted(load, model, scenario),
    prompt: "go",
    tools: scenario.wrap(await toolsOf(scenario, load)),
    stopWhen: stepCountIs(20),
  });
}
async function stream(scenario, load, model) {
  const { streamText, stepCountIs } = await load("ai");
  const result = streamText({
    model: await scripted(load, model, scenario),
    prompt: "go",
    tools: scenario.wrap(await toolsOf(scenario, load)),
    stopWhen: stepCountIs(20),
  });
  await result.consumeStream();
}
async function toolsOf({ tools }, load) {
  const { tool, jsonSchema } = await load("ai");
  const entries = Object.entries(tools).map(([name, execute]) => [
    name,
    tool({
      description: name,
      inputSchema: jsonSchema(ANY_INPUT),
      execute,
    }),
  ]);
  return Object.fromEntries(entries);
}
async function scripted(load, model, { script, saw }) {
  const { [model]: Model, convertArrayToReadableStream } = await load("ai/test");
  let step = 0;
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
    const finishReason = {
      unified: calls.length === 0 ? "stop" : "tool-calls",
      raw: undefined,
    };
    return {
      content,
      finishReason,
      usage: USAGE,
      warnings: [],
    };
  };
  return new Model({
    doGenerate: async (asked) => next(asked),
    doStream: async (asked) => ({ stream: convertArrayToReadableStream(streamParts(next(asked))) }),
  });
}
const USAGE = {
  inputTokens: {
    total: 1,
    noCache: 1,
    cacheRead: 0,
    cacheWrite: 0,
  },
  outputTokens: {
    total: 1,
    text: 1,
    reasoning: 0,
  },
};
