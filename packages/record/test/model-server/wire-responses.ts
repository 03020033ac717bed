/** OpenAI's Responses, as its clients and Codex call it. */
import type { AnsweredCall, Said } from "./said.ts";
import { type Body, event, objects, pieces, textsOf, type Wire } from "./wire.ts";

export const responsesWire: Wire = {
  name: "responses",
  matches: (path) => path.endsWith("/responses"),
  streams: (_path, body) => body["stream"] === true,
  failure: (kind, message) => ({ error: { message, type: kind, param: null, code: null } }),

  asked(body) {
    const { input } = body;
    const items = objects(input);
    return {
      userTexts: [
        ...(typeof input === "string" ? [input] : []),
        ...items.filter(({ role }) => role === "user").flatMap(({ content }) => textsOf(content)),
      ],
      tools: objects(body["tools"]).flatMap(toolNames),
      callsSoFar: items.filter((item) => /^(function|custom_tool)_call$/.test(String(item["type"]))).length,
      historyLength: items.length,
    };
  },

  answer(said, { body, id }) {
    const calls = said.calls.map((call, index) => ({ ...call, id: `call_${id}_${index}` }));
    const items = [...(said.text === undefined ? [] : [messageItem(said.text, id)]), ...calls.map(callItem)];
    const head = { id: `resp_${id}`, object: "response", created_at: 1_700_000_000, model: body["model"], ...UNSAID };
    const whole = { ...head, status: "completed", output: items, usage: usageOf(said) };
    let number = 0;
    const say = (type: string, rest: object) => event({ type, sequence_number: number++, ...rest }, type);
    return {
      calls,
      whole,
      streamTellsUsage: true,
      events: [
        say("response.created", { response: { ...head, status: "in_progress", output: [] } }),
        ...items.flatMap((item, output_index) => [
          say("response.output_item.added", { output_index, item: opened(item) }),
          ...inner(item).map(([type, rest]) => say(type, { output_index, item_id: item.id, ...rest })),
          say("response.output_item.done", { output_index, item }),
        ]),
        say("response.completed", { response: whole }),
      ],
    };
  },
};

/** Members that the clients expect in every response. */
const UNSAID = {
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  parallel_tool_calls: true,
  temperature: 1,
  tool_choice: "auto",
  tools: [],
  top_p: 1,
};

interface Item {
  readonly id: string;
  readonly type: string;
  readonly [key: string]: unknown;
}

function messageItem(text: string, id: string): Item {
  const content = [{ type: "output_text", text, annotations: [] }];
  return { type: "message", id: `msg_${id}`, role: "assistant", status: "completed", content };
}

function callItem({ name, input, namespace, id }: AnsweredCall): Item {
  if ("text" in input) return { type: "custom_tool_call", id: `ct_${id}`, call_id: id, name, input: input.text };
  const beside = namespace === undefined ? {} : { namespace };
  const text = JSON.stringify(input);
  return { type: "function_call", id: `fc_${id}`, call_id: id, name, ...beside, arguments: text, status: "completed" };
}

function opened(item: Item): Item {
  if (item.type === "message") return { ...item, status: "in_progress", content: [] };
  return item.type === "function_call" ? { ...item, status: "in_progress", arguments: "" } : { ...item, input: "" };
}

function inner(item: Item): readonly (readonly [string, object])[] {
  if (item.type === "message") {
    const [{ text } = { text: "" }] = item["content"] as { text: string }[];
    const place = { content_index: 0 };
    const part = { type: "output_text", text: "", annotations: [] };
    return [
      ["response.content_part.added", { ...place, part }],
      ...pieces(text).map((delta) => ["response.output_text.delta", { ...place, delta, logprobs: [] }] as const),
      ["response.output_text.done", { ...place, text, logprobs: [] }],
      ["response.content_part.done", { ...place, part: { ...part, text } }],
    ];
  }
  const [kind, key] =
    item.type === "function_call"
      ? ["response.function_call_arguments", "arguments"]
      : ["response.custom_tool_call_input", "input"];
  const text = String(item[key]);
  return [
    ...pieces(text).map((delta) => [`${kind}.delta`, { delta }] as const),
    [`${kind}.done`, { [key]: text, name: item["name"] }],
  ];
}

function toolNames(tool: Body): readonly string[] {
  if (tool["type"] === "namespace") return objects(tool["tools"]).flatMap(toolNames);
  return [String(tool["name"] ?? tool["type"])];
}

function usageOf({ usage: { fresh, cached, output } }: Said): object {
  return {
    input_tokens: fresh + cached,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: fresh + cached + output,
  };
}
