/**
 * A call that was asked for and never ran, as a record: an event of the guardrail that names the call. A hook, a permission or a
 * person said no; the model was told so in the form of a failed result, which is not the result of anything.
 */
import { member, stringMember } from "./json.ts";
import type { TraceRecord } from "./record.ts";

export function refusalRecord(callId: string, by?: string): TraceRecord {
  const attributes = { tool_call_id: callId, ...(by === undefined ? {} : { by }) };
  return { kind: "harness_event", payload: { category: "guardrail", name: "refused", severity: "info", attributes } };
}

/** The id of the call that was refused. */
export function refusalOf({ payload }: TraceRecord): string | undefined {
  if (member(payload, "category") !== "guardrail" || member(payload, "name") !== "refused") return undefined;
  return stringMember(member(payload, "attributes"), "tool_call_id");
}
