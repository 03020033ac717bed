/** The client of Anthropic. */
import { DESCRIPTION, NAME, PARAMETERS } from "../weather.mjs";

export async function run({ prompt, stream, abort, getWeather }, load) {
  const { Anthropic } = await load("@anthropic-ai/sdk");
  const client = new Anthropic({ apiKey: "none", maxRetries: 1 });
  const messages = [{ role: "user", content: prompt }];
  const tools = [{ name: NAME, description: DESCRIPTION, input_schema: PARAMETERS }];
  for (;;) {
    const request = { model: "claude-scripted", max_tokens: 100, system: "Be short.", messages: [...messages], tools };
    const { role, content } = stream ? await streamed(request) : await client.messages.create(request);
    messages.push({ role, content });
    const calls = content.filter(({ type }) => type === "tool_use");
    if (calls.length === 0) return;
    const results = calls.map(({ id, input }) => {
      return { type: "tool_result", tool_use_id: id, content: JSON.stringify(getWeather(input)) };
    });
    messages.push({ role: "user", content: results });
  }

  async function streamed(request) {
    const runner = client.messages.stream(request);
    if (abort) runner.on("streamEvent", () => runner.abort());
    return runner.finalMessage();
  }
}
