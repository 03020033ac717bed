/**
 * The model of the proxy's benchmark, in a process of its own; prints its port. `user` of a request says how it answers: `wait 1.5`
 * after so many milliseconds, `events 100 20` as a stream of so many events, so many milliseconds apart.
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const answer = JSON.stringify({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "The weather is fine." }, finish_reason: "stop" }],
  usage: { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 },
});

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    // The word stands at the front, so that a large body need not be read.
    const head = chunks[0]?.toString("utf8", 0, 200) ?? "";
    const [how, first, second] = (/"user":"([^"]*)"/.exec(head)?.[1] ?? "wait 0").split(" ");
    if (how === "events") void stream(response, Number(first), Number(second));
    else setTimeout(() => whole(response), Number(first));
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));

function whole(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(answer);
}

async function stream(response: ServerResponse, events: number, gapMs: number): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (let index = 0; index < events; index++) {
    const choices = [{ index: 0, delta: { content: `word ${index} ` }, finish_reason: null }];
    response.write(
      `data: ${JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", model: "m", choices })}\n\n`,
    );
    if (gapMs > 0) await new Promise((resolve) => setTimeout(resolve, gapMs));
  }
  response.end("data: [DONE]\n\n");
}
