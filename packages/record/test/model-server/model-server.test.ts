import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FINAL_WORDS } from "./by-words.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

/** A request of each API for the weather; `prompt` says how it is answered. */
const requests = {
  chat: (prompt: string, stream: boolean) => ({
    path: "/v1/chat/completions",
    body: {
      model: "m",
      stream,
      messages: [{ role: "user", content: prompt }],
      tools: [{ type: "function", function: { name: "get_weather" } }],
    },
  }),
  responses: (prompt: string, stream: boolean) => ({
    path: "/v1/responses",
    body: { model: "m", stream, input: prompt, tools: [{ type: "function", name: "get_weather" }] },
  }),
  messages: (prompt: string, stream: boolean) => ({
    path: "/v1/messages",
    body: {
      model: "m",
      stream,
      messages: [{ role: "user", content: [{ type: "text", text: prompt }] }],
      tools: [{ name: "get_weather" }],
    },
  }),
  gemini: (prompt: string, stream: boolean) => ({
    path: `/v1beta/models/m:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    body: {
      contents: [{ role: "user", parts: [{ text: prompt }] }],
      tools: [{ functionDeclarations: [{ name: "get_weather" }] }],
    },
  }),
};

describe.each(Object.keys(requests) as (keyof typeof requests)[])("%s", (api) => {
  const ask = (prompt: string, stream: boolean, signal?: AbortSignal) => {
    const { path, body } = requests[api](prompt, stream);
    const init = { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } };
    return fetch(server.url + path, signal === undefined ? init : { ...init, signal });
  };
  const last = () => server.exchanges.at(-1)!;

  it("answers whole and streamed, and keeps what it said", async () => {
    for (const stream of [false, true]) {
      const text = await (await ask("PARALLEL weather", stream)).text();
      expect(last()).toMatchObject({ api, streamed: stream, status: 200 });
      expect(last().answer!.calls.map(({ name, input }) => [name, input])).toEqual([
        ["get_weather", { city: "Oslo", days: 1 }],
        ["get_weather", { city: "Roma 🌍", days: 2 }],
      ]);
      expect(/^(event|data):/.test(text)).toBe(stream);
      await expect.poll(() => last().ended).toBe("whole");
    }
    await (await ask("TEXT only", false)).text();
    expect(last().answer).toMatchObject({ calls: [], text: FINAL_WORDS });
  });

  it("fails as it is told, and the second try of a flaky one is answered", async () => {
    const statuses = [];
    for (const prompt of ["FLAKY429", "FLAKY429", "FAIL500", "FAIL500", "FAIL400"]) {
      const response = await ask(prompt, false);
      statuses.push(response.status);
      if (response.status === 429) expect(response.headers.get("retry-after")).toBe("0");
      await response.text();
    }
    expect(statuses).toEqual([429, 200, 500, 500, 400]);
  });

  it.each([false, true])("is cut half-way, streamed: %s", async (stream) => {
    const response = await ask("CUT", stream);
    await expect(response.text()).rejects.toThrow();
    await expect.poll(() => last().ended).toBe("cut");
  });

  it("hangs until the client leaves", async () => {
    const abort = new AbortController();
    const response = await ask("HANG", true, abort.signal);
    const reader = response.body!.getReader();
    expect((await reader.read()).done).toBe(false);
    abort.abort();
    await expect.poll(() => last().ended).toBe("left");
  });

  it("compresses", async () => {
    const response = await ask("GZIP SLOW", true);
    expect(response.headers.get("content-encoding")).toBe("gzip");
    expect(await response.text()).toMatch(/^(event|data):/);
  });
});
