/** The client of Google, which has no `fetch` of its own and no ids of calls. */
import { DESCRIPTION, NAME, PARAMETERS } from "../weather.mjs";

export async function run({ prompt, stream, abort, getWeather }, load) {
  const { GoogleGenAI } = await load("@google/genai");
  const client = new GoogleGenAI({ apiKey: "none", httpOptions: { retryOptions: { attempts: 2 } } });
  const contents = [{ role: "user", parts: [{ text: prompt }] }];
  const declaration = { name: NAME, description: DESCRIPTION, parametersJsonSchema: PARAMETERS };
  for (;;) {
    const stop = new AbortController();
    const config = { tools: [{ functionDeclarations: [declaration] }], abortSignal: stop.signal };
    const request = { model: "gemini-scripted", contents: [...contents], config };
    const parts = stream ? await streamed(request, stop) : partsOf(await client.models.generateContent(request));
    contents.push({ role: "model", parts });
    const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
    if (calls.length === 0) return;
    const results = calls.map(({ name, args }) => ({ functionResponse: { name, response: getWeather(args) } }));
    contents.push({ role: "user", parts: results });
  }

  async function streamed(request, stop) {
    const parts = [];
    for await (const chunk of await client.models.generateContentStream(request)) {
      parts.push(...partsOf(chunk));
      if (abort) stop.abort();
    }
    return parts;
  }
}

function partsOf(response) {
  return response.candidates?.[0]?.content?.parts ?? [];
}
