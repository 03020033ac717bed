// Stands in for the provider, so that the example needs no key: node scripted-model.mjs COMMAND…
// Starts a model on 127.0.0.1 that follows a script, points OPENAI_BASE_URL at it, runs the command, and ends with it.
import { spawn } from "node:child_process";
import { createServer } from "node:http";

const order = { order_id: "A-7702" };
const script = [
  { name: "look_up_order", arguments: order },
  { name: "issue_refund", arguments: { ...order, amount: 40 } },
  "I have refunded 40 for the lamp. Sorry for the trouble.",
];

const server = createServer((request, response) => {
  let text = "";
  request.setEncoding("utf8").on("data", (chunk) => {
    text += chunk;
  });
  request.on("end", () => {
    const { model, messages } = JSON.parse(text);
    const turn = messages.filter((message) => message.role === "assistant").length;
    // A prompt that hurries it makes it leave the order unread.
    const steps = String(messages[0]?.content).includes("at once") ? script.slice(1) : script;
    const said = steps[Math.min(turn, steps.length - 1)];
    const call = typeof said === "string" ? undefined : said;
    const message =
      call === undefined
        ? { role: "assistant", content: said }
        : {
            role: "assistant",
            content: null,
            tool_calls: [
              {
                id: `call_${turn}`,
                type: "function",
                function: { name: call.name, arguments: JSON.stringify(call.arguments) },
              },
            ],
          };
    const usage = { prompt_tokens: 90 + 30 * turn, completion_tokens: 20, total_tokens: 110 + 30 * turn };
    const choices = [{ index: 0, message, finish_reason: call === undefined ? "stop" : "tool_calls" }];
    response.writeHead(200, { "content-type": "application/json" });
    response.end(
      JSON.stringify({ id: `chatcmpl-${turn}`, object: "chat.completion", created: 1, model, choices, usage }),
    );
  });
});

server.listen(0, "127.0.0.1", () => {
  const env = { ...process.env, OPENAI_BASE_URL: `http://127.0.0.1:${server.address().port}/v1` };
  const [program, ...args] = process.argv.slice(2);
  const child = spawn(program, args, { stdio: "inherit", env });
  child.on("error", (error) => {
    console.error(error.message);
    process.exit(2);
  });
  child.on("exit", (code) => process.exit(code ?? 1));
});
