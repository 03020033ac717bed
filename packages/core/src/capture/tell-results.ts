/**
 * Results of tools that a request tells: the truth where nothing saw the tool run. Where it was seen, having seen it wins, and what
 * the model was sent is kept only where it says something else.
 */
import { codexExitCode } from "../providers/codex-output.ts";
import { type Json, jsonEqual, stringifyJson } from "../trace/json.ts";
import { present } from "../trace/present.ts";
import type { requestResults } from "../trace/request-results.ts";
import type { CaptureState } from "./capture-state.ts";
import { elapsedMs } from "./elapsed-ms.ts";
import type { OpenCall } from "./open-calls.ts";
import type { Lane, Turn } from "./placed.ts";
import { readBody } from "./read-body.ts";
import type { RunLog } from "./run-log.ts";

interface Place {
  readonly lane: Lane;
  readonly log: RunLog;
  readonly state: CaptureState;
  readonly atMs: number;
}

export function tellResults(results: ReturnType<typeof requestResults>, place: Place): void {
  const ids = results.flatMap(({ id }) => (id === undefined ? [] : [id]));
  const calls = place.state.placement.answerCalls(place.lane, ids);
  // They are found from the last to the first.
  for (const result of [...results].reverse()) {
    const call = result.id === undefined ? undefined : calls.get(result.id);
    if (call !== undefined) tellResult(call, result, place);
  }
}

function tellResult(call: OpenCall<Turn>, result: { failed: boolean; output?: Json }, place: Place): void {
  const { output } = result;
  const failed = result.failed || (typeof output === "string" && (codexExitCode(output) ?? 0) !== 0);
  const { log, lane, atMs } = place;
  const told = { kind: "tool_result", atMs, lane } as const;
  if (call.ran === undefined) {
    const payload = present({ tool_call_id: call.id, output, is_error: failed });
    const meta = { evidence: "told", latency_at_most_ms: elapsedMs(call.askedMs, atMs) };
    log.add({ ...told, payload, meta });
    place.state.count("toolsTold");
  } else if (output !== undefined && !saysSame(call.ran.output, output)) {
    const payload = { tool_call_id: call.id, is_error: failed };
    log.add({ ...told, payload, meta: { evidence: "told", sent_output: output } });
  }
}

/** A tool's value is sent as text, or as a block of text. */
function saysSame(ran: Json, sent: Json): boolean {
  if (jsonEqual(ran, sent)) return true;
  if (typeof sent !== "string") return false;
  if (typeof ran !== "string") return sent === stringifyJson(ran) || jsonEqual(readBody(sent), ran);
  return sent.trim() === ran.trim() || jsonEqual(readBody(sent), ran);
}
