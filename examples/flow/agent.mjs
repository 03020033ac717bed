// A support agent: reads what a customer says from standard input, asks a model, runs the tools it calls, prints the answer.
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";

const base = process.env.OPENAI_BASE_URL ?? "https://api.openai.com/v1";
const orders = {
  "A-7702": { item: "desk lamp", paid: 40, state: "delivered" },
  "A-7731": { item: "floor lamp", paid: 89, state: "delivered" },
  "A-7744": { item: "bulbs", paid: 12, state: "on its way" },
};
const tools = {
  look_up_order: ({ order_id }) => orders[order_id] ?? { error: "no such order" },
  confirm_refund_amount: ({ amount }) => ({ amount, confirmed: true }),
  issue_refund: ({ order_id, amount }) => ({ order_id, amount, state: "refunded" }),
};
const definitions = Object.keys(tools).map((name) => ({
  type: "function",
  function: { name, parameters: { type: "object", properties: { order_id: { type: "string" } } } },
}));

const messages = [
  { role: "system", content: readFileSync(new URL("prompt.md", import.meta.url), "utf8").trim() },
  { role: "user", content: (await text(process.stdin)).trim() },
];
for (;;) {
  const response = await fetch(`${base}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${process.env.OPENAI_API_KEY ?? "none"}` },
    body: JSON.stringify({ model: "gpt-4.1", messages, tools: definitions }),
  });
  if (!response.ok) throw new Error(`the model answered ${response.status}`);
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
