// A support agent whose tools are wrapped: recorded by `spoor record`, answered from recordings by `spoor replay`.
import { createRecorder } from "@spoor/record/recorder";

const recorder = createRecorder();
const base = process.env.OPENAI_BASE_URL ?? "https://api.openai.com/v1";
const orders = { "A-7702": { item: "lamp", paid: 40, state: "delivered" } };
const tools = recorder.wrapTools({
  look_up_order: ({ order_id }) => orders[order_id] ?? { error: "no such order" },
  issue_refund({ order_id, amount }) {
    console.log(`(the bank pays ${amount})`);
    return { order_id, amount, state: "refunded" };
  },
});
const definitions = Object.keys(tools).map((name) => ({
  type: "function",
  function: { name, parameters: { type: "object", properties: { order_id: { type: "string" } } } },
}));
const prompt = process.env.PROMPT ?? "You are a support agent. Look up the order before you refund it.";
const fetch = recorder.wrapFetch();

const messages = [
  { role: "system", content: prompt },
  { role: "user", content: process.argv[2] ?? "The lamp of order A-7702 arrived broken. I want my money back." },
];
for (;;) {
  const response = await fetch(`${base}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${process.env.OPENAI_API_KEY ?? "none"}` },
    body: JSON.stringify({ model: "gpt-4.1", messages, tools: definitions }),
  });
  if (!response.ok) throw new Error((await response.json()).error.message);
  const { message } = (await response.json()).choices[0];
  messages.push(message);
  if (!message.tool_calls) {
    console.log(message.content);
    break;
  }
  for (const { id, function: call } of message.tool_calls) {
    const result = tools[call.name](JSON.parse(call.arguments));
    messages.push({ role: "tool", tool_call_id: id, content: JSON.stringify(result) });
  }
}
