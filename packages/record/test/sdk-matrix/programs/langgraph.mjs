/** LangGraph's agent with a chat model of LangChain. */
import { DESCRIPTION, NAME, PARAMETERS } from "../weather.mjs";

export async function run({ prompt, stream, abort, getWeather }, load) {
  const { createReactAgent } = await load("@langchain/langgraph/prebuilt");
  const { ChatOpenAI } = await load("@langchain/openai");
  const { tool } = await load("@langchain/core/tools");
  const weather = tool(async (input) => getWeather(input), {
    name: NAME,
    description: DESCRIPTION,
    schema: PARAMETERS,
  });
  const llm = new ChatOpenAI({ model: "gpt-scripted", apiKey: "none", maxRetries: 1, streaming: stream });
  const agent = createReactAgent({ llm, tools: [weather] });
  const input = { messages: [{ role: "user", content: prompt }] };
  const stop = new AbortController();
  if (!stream) {
    await agent.invoke(input);
    return;
  }
  const events = await agent.stream(input, { streamMode: "messages", signal: stop.signal });
  for await (const _event of events) if (abort) stop.abort();
}
