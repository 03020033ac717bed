/** OpenAI's chat completions. */
import type { Said } from "./said.ts";
import { type Body, event, objects, pieces, textsOf, type Wire } from "./wire.ts";

export const chatWire: Wire = {
  name: "chat",
  matches: (path) => path.endsWith("/chat/completions"),
  streams: (_path, body) => body["stream"] === true,
  failure: (kind, message) => ({ error: { message, type: kind, param: null, code: null } }),

  asked(body) {
    const messages = objects(body["messages"]);
    return {
      userTexts: messages.filter(({ role }) => role === "user").flatMap(({ content }) => textsOf(content)),
      tools: objects(body["tools"]).map((tool) => String((tool["function"] as Body | undefined)?.["name"])),
      callsSoFar: messages.flatMap((message) => objects(message["tool_calls"])).length,
      historyLength: messages.length,
    };
  },

  answer(said, { body, id }) {
    const calls = said.calls.map((call, index) => ({ ...call, id: `call_${id}_${index}` }));
    const toolCalls = calls.map((call) => ({
      id: call.id,
      type: "function",
      function: { name: call.name, arguments: JSON.stringify(call.input) },
    }));
    const head = { id: `chatcmpl-${id}`, created: 1_700_000_000, model: body["model"] };
    const stop = calls.length > 0 ? "tool_calls" : "stop";
    const message = {
      role: "assistant",
      content: said.text ?? null,
      ...(calls.length > 0 ? { tool_calls: toolCalls } : {}),
    };
    const usage = usageOf(said);
    const chunk = (delta: object, finish_reason: string | null = null) =>
      event({ ...head, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] });
    const asksForUsage = (body["stream_options"] as Body | undefined)?.["include_usage"] === true;
    return {
      calls,
      whole: { ...head, object: "chat.completion", choices: [{ index: 0, message, finish_reason: stop }], usage },
      streamTellsUsage: asksForUsage,
      events: [
        chunk({ role: "assistant", content: "" }),
        ...pieces(said.text ?? "").map((content) => chunk({ content })),
        ...toolCalls.flatMap(({ function: { name, arguments: text }, ...call }, index) => [
          chunk({ tool_calls: [{ index, ...call, function: { name, arguments: "" } }] }),
          ...pieces(text).map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
        ]),
        chunk({}, stop),
        ...(asksForUsage ? [event({ ...head, object: "chat.completion.chunk", choices: [], usage })] : []),
        event("[DONE]"),
      ],
    };
  },
};

function usageOf({ usage: { fresh, cached, output } }: Said): object {
  return {
    prompt_tokens: fresh + cached,
    completion_tokens: output,
    total_tokens: fresh + cached + output,
    prompt_tokens_details: { cached_tokens: cached },
  };
}
