/** What is sent to the service: recordings of our own recorder, and conversations as other tools write them. */
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { Arrival } from "@spoor/server/internal/store/store";
import { syntheticAgentlog } from "../synthetic.ts";

/** Of 5 to 25 turns. */
export function agentlogOf(seed: number): string {
  return syntheticAgentlog({ turns: 5 + (seed % 21), seed });
}

/** A conversation as long as real ones of tau-bench: 30 messages of mixed length. */
export function conversationOf(tag: string, index: number): string {
  const messages: object[] = [{ role: "system", content: RULES }];
  for (let turn = 0; turn < 10; turn++) {
    const id = `call_${index}_${turn}`;
    const order = { order_id: `#W${index * 7919 + turn}`, reason: `${tag}, turn ${turn}` };
    messages.push(
      {
        role: "assistant",
        tool_calls: [
          { id, type: "function", function: { name: `tool_${turn % 4}`, arguments: JSON.stringify(order) } },
        ],
      },
      {
        role: "tool",
        tool_call_id: id,
        content: JSON.stringify({ ...order, items: ITEMS, total: index * 1.37 + turn }),
      },
      {
        role: "assistant",
        content: `Order ${order.order_id} of ${tag} is on its way; anything else for number ${index}?`,
      },
    );
  }
  return JSON.stringify({ messages });
}

const RULES = "Ask before anything is changed, and change nothing that is on its way. ".repeat(60);
const ITEMS = Array.from({ length: 8 }, (_, at) => ({
  item: `sku-${at}`,
  count: at + 1,
  options: { colour: "blue", size: at },
}));

export function arrivalOf(projectId: number, text: string, release: string): Arrival {
  return {
    projectId,
    contentId: createHash("sha256").update(text).digest(),
    source: { release },
    codec: "gzip",
    body: gzipSync(text),
    receivedAt: Date.now(),
  };
}
