import { type Json, member, stringMember } from "./json.ts";
import { present } from "./present.ts";
import type { TraceRecord } from "./record.ts";
import { replayedOf } from "./replay-marks.ts";
import type { RecordingFacts, ToolCall } from "./trace.ts";

/** What a recorder says about its own work: never a step of the agent, and nothing for a comparison of harnesses. */
export function isRecordingEvent(record: TraceRecord): boolean {
  return record.kind === "harness_event" && member(record.payload, "category") === "recording";
}

/** The record with which a recorder closes a file: what follows it was not written by that run. */
export function isClosingRecord(record: TraceRecord): boolean {
  return isRecordingEvent(record) && member(record.payload, "name") === "closed";
}

/** Why a question about what was said has no answer. */
export const NOT_RECORDED = "the recording is blind: what was said, asked and returned was not kept";

/** What a recording says it lacks; undefined when it lacks nothing. */
export function recordingFacts(
  gaps: number,
  unanswered: number,
  metadata: Json | undefined,
  toolCalls: readonly ToolCall[],
): RecordingFacts | undefined {
  const blind = member(metadata, "content") === "blind" ? (stringMember(metadata, "content_key") ?? "") : undefined;
  const replayed = replayedOf(metadata);
  const left = toolCalls.find(leavesPath);
  if (gaps === 0 && unanswered === 0 && blind === undefined && replayed === undefined && left === undefined)
    return undefined;
  const offPathFrom = left === undefined ? undefined : left.turnIndex + 1;
  return present({ unanswered: unanswered || undefined, gaps: gaps || undefined, replayed, offPathFrom, blind });
}

/** What the agent did after such a call, it did in a world that nobody recorded. */
function leavesPath({ standIn }: ToolCall): boolean {
  return standIn === "refused" || standIn === "stale";
}
