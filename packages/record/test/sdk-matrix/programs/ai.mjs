/** The AI SDK, with the providers of OpenAI and Anthropic. */
import { DESCRIPTION, NAME, PARAMETERS } from "../weather.mjs";

export async function run({ variant, prompt, stream, abort, getWeather }, load) {
  const { generateText, streamText, tool, jsonSchema, stepCountIs, isStepCount } = await load("ai");
  const stop = new AbortController();
  const made = tool({
    description: DESCRIPTION,
    inputSchema: jsonSchema(PARAMETERS),
    execute: async (input) => getWeather(input),
  });
  const request = {
    model: await modelOf(variant, load),
    prompt,
    tools: { [NAME]: made },
    stopWhen: (isStepCount ?? stepCountIs)(5),
    maxRetries: 1,
    abortSignal: stop.signal,
  };
  if (!stream) {
    await generateText(request);
    return;
  }
  const result = streamText({ ...request, onError: () => {} });
  for await (const part of result.fullStream) if (abort && part.type !== "start") stop.abort();
}

async function modelOf(variant, load) {
  if (variant === "anthropic") {
    const { createAnthropic } = await load("@ai-sdk/anthropic");
    return createAnthropic({ apiKey: "none", baseURL: `${process.env.ANTHROPIC_BASE_URL}/v1` })("claude-scripted");
  }
  const { createOpenAI } = await load("@ai-sdk/openai");
  const openai = createOpenAI({ apiKey: "none", baseURL: process.env.OPENAI_BASE_URL });
  return variant === "chat" ? openai.chat("gpt-scripted") : openai.responses("gpt-scripted");
}
