/** A tool that runs in this process: the truth about what it got and gave. */
import type { Json } from "../trace/json.ts";
import { present } from "../trace/present.ts";
import { type ReplayMark, replayMeta } from "../trace/replay-marks.ts";
import { callKey } from "./asked-calls.ts";
import type { CaptureState } from "./capture-state.ts";
import { elapsedMs } from "./elapsed-ms.ts";
import type { OpenCall } from "./open-calls.ts";
import type { Turn } from "./placed.ts";
import { tidyJson } from "./read-body.ts";
import type { CapturedTool, SeenTool } from "./seen.ts";

export function captureTool(seen: SeenTool, state: CaptureState): CapturedTool {
  return placeTool(seen, state) ?? state.early.add(seen);
}

/** Those whose answer has ended by now, or that no answer can ask for any more. */
export function placeEarlyTools(state: CaptureState): void {
  state.early.settle((seen) => placeTool(seen, state));
}

/** Nothing as long as an answer that is under way may still ask for it. */
function placeTool(seen: SeenTool, state: CaptureState): CapturedTool | undefined {
  const { name, callId, session } = seen;
  const input = state.redactJson(tidyJson(seen.input));
  const call = state.placement.beginCall({ id: callId, key: callKey(name, input), session: session?.id });
  if (call === undefined && state.open.size > 0) return undefined;
  return beginTool(seen, input, call, state);
}

function beginTool(seen: SeenTool, input: Json, call: OpenCall<Turn> | undefined, state: CaptureState): CapturedTool {
  const { name, callId, atMs, session } = seen;
  const run = call?.turn.lane.run ?? state.placement.runOf(session?.id);
  const lane = call?.turn.lane;
  const log = state.logOf(run, session, atMs);
  const id = callId ?? call?.id ?? `ran-${log.counts.get("tool_call") ?? 0}`;
  const agent = lane === undefined ? seen.agent : undefined;
  const parent = log.add({
    kind: "tool_call",
    payload: { tool_name: name, tool_call_id: id, arguments: input },
    atMs,
    lane,
    meta: { agent: lane?.agent ?? agent },
  });
  state.count("toolsRun");
  let settled = false;
  return {
    end: (output, endMs, mark) => settle(output, false, undefined, endMs, mark),
    failed: (error, endMs, mark) => settle(error.message, true, error.kind, endMs, mark),
  };

  function settle(
    value: Json,
    failed: boolean,
    kind: string | undefined,
    endMs: number,
    mark: ReplayMark | undefined,
  ): void {
    if (settled) return;
    settled = true;
    state.guarded(() => {
      const output = state.redactJson(tidyJson(value));
      if (call !== undefined) call.ran = { output };
      const payload = present({
        tool_call_id: id,
        output,
        is_error: failed,
        error_type: kind,
        // What nothing did took no time that would say anything.
        latency_ms: mark === undefined ? elapsedMs(atMs, endMs) : undefined,
      });
      log.add({
        kind: "tool_result",
        payload,
        atMs: endMs,
        lane,
        parent,
        meta: { agent: lane?.agent ?? agent, ...(mark === undefined ? { evidence: "ran" } : replayMeta(mark)) },
      });
    }, undefined);
  }
}
