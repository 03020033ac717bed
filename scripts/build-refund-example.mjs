/**
 * Writes the ten traces of the refund story (examples/refund/{baseline,candidate}/ticket-*.agentlog) from examples/refund/story.json:
 * five tickets, answered before and after one line was added to the prompt. Run after a build: node scripts/build-refund-example.mjs
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { contentId } from "../packages/core/dist/index.js";

const folder = new URL("../examples/refund/", import.meta.url);
const story = JSON.parse(readFileSync(new URL("story.json", folder), "utf8"));

const text = { type: "string" };
const amount = { type: "number", minimum: 0 };
const tools = [
  tool("lookup_order", "Find an order by its number.", { order_id: text }),
  tool("confirm_refund_amount", "Ask the customer to confirm the amount.", { order_id: text, amount, currency: text }),
  tool("issue_refund", "Pay money back.", {
    order_id: text,
    refund: { type: "object", properties: { amount, currency: text }, required: ["amount", "currency"] },
    reason: text,
  }),
  tool("update_address", "Change where an order is sent.", { order_id: text, address: { type: "object" } }),
];

/** What each tool answers; the story only needs that every call has its result. */
const results = {
  lookup_order: ({ order_id }) => ({ order_id, status: "delivered" }),
  confirm_refund_amount: ({ amount, currency }) => ({ confirmed: true, amount, currency }),
  issue_refund: ({ order_id, refund }) => ({ refund_id: `R-${order_id.slice(2)}`, ...refund }),
  update_address: ({ order_id }) => ({ order_id, updated: true }),
};

for (const side of ["baseline", "candidate"]) {
  mkdirSync(new URL(`${side}/`, folder), { recursive: true });
  for (const [index, ticket] of story.tickets.entries()) {
    const lines = recordsOf(ticket, side, index).map((record) => `${JSON.stringify(record)}\n`);
    writeFileSync(new URL(`${side}/${ticket.id}.agentlog`, folder), lines.join(""));
  }
}

function recordsOf(ticket, side, index) {
  const records = [];
  let clock = Date.UTC(2026, 2, side === "baseline" ? 2 : 9, 9, 10 * index);
  const add = (kind, payload) => {
    const previous = records.at(-1);
    const id = contentId(payload);
    const ts = new Date(clock).toISOString();
    const meta = previous === undefined ? { meta: { trace_id: ticket.id } } : {};
    records.push({ version: "0.1", id, kind, ts, parent: previous?.id ?? null, ...meta, payload });
  };
  const messages = [
    { role: "system", content: story.systemPrompt[side] },
    { role: "user", content: ticket.ask },
  ];
  add("metadata", { sdk: { name: "support-agent", version: "1.0.0" }, tags: { agent: "support_agent", run: side } });
  for (const [turn, step] of ticket[side].entries()) {
    add("chat_request", { model: story.model, messages: [...messages], params: { temperature: 0 }, tools });
    clock += step.ms;
    const calls = step.calls.map((call, at) => ({ type: "tool_use", id: `call_${turn + 1}_${at + 1}`, ...call }));
    const content = [...(step.text === "" ? [] : [{ type: "text", text: step.text }]), ...calls];
    add("chat_response", {
      model: story.model,
      content,
      stop_reason: calls.length > 0 ? "tool_use" : "end_turn",
      usage: { input_tokens: step.in, output_tokens: step.out },
      latency_ms: step.ms,
    });
    messages.push({ role: "assistant", content });
    for (const { id, name, input } of calls) {
      messages.push({ role: "tool", tool_call_id: id, content: JSON.stringify(results[name](input)) });
    }
    clock += 400;
  }
  return records;
}

function tool(name, description, properties) {
  return { name, description, input_schema: { type: "object", properties, required: Object.keys(properties) } };
}
