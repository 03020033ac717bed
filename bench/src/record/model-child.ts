/** A model for measurements, in a process of its own: answers at once, whole or as a stream. Prints its port. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const WORDS = "The lamp of order A-7702 arrived broken, so 40 EUR are on their way back to the customer.".split(" ");
const head = { id: "chatcmpl-1", created: 1_700_000_000, model: "m" };
const usage = { prompt_tokens: 20, completion_tokens: 18, total_tokens: 38 };
const message = { role: "assistant", content: WORDS.join(" ") };
const whole = JSON.stringify({
  ...head,
  object: "chat.completion",
  choices: [{ index: 0, message, finish_reason: "stop" }],
  usage,
});
const events = [
  ...WORDS.map((word) => ({ delta: { content: `${word} ` }, finish_reason: null })),
  { delta: {}, finish_reason: "stop" },
].map((choice) => `data: ${JSON.stringify({ ...head, choices: [{ index: 0, ...choice }] })}\n\n`);

const server = createServer((request, response) => {
  let isStream = false;
  request.on("data", (chunk: Buffer) => {
    isStream ||= chunk.includes('"stream":true');
  });
  request.on("end", () => {
    response.writeHead(200, { "content-type": isStream ? "text/event-stream" : "application/json" });
    if (isStream) for (const event of [...events, "data: [DONE]\n\n"]) response.write(event);
    response.end(isStream ? undefined : whole);
  });
});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
