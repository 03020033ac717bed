/** What the capture does with a request (placing, redacting, ids, writing it as a delta), against reading its body once. */
import { createCapture } from "@spoor/core/internal/capture/capture";
import { createRedaction } from "@spoor/core/internal/redact/redaction";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import { type BenchmarkRow, cpuSeconds } from "../benchmark.ts";

const TURNS = 40;
const MOST = 12;

export async function captureRows(): Promise<BenchmarkRow[]> {
  const rows: BenchmarkRow[] = [];
  for (const kilobytes of [40, 600]) {
    const bodies = growingBodies(kilobytes * 1000);
    const floor = await cpuSeconds(() => bodies.map((body) => JSON.parse(body) as unknown), 9);
    // The first request is what an agent pays once; the others repeat it and add a turn.
    const all = await cpuSeconds(() => record(bodies), 9);
    const first = await cpuSeconds(() => record(bodies.slice(0, 1)), 9);
    const repeated = (all - first) / (bodies.length - 1);
    const parse = floor / bodies.length;
    rows.push({
      what: `a request that repeats ${kilobytes} KB and adds a turn, with its answer: placed, redacted, hashed, written as a delta`,
      measured: `${(repeated / parse).toFixed(1)} times (${(repeated * 1000).toFixed(2)} ms)`,
      against: `JSON.parse of the body, ${(parse * 1000).toFixed(2)} ms`,
      kept: repeated / parse <= MOST,
    });
    rows.push({
      what: `the first request of ${kilobytes} KB`,
      measured: `${(first / parse).toFixed(0)} times (${(first * 1000).toFixed(1)} ms)`,
      against: "JSON.parse of the body",
    });
  }
  return rows;
}

/** An agent whose history has so many characters, and the turns it goes on with. */
function growingBodies(characters: number): string[] {
  const messages: object[] = [{ role: "system", content: "You are a support agent. Be kind and brief." }];
  let turn = 0;
  while (JSON.stringify(messages).length < characters) addTurn(messages, turn++);
  return Array.from({ length: TURNS }, () => {
    addTurn(messages, turn++);
    return JSON.stringify({
      model: "m-1",
      messages,
      tools: [{ type: "function", function: { name: "lookup_order" } }],
    });
  });
}

const WORDS =
  "the order of bob@example.com was sent from 10.0.0.7 and is on its way to the customer who asked for it; ";

function addTurn(messages: object[], turn: number): void {
  const id = `call_${turn.toString(36).padStart(20, "0")}`;
  const call = { id, type: "function", function: { name: "lookup_order", arguments: `{"order":"A-${turn}"}` } };
  messages.push({ role: "assistant", content: null, tool_calls: [call] });
  messages.push({ role: "tool", tool_call_id: id, content: `${turn}: ${WORDS.repeat(6)}` });
}

function record(bodies: readonly string[]): void {
  let written = 0;
  const capture = createCapture({
    write: (_file, line) => {
      written += stringifyJson(line as never).length;
    },
    metadata: {},
    newId: () => "t",
    redaction: createRedaction({ known: new Map([["a secret of the environment", "TOKEN"]]) }),
  });
  const answer = JSON.stringify({
    choices: [{ message: { role: "assistant", content: "On its way." }, finish_reason: "stop" }],
  });
  for (const [index, body] of bodies.entries()) {
    const call = capture.request({
      method: "POST",
      url: "https://x/v1/chat/completions",
      headers: {},
      body,
      atMs: index,
    });
    call!.head(200, { "content-type": "application/json" }, index);
    call!.text(answer, index);
    call!.end(index);
  }
  if (written === 0) throw new Error("Nothing was recorded.");
}
