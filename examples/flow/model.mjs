// Stands in for the provider, so that the example needs no key: node model.mjs COMMAND…
// Starts a model on 127.0.0.1 that does what the prompt says, points OPENAI_BASE_URL at it, runs the command, and ends with it.
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";

/** What it does next: a tool call, or what it says at the end. */
function next(messages) {
  const [system, user] = messages.map(({ content }) => String(content));
  const results = messages.filter(({ role }) => role === "tool").map(({ content }) => JSON.parse(content));
  const [order] = results;
  const order_id = /A-\d+/.exec(user)?.[0];
  if (order_id === undefined) return "Which order is it about?";
  if (order === undefined) return { name: "look_up_order", arguments: { order_id } };
  if (!/money|refund/i.test(user)) return `Your ${order.item}: ${order.state}.`;
  const steps = [
    ...(isHasty(system, user) ? [] : [{ name: "confirm_refund_amount", arguments: { order_id, amount: order.paid } }]),
    { name: "issue_refund", arguments: { order_id, amount: order.paid } },
  ];
  return steps[results.length - 1] ?? `I have refunded ${order.paid} for the ${order.item}. Sorry for the trouble.`;
}

function isHasty(prompt, said) {
  return /straight away/.test(prompt) && /broken|angry|!/.test(said);
}

const server = createServer(async (request, response) => {
  const { model, messages } = await json(request);
  const said = next(messages);
  const call = typeof said === "string" ? undefined : { ...said, arguments: JSON.stringify(said.arguments) };
  const tool_calls = call && [{ id: `call_${messages.length}`, type: "function", function: call }];
  const message = { role: "assistant", content: call ? null : said, ...(call && { tool_calls }) };
  const prompt_tokens = 30 * messages.length;
  const usage = { prompt_tokens, completion_tokens: 20, total_tokens: prompt_tokens + 20 };
  const choices = [{ index: 0, message, finish_reason: call ? "tool_calls" : "stop" }];
  const id = `chatcmpl-${messages.length}`;
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ id, object: "chat.completion", created: 1, model, choices, usage }));
});

server.listen(0, "127.0.0.1", () => {
  const env = { ...process.env, OPENAI_BASE_URL: `http://127.0.0.1:${server.address().port}/v1` };
  const [program, ...words] = process.argv.slice(2);
  const child = spawn(program, words, { stdio: "inherit", env });
  child.on("error", (error) => {
    console.error(error.message);
    process.exit(2);
  });
  child.on("exit", (code) => process.exit(code ?? 1));
});
