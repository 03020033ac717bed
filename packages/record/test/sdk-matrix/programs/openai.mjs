/** The client of OpenAI: chat completions and Responses, with an agent loop of its own. */
import { DESCRIPTION, NAME, PARAMETERS } from "../weather.mjs";

export async function run({ variant, ...task }, load) {
  const { OpenAI } = await load("openai");
  const client = new OpenAI({ apiKey: "none", maxRetries: 1 });
  return variant === "chat" ? runChat(client, task) : runResponses(client, task);
}

async function runChat(client, { prompt, stream, abort, getWeather }) {
  const messages = [{ role: "user", content: prompt }];
  const tools = [{ type: "function", function: { name: NAME, description: DESCRIPTION, parameters: PARAMETERS } }];
  for (;;) {
    const request = { model: "gpt-scripted", messages: [...messages], tools };
    const message = stream
      ? await streamed(request)
      : (await client.chat.completions.create(request)).choices[0].message;
    messages.push(message);
    if (!message.tool_calls?.length) return;
    for (const { id, function: called } of message.tool_calls) {
      const content = JSON.stringify(getWeather(JSON.parse(called.arguments)));
      messages.push({ role: "tool", tool_call_id: id, content });
    }
  }

  async function streamed(request) {
    const runner = client.chat.completions.stream({ ...request, stream_options: { include_usage: true } });
    if (abort) runner.on("chunk", () => runner.abort());
    const { role, content, tool_calls } = (await runner.finalChatCompletion()).choices[0].message;
    return { role, content, ...(tool_calls?.length ? { tool_calls: tool_calls.map(plainCall) } : {}) };
  }
}

function plainCall({ id, type, function: { name, arguments: text } }) {
  return { id, type, function: { name, arguments: text } };
}

async function runResponses(client, { prompt, stream, abort, getWeather }) {
  const input = [{ role: "user", content: prompt }];
  const tools = [{ type: "function", name: NAME, description: DESCRIPTION, parameters: PARAMETERS, strict: false }];
  for (;;) {
    const request = { model: "gpt-scripted", input: [...input], tools };
    const { output } = stream ? await streamed(request) : await client.responses.create(request);
    input.push(...output);
    const calls = output.filter(({ type }) => type === "function_call");
    if (calls.length === 0) return;
    for (const { call_id, arguments: text } of calls)
      input.push({ type: "function_call_output", call_id, output: JSON.stringify(getWeather(JSON.parse(text))) });
  }

  async function streamed(request) {
    const events = await client.responses.create({ ...request, stream: true });
    let response;
    for await (const event of events) {
      if (abort) events.controller.abort();
      if (event.type === "response.completed") response = event.response;
    }
    return response ?? { output: [] };
  }
}
