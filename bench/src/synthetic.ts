/**
 * Synthetic agent logs: about 970 bytes a response, 0 to 3 tool calls, English-like texts, content ids of real payloads.
 * The same seed gives the same bytes; `changed` of the turns of a second trace differ.
 */
import type { Json, TraceRecord } from "@spoor/core";
import { contentId } from "@spoor/core/internal/canonical/digest";
import { agentlogLines, writeAgentlog } from "spoor/internal/formats/agentlog";

const WORDS =
  "the order was shipped on monday and should arrive within three working days please check your email for the tracking number if it has not arrived by then we will look into it and refund the full amount to your card thank you for your patience while we sort this out".split(
    " ",
  );
const TOOLS = ["lookup_order", "confirm_refund_amount", "issue_refund", "search_policy", "send_email"];

export interface SyntheticOptions {
  readonly turns: number;
  readonly seed: number;
  /** Share of turns that differ from the trace of the same seed with `changed: 0`. */
  readonly changed?: number;
}

function syntheticRecords({ turns, seed, changed = 0 }: SyntheticOptions): TraceRecord[] {
  const random = mulberry(seed);
  const change = mulberry(seed ^ 0x5eed);
  const records: TraceRecord[] = [
    record("metadata", { sdk: { name: "bench", version: "1" }, agent: "support_agent" }, 0),
  ];
  for (let turn = 0; turn < turns; turn++) {
    const altered = change() < changed;
    records.push(...turnRecords(turn, random, altered));
  }
  return records;
}

export function syntheticAgentlog(options: SyntheticOptions): string {
  return writeAgentlog(syntheticRecords(options));
}

/** Turns of one conversation of the long-history log: its last request carries this many answers. */
const CONVERSATION = 40;

/** The same turns as an agent sends them: every request carries the conversation so far, and the results of its calls. */
export function* longHistoryLines(options: SyntheticOptions): Generator<string> {
  let history: Json[] = [];
  let turn = 0;
  const withHistory = function* (): Generator<TraceRecord> {
    for (const one of syntheticRecords(options)) {
      if (one.kind === "chat_request") {
        if (turn % CONVERSATION === 0) history = [{ role: "system", content: WORDS.join(" ") }];
        history.push(...(one.payload as { messages: Json[] }).messages);
        yield record("chat_request", { model: "model-1", messages: [...history], params: {} }, turn);
      } else {
        yield one;
        if (one.kind !== "chat_response") continue;
        const { content } = one.payload as { content: readonly { readonly type: string; readonly id?: string }[] };
        history.push({ role: "assistant", content });
        for (const { type, id } of content)
          if (type === "tool_use") history.push({ role: "tool", tool_call_id: id!, content: "done" });
        turn++;
      }
    }
  };
  yield* agentlogLines(withHistory());
}

function turnRecords(turn: number, random: () => number, altered: boolean): TraceRecord[] {
  const callCount = Math.floor(random() * 4);
  const calls: Json[] = [];
  for (let index = 0; index < callCount; index++) {
    const name = TOOLS[Math.floor(random() * TOOLS.length)]!;
    const amount = Math.floor(random() * 10_000) / 100;
    calls.push({
      type: "tool_use",
      id: `call_${turn}_${index}`,
      name: altered && index === 0 ? "send_email" : name,
      input: {
        order_id: `A-${Math.floor(random() * 10_000)}`,
        refund: { amount: altered ? amount + 1 : amount, currency: "EUR" },
      },
    });
  }
  const text = sentence(random, 60 + Math.floor(random() * 60)) + (altered ? " sorry about that" : "");
  const stop = callCount > 0 ? "tool_use" : "end_turn";
  const payload: Json = {
    model: "model-1",
    content: [{ type: "text", text }, ...calls],
    stop_reason: stop,
    usage: { input_tokens: 200 + Math.floor(random() * 300), output_tokens: 40 + Math.floor(random() * 80) },
    latency_ms: 400 + Math.floor(random() * 900),
  };
  const request: Json = { model: "model-1", messages: [{ role: "user", content: sentence(random, 20) }], params: {} };
  return [record("chat_request", request, turn), record("chat_response", payload, turn)];
}

function record(kind: string, payload: Json, turn: number): TraceRecord {
  const ts = new Date(Date.UTC(2026, 0, 1) + turn * 1000).toISOString();
  return { version: "0.1", id: contentId(payload), kind, ts, payload };
}

function sentence(random: () => number, words: number): string {
  let text = "";
  for (let index = 0; index < words; index++)
    text += `${index === 0 ? "" : " "}${WORDS[Math.floor(random() * WORDS.length)]}`;
  return text;
}

/** A small, fast generator; nothing here needs more. */
function mulberry(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
