import type { TraceRecord } from "./record.ts";
import type { Session, Turn } from "./trace.ts";

/** The records and turns of each conversation. Lists are made as long as they get: one that grows keeps room for more. */
export function collectSessions(
  records: readonly TraceRecord[],
  sessionOf: readonly number[],
  turns: readonly Turn[],
): Session[] {
  let count = 0;
  for (const index of sessionOf) if (index >= count) count = index + 1;
  const [recordCounts, turnCounts] = [new Uint32Array(count), new Uint32Array(count)];
  for (const index of sessionOf) recordCounts[index]!++;
  for (const turn of turns) turnCounts[turn.sessionIndex]!++;
  const sessions: { index: number; turns: Turn[]; records: TraceRecord[] }[] = [];
  for (let index = 0; index < count; index++)
    sessions.push({ index, turns: new Array(turnCounts[index]!), records: new Array(recordCounts[index]!) });
  recordCounts.fill(0);
  turnCounts.fill(0);
  for (let index = 0; index < records.length; index++) {
    const session = sessionOf[index]!;
    sessions[session]!.records[recordCounts[session]!++] = records[index]!;
  }
  for (const turn of turns) sessions[turn.sessionIndex]!.turns[turnCounts[turn.sessionIndex]!++] = turn;
  return sessions;
}
