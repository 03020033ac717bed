/** Anthropic's Messages, as its clients and Claude Code call it. */
import { type Body, event, objects, pieces, textsOf, type Wire } from "./wire.ts";

export const messagesWire: Wire = {
  name: "messages",
  matches: (path) => path.endsWith("/messages"),
  streams: (_path, body) => body["stream"] === true,
  failure: (kind, message) => ({ type: "error", error: { type: kind, message } }),
  errorEvent: (message) => event({ type: "error", error: { type: "overloaded_error", message } }, "error"),

  asked(body) {
    const messages = objects(body["messages"]);
    const said = messages.filter(({ role }) => role === "user");
    return {
      userTexts: said.flatMap(({ content }) => textsOf(content)),
      tools: objects(body["tools"]).map((tool) => String(tool["name"])),
      callsSoFar: messages.flatMap(({ content }) => objects(content)).filter(({ type }) => type === "tool_use").length,
      historyLength: messages.length,
    };
  },

  answer(said, { body, id }) {
    const calls = said.calls.map((call, index) => ({ ...call, id: `toolu_${id}_${index}` }));
    const blocks: Body[] = [
      ...(said.text === undefined ? [] : [{ type: "text", text: said.text }]),
      ...calls.map((call) => ({ type: "tool_use", id: call.id, name: call.name, input: call.input })),
    ];
    const { fresh, cached, output } = said.usage;
    const usage = { input_tokens: fresh, cache_read_input_tokens: cached, cache_creation_input_tokens: 0 };
    const head = { id: `msg_${id}`, type: "message", role: "assistant", model: body["model"] };
    const stop = { stop_reason: calls.length > 0 ? "tool_use" : "end_turn", stop_sequence: null };
    const say = (type: string, rest: object) => event({ type, ...rest }, type);
    const opening = { ...head, content: [], stop_reason: null, stop_sequence: null };
    return {
      calls,
      whole: { ...head, content: blocks, ...stop, usage: { ...usage, output_tokens: output } },
      streamTellsUsage: true,
      events: [
        say("message_start", { message: { ...opening, usage: { ...usage, output_tokens: 1 } } }),
        say("ping", {}),
        ...blocks.flatMap((block, index) => [
          say("content_block_start", { index, content_block: { ...block, ...emptyOf(block) } }),
          ...deltas(block).map((delta) => say("content_block_delta", { index, delta })),
          say("content_block_stop", { index }),
        ]),
        say("message_delta", { delta: stop, usage: { output_tokens: output } }),
        say("message_stop", {}),
      ],
    };
  },
};

function emptyOf(block: Body): Body {
  return block["type"] === "text" ? { text: "" } : { input: {} };
}

function deltas(block: Body): readonly object[] {
  if (block["type"] === "text") return pieces(String(block["text"])).map((text) => ({ type: "text_delta", text }));
  return pieces(JSON.stringify(block["input"])).map((partial_json) => ({ type: "input_json_delta", partial_json }));
}
