/** The requests of a long coding session on disk, against writing each of them whole. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Json, JsonObject, TraceRecord } from "@spoor/core";
import { canonicalJson } from "@spoor/core/internal/canonical/canonical-json";
import { DeltaRequests } from "@spoor/core/internal/capture/delta-requests";
import { type ReadMessage, readMessage } from "@spoor/core/internal/capture/read-history";
import { wholeRequest } from "@spoor/core/internal/capture/whole-request";
import { member, stringifyJson } from "@spoor/core/internal/trace/json";
import { messageList } from "@spoor/core/internal/trace/message-list";
import { loadTraces } from "spoor";
import type { BenchmarkRow } from "../benchmark.ts";

const SESSION = fileURLToPath(new URL("../../../../shared/corpora/pi-session/large-session.jsonl.gz", import.meta.url));
const LEAST = 60;

export async function deltaRows(): Promise<BenchmarkRow[]> {
  const isReal = existsSync(SESSION);
  const requests = isReal ? await requestsOf(SESSION) : syntheticRequests();
  const written = sizes(requests);
  return [
    {
      what: `requests of a long session (${isReal ? "453 responses of a coding agent" : "synthetic, 450 turns"})`,
      measured: `${(written.whole / written.delta).toFixed(1)} times smaller (${megabytes(written.delta)})`,
      against: `each written whole, ${megabytes(written.whole)}; ${LEAST} times`,
      kept: written.whole / written.delta >= LEAST,
    },
  ];
}

async function requestsOf(path: string): Promise<JsonObject[]> {
  const [trace] = await loadTraces([path]);
  const records: readonly TraceRecord[] = trace?.records ?? [];
  return records.flatMap(({ kind, payload }) => (kind === "chat_request" ? [payload as JsonObject] : []));
}

function syntheticRequests(): JsonObject[] {
  const messages: JsonObject[] = [];
  return Array.from({ length: 450 }, (_, turn) => {
    messages.push({ role: "assistant", content: `I look at file ${turn}.` });
    messages.push({ role: "tool", tool_call_id: `${turn}`, content: `line of code ${turn}\n`.repeat(40) });
    return { model: "m", messages: [...messages] };
  });
}

function sizes(requests: readonly JsonObject[]): { whole: number; delta: number } {
  const known = new Map<Json, ReadMessage>();
  const deltas = new DeltaRequests();
  let whole = 0;
  let delta = 0;
  for (const payload of requests) {
    const messages = messageList(payload)!
      .slice()
      .map((message) => {
        const read = known.get(message) ?? readMessage(message as JsonObject);
        known.set(message, read);
        return read;
      });
    const part = (key: string) => {
      const value = member(payload, key);
      return value === undefined ? undefined : { value, text: canonicalJson(value), redacted: false };
    };
    whole += stringifyJson(payload).length;
    const written = deltas.write(
      wholeRequest({ messages, model: part("model"), params: part("params"), tools: part("tools") }),
    );
    delta += stringifyJson(written.payload).length;
  }
  return { whole, delta };
}

function megabytes(characters: number): string {
  return `${(characters / 1e6).toFixed(characters < 1e7 ? 2 : 0)} MB`;
}
