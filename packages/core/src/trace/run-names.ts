/** What the records of a run call it: its id, its agent and the task it worked on. */
import { type Json, member, nameMember } from "./json.ts";
import type { TraceRecord } from "./record.ts";

export function agentName(records: readonly TraceRecord[], metadata: Json | undefined): string | undefined {
  return (
    nameMember(metadata, "agent") ??
    nameMember(metadata, "agent_id") ??
    nameMember(member(metadata, "tags"), "agent") ??
    nameMember(records[0]?.meta ?? undefined, "agent_id")
  );
}

/** The task a run worked on, under any of the names it goes by. */
export function scenarioName(records: readonly TraceRecord[], metadata: Json | undefined): string | undefined {
  const meta = records[0]?.meta ?? undefined;
  const tags = member(metadata, "tags");
  for (const key of ["scenario_id", "scenario", "task_id", "case"]) {
    for (const place of [meta, metadata, tags]) {
      const value = member(place, key);
      if (typeof value === "string" && value !== "") return value;
      if (typeof value === "number" || typeof value === "bigint") return String(value);
    }
  }
  return undefined;
}
