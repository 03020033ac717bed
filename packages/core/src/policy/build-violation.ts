/** A finding of a rule → a violation with its absolute place and the evidence for it: plain data for reports. */
import { EMPTY_OBJECT, type JsonObject, member } from "../trace/json.ts";
import type { ToolCall } from "../trace/trace.ts";
import { type CallEvent, TurnEvent } from "./events.ts";
import type { Evidence, PolicyRule, Violation } from "./policy.ts";
import type { Finding } from "./rule.ts";
import { summariseCall } from "./summarise-call.ts";

/** Violations that the end will report again in their final form; not part of their data, which goes into reports. */
const PROVISIONAL = new WeakSet<Violation>();

/** Violations that are not the event's to answer for yet: kept for the end, not part of a judgement. */
const DEFERRED = new WeakSet<Violation>();

/** Whether `close` will report this violation again, with the same rule and subject. */
export function isProvisional(violation: Violation): boolean {
  return PROVISIONAL.has(violation);
}

/** Whether a later event may still make it good, so that the guard does not act on it. */
export function isDeferred(violation: Violation): boolean {
  return DEFERRED.has(violation);
}

export function buildViolation(rule: PolicyRule, finding: Finding, sessionIndex: number | null): Violation {
  const { turn, call, note, measure, restates } = finding;
  const violation: { -readonly [K in keyof Violation]: Violation[K] } = {
    ruleId: rule.id,
    kind: rule.kind,
    severity: rule.severity,
    turnIndex: turn?.index ?? (call === undefined ? null : Math.max(0, call.call.turnIndex)),
    sessionIndex,
    code: finding.code,
    message: finding.message,
    facts: finding.facts ?? EMPTY_OBJECT,
    subject: finding.subject ?? "",
    evidence: buildEvidence(finding),
  };
  if (rule.effect !== "deny") violation.effect = rule.effect;
  if (note !== undefined) violation.note = note;
  if (measure !== undefined) violation.measure = measure;
  if (restates !== undefined) violation.restates = restates;
  if (finding.provisional) PROVISIONAL.add(violation);
  if (finding.deferred) DEFERRED.add(violation);
  return violation;
}

/** What conditions of an exception are looked up in: the pair at which the finding stands. */
export function contextOfFinding(finding: Finding): JsonObject {
  const turn = finding.turn ?? finding.call?.turn;
  return turn instanceof TurnEvent ? turn.context : EMPTY_OBJECT;
}

function buildEvidence({ turn, call, span, path }: Finding): Evidence {
  const evidence: { -readonly [K in keyof Evidence]: Evidence[K] } = {};
  const recordId = (turn ?? call?.turn)?.recordId;
  if (recordId !== undefined) evidence.recordId = recordId;
  if (call !== undefined) {
    const blockIndex = blockIndexOf(call);
    if (blockIndex !== undefined) evidence.blockIndex = blockIndex;
    if (call.call.id !== undefined) evidence.callId = call.call.id;
    evidence.tool = call.call.name;
    evidence.call = summariseCall(call.call);
  }
  if (span !== undefined && turn instanceof TurnEvent) {
    evidence.span = { ...span, text: turn.text.slice(span.start, span.end) };
  }
  if (path !== undefined) evidence.path = path;
  return evidence;
}

/** A call that was saved, or judged anew when it started, is no longer the same object. */
function isCopy(block: ToolCall, call: ToolCall): boolean {
  return block.id !== undefined && block.id === call.id && block.name === call.name;
}

/** Which block of the response makes the call: the n-th `tool_use` for its n-th block call. */
function blockIndexOf({ call, turn }: CallEvent): number | undefined {
  if (turn === undefined || call.standalone) return undefined;
  const { parts, toolCalls } = turn.turn;
  let nth = 0;
  let isFound = false;
  for (let index = 0; index < toolCalls.length && !isFound; index++) {
    const block = toolCalls[index]!;
    if (block.standalone === true) continue;
    isFound = block === call || isCopy(block, call);
    if (!isFound) nth++;
  }
  if (!isFound) return undefined;
  for (let index = 0; index < parts.length; index++) {
    if (member(parts[index], "type") === "tool_use" && nth-- === 0) return index;
  }
  return undefined;
}
