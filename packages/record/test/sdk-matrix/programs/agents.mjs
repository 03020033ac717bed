/** OpenAI Agents with its own runner. */
import { DESCRIPTION, NAME, PARAMETERS } from "../weather.mjs";

export async function run({ prompt, stream, abort, getWeather }, load) {
  const { Agent, Runner, tool } = await load("@openai/agents");
  process.env.OPENAI_API_KEY = "none";
  const parameters = { ...PARAMETERS, additionalProperties: true };
  const weather = tool({
    name: NAME,
    description: DESCRIPTION,
    parameters,
    strict: false,
    execute: async (input) => getWeather(input),
  });
  const agent = new Agent({ name: "helper", model: "gpt-scripted", instructions: "Be short.", tools: [weather] });
  const stop = new AbortController();
  const options = { maxTurns: 5, signal: stop.signal };
  const runner = new Runner({ tracingDisabled: true });
  if (!stream) {
    await runner.run(agent, prompt, options);
    return;
  }
  const result = await runner.run(agent, prompt, { ...options, stream: true });
  for await (const _event of result) if (abort) stop.abort();
  await result.completed;
}
