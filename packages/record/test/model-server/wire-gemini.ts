/** Gemini's generateContent and streamGenerateContent. Its calls have no ids; the method is the end of the path. */
import { type Body, event, objects, pieces, type Wire } from "./wire.ts";

export const geminiWire: Wire = {
  name: "gemini",
  matches: (path) => /:(g|streamG)enerateContent$/.test(path),
  streams: (path) => path.endsWith(":streamGenerateContent"),
  failure: (kind, message) => ({ error: { code: kind === "rate_limit_error" ? 429 : 500, message, status: kind } }),

  asked(body) {
    const contents = objects(body["contents"]);
    const parts = contents.flatMap((content) =>
      objects(content["parts"]).map((part) => ({ role: content["role"], part })),
    );
    return {
      userTexts: parts.flatMap(({ role, part }) =>
        role !== "model" && typeof part["text"] === "string" ? [part["text"]] : [],
      ),
      tools: objects(body["tools"]).flatMap((tool) =>
        objects(tool["functionDeclarations"]).map(({ name }) => String(name)),
      ),
      callsSoFar: parts.filter(({ part }) => part["functionCall"] !== undefined).length,
      historyLength: contents.length,
    };
  },

  answer(said, { id }) {
    const calls = said.calls.map(({ name, input }) => ({ functionCall: { name, args: input } }));
    const { fresh, cached, output } = said.usage;
    const tail = {
      usageMetadata: {
        promptTokenCount: fresh + cached,
        cachedContentTokenCount: cached,
        candidatesTokenCount: output,
        totalTokenCount: fresh + cached + output,
      },
      modelVersion: "gemini-scripted",
      responseId: `g_${id}`,
    };
    const body = (parts: readonly Body[], end: object) => ({
      candidates: [{ index: 0, content: { role: "model", parts }, ...end }],
      ...tail,
    });
    const text = said.text === undefined ? [] : [{ text: said.text }];
    const cut = said.text === undefined ? [] : pieces(said.text).map((piece) => ({ text: piece }));
    // The end comes by itself, as it does after calls.
    const sent = [...cut, ...calls];
    return {
      calls: said.calls,
      whole: body([...text, ...calls], { finishReason: "STOP" }),
      streamTellsUsage: true,
      events: [...sent.map((part) => event(body([part], {}))), event(body([], { finishReason: "STOP" }))],
    };
  },
};
