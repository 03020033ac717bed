/**
 * A person's yes to one tool call, as a record: an event of the guardrail that names the call by its id, its tool and its arguments,
 * and the rules that asked. A yes to one call says nothing about any other.
 */
import { type Json, jsonEqual, member, stringMember } from "./json.ts";
import type { TraceRecord } from "./record.ts";
import type { ToolCall } from "./trace.ts";

export interface Approval {
  readonly id: string;
  readonly name: string;
  readonly input: Json;
  readonly rules: readonly string[];
}

export function approvalRecord({ id, name, input, rules }: Approval): TraceRecord {
  const attributes = { tool_call_id: id, tool: name, arguments: input, rules: [...rules] };
  return { kind: "harness_event", payload: { category: "guardrail", name: "approved", severity: "info", attributes } };
}

export function approvalOf({ payload }: TraceRecord): Approval | undefined {
  if (member(payload, "category") !== "guardrail" || member(payload, "name") !== "approved") return undefined;
  const said = member(payload, "attributes");
  const [id, name] = [stringMember(said, "tool_call_id"), stringMember(said, "tool")];
  const [input, rules] = [member(said, "arguments"), member(said, "rules")];
  if (id === undefined || name === undefined || input === undefined || !Array.isArray(rules)) return undefined;
  return { id, name, input, rules: rules.filter((rule) => typeof rule === "string") };
}

export function isApproved(call: Pick<ToolCall, "id" | "name" | "input">, { id, name, input }: Approval): boolean {
  return call.id === id && call.name === name && jsonEqual(call.input ?? null, input);
}
