/**
 * Content-blind traces: names, counts, times and hashes, and nothing anyone said. Fingerprints, baselines, drift signals
 * and tool trajectories read them like any other trace.
 *
 * A file is JSON Lines: one header (`{"format":"spoor.blind/1", …}`), then one record per step, chained by hashes.
 * Kept: agent, run, tool and model names, names of arguments and of result fields, order, parallel groups, times, tokens,
 * stop reasons, kinds of errors. Gone: prompts, replies, argument and result values, error texts, request bodies.
 * Kept labels are not filtered, so they must not carry personal data. Content hashes are keyed with the whole run, so that
 * a short value cannot be guessed from its hash; equal arguments of one run still have equal hashes.
 */
import { digestText } from "../canonical/digest.ts";
import {
  isObject,
  type Json,
  type JsonObject,
  member,
  numberMember,
  scalarText,
  setMember,
  stringifyJson,
  stringMember,
} from "../trace/json.ts";
import type { TraceRecord } from "../trace/record.ts";
import type { Step, ToolCall, Trace, Turn } from "../trace/trace.ts";
import { restoredInput, restoredOutput, shapeMembers } from "./blind-values.ts";
import { BLIND_FORMAT, signHeader, signInteraction } from "./hash-chain.ts";
import { interactionType } from "./segments.ts";

const CONTENT_HASH_LENGTH = 32;

/** A trace as content-blind records: the header, then one record per step. Every record is one line of the file. */
export function blindTrace(trace: Trace): JsonObject[] {
  const interactions: JsonObject[] = [];
  const hash = createContentHash(trace);
  let previous: string | null = null;
  for (const [sequence, step] of trace.steps.entries()) {
    const interaction = signInteraction(interactionOf(step, sequence, trace, hash), previous);
    previous = stringMember(interaction, "signature") ?? null;
    interactions.push(interaction);
  }
  return [signHeader(headerOf(trace), interactions), ...interactions];
}

/** True when a value is the first line of a content-blind file. */
export function isBlindHeader(value: Json | undefined): boolean {
  return member(value, "format") === BLIND_FORMAT;
}

/** Content-blind records as trace records, so that `buildTrace` makes the same steps again; values read `[removed]`. */
export function readBlindRecords(lines: readonly Json[]): TraceRecord[] {
  const header = lines.find(isBlindHeader);
  const interactions = lines.filter((line): line is JsonObject => isObject(line) && line !== header);
  const records: TraceRecord[] = [metadataRecord(header)];
  for (let index = 0; index < interactions.length; index++) {
    const interaction = interactions[index]!;
    const type = member(interaction, "type");
    if (member(interaction, "without_response") === true) records.push(...failedRecords(interaction));
    else if (type === "LLM_CALL") records.push(...turnRecords(interaction, interactions, index, header));
    else if (type === "TOOL_CALL") records.push(...callRecords(interaction));
    else records.push(eventRecord(interaction));
  }
  return records;
}

function headerOf(trace: Trace): Record<string, Json> {
  const header: Record<string, Json> = { format: BLIND_FORMAT, agent_id: trace.agent ?? "default", run_id: trace.id };
  if (trace.scenario !== undefined) header["scenario_id"] = trace.scenario;
  for (const key of ["session_id", "parent_run_id", "success", "status", "git_commit", "git_branch", "tags"]) {
    const value = member(trace.metadata, key);
    if (value !== undefined) header[key] = value;
  }
  const offered = new Set<string>();
  for (const turn of trace.turns) for (const { name } of turn.offeredTools ?? []) offered.add(name);
  if (offered.size > 0) header["tools"] = [...offered].sort();
  return header;
}

function interactionOf(step: Step, sequence: number, trace: Trace, hash: ContentHash): JsonObject {
  const interaction: Record<string, Json> = {
    id: step.call?.id ?? `step-${sequence}`,
    sequence,
    type: interactionType(step.kind),
    target: step.target,
    turn: step.turnIndex,
    status: step.status,
  };
  const keep = (key: string, value: Json | undefined) => {
    if (value !== undefined) interaction[key] = value;
  };
  keep("error_kind", step.errorKind);
  keep("latency_ms", step.durationMs);
  keep("input_tokens", step.inputTokens);
  keep("output_tokens", step.outputTokens);
  keep("parallel_group", step.parallelGroup);
  keep("agent", step.agent);
  keep("without_response", step.withoutResponse);
  if (step.kind === "llm" && !step.withoutResponse) keepTurn(trace.turns[step.turnIndex], keep, hash);
  if (step.call !== undefined) keepCall(step.call, keep, hash);
  return interaction;
}

type Keep = (key: string, value: Json | undefined) => void;

function keepTurn(turn: Turn | undefined, keep: Keep, hash: ContentHash): void {
  if (turn === undefined) return;
  keep("started_at", turn.ts);
  keep("parent_call_id", turn.parentCallId);
  keep("stop_reason", turn.stopReason);
  keep("content_hash", hash([turn.request, turn.response]));
}

function keepCall(call: ToolCall, keep: Keep, hash: ContentHash): void {
  keep("call_id", call.id);
  keep("started_at", call.startedAt);
  if (call.standalone) keep("standalone", true);
  for (const [key, value] of Object.entries(shapeMembers(call, hash))) keep(key, value);
  if (call.output !== undefined) keep("content_hash", hash(call.output));
}

type ContentHash = (content: Json) => string;

/** The key is the hash of everything the run holds: whoever has the original can recompute it, nobody else. */
function createContentHash(trace: Trace): ContentHash {
  const key = digestText(stringifyJson(trace.records.map((record) => record.payload)));
  return (content) => digestText(`${key}:${stringifyJson(content)}`, CONTENT_HASH_LENGTH);
}

function metadataRecord(header: Json | undefined): TraceRecord {
  const payload: Record<string, Json> = {};
  if (isObject(header)) {
    for (const key of Object.keys(header)) {
      if (!["format", "tools", "interaction_count", "chain_hash", "header_hash"].includes(key))
        setMember(payload, key, header[key]!);
    }
  }
  // The key of its hashes is the run itself, so values of two runs never tell whether they are equal.
  payload["content"] = "blind";
  const runId = stringMember(header, "run_id");
  return { kind: "metadata", payload, meta: { redacted: true, ...(runId === undefined ? {} : { trace_id: runId }) } };
}

function turnRecords(
  interaction: JsonObject,
  interactions: readonly JsonObject[],
  index: number,
  header: Json | undefined,
): TraceRecord[] {
  const turn = numberMember(interaction, "turn");
  const request: Record<string, Json> = { model: member(interaction, "target") ?? "" };
  const offered = turn === 0 ? member(header, "tools") : undefined;
  if (Array.isArray(offered)) request["tools"] = offered.map((name) => ({ name }));
  const response: Record<string, Json> = { model: member(interaction, "target") ?? "" };
  response["content"] = blocksOfTurn(interactions, index, turn).map(blockOf);
  const stopReason = stringMember(interaction, "stop_reason");
  if (member(interaction, "status") === "error") response["stop_reason"] = "error";
  else if (stopReason !== undefined) response["stop_reason"] = stopReason;
  copy(interaction, "latency_ms", response, "latency_ms");
  copy(interaction, "error_kind", response, "error_kind");
  const usage: Record<string, Json> = {};
  copy(interaction, "input_tokens", usage, "input_tokens");
  copy(interaction, "output_tokens", usage, "output_tokens");
  if (Object.keys(usage).length > 0) response["usage"] = usage;
  const meta: Record<string, Json> = { redacted: true };
  copy(interaction, "agent", meta, "agent");
  copy(interaction, "parent_call_id", meta, "parent_tool_call_id");
  const blocks = blocksOfTurn(interactions, index, turn);
  const group = stringMember(blocks[0], "parallel_group");
  if (group !== undefined) meta["parallel_group"] = group;
  else if (blocks.length > 1) meta["sequential"] = true;
  const ts = startOf(interaction);
  const clock = ts === undefined ? {} : { ts };
  return [
    { kind: "chat_request", payload: request, meta, ...clock },
    { kind: "chat_response", payload: response, meta, ...clock },
  ];
}

/** A request that failed: an error stands where its response would. */
function failedRecords(interaction: JsonObject): TraceRecord[] {
  const error: Record<string, Json> = { source: "llm" };
  copy(interaction, "error_kind", error, "code");
  copy(interaction, "latency_ms", error, "latency_ms");
  const meta: Record<string, Json> = { redacted: true };
  copy(interaction, "agent", meta, "agent");
  return [
    { kind: "chat_request", payload: { model: member(interaction, "target") ?? "" }, meta },
    { kind: "error", payload: error, meta },
  ];
}

/** The tool calls that a response made: the tool steps of its turn that were not recorded on their own. */
function blocksOfTurn(interactions: readonly JsonObject[], index: number, turn: number | undefined): JsonObject[] {
  const blocks: JsonObject[] = [];
  for (let next = index + 1; next < interactions.length; next++) {
    const candidate = interactions[next]!;
    if (member(candidate, "type") === "LLM_CALL" && member(candidate, "without_response") !== true) break;
    if (member(candidate, "type") !== "TOOL_CALL" || member(candidate, "standalone") === true) continue;
    if (numberMember(candidate, "turn") === turn) blocks.push(candidate);
  }
  return blocks;
}

function blockOf(interaction: JsonObject): JsonObject {
  const block: Record<string, Json> = {
    type: "tool_use",
    id: callId(interaction),
    name: member(interaction, "target") ?? "",
  };
  const input = restoredInput(interaction);
  if (input !== undefined) block["input"] = input;
  return block;
}

/** A call's result, and the call itself: for a block of a response the call record is a twin and changes nothing. */
function callRecords(interaction: JsonObject): TraceRecord[] {
  const id = callId(interaction);
  const meta: Record<string, Json> = { redacted: true };
  copy(interaction, "agent", meta, "agent");
  copy(interaction, "parallel_group", meta, "parallel_group");
  const call: Record<string, Json> = { tool_name: member(interaction, "target") ?? "", tool_call_id: id };
  const input = restoredInput(interaction);
  if (input !== undefined) call["arguments"] = input;
  const ts = startOf(interaction);
  const records: TraceRecord[] = [{ kind: "tool_call", payload: call, meta, ...(ts === undefined ? {} : { ts }) }];
  const status = member(interaction, "status");
  if (status === "unknown") return records;
  const result: Record<string, Json> = { tool_call_id: id, is_error: status === "error" };
  const output = restoredOutput(interaction);
  if (output !== undefined) result["output"] = output;
  copy(interaction, "latency_ms", result, "latency_ms");
  copy(interaction, "error_kind", result, "error_kind");
  records.push({ kind: "tool_result", payload: result, meta });
  return records;
}

function eventRecord(interaction: JsonObject): TraceRecord {
  const attributes: Record<string, Json> = {};
  copy(interaction, "latency_ms", attributes, "latency_ms");
  copy(interaction, "error_kind", attributes, "error_kind");
  const meta: Record<string, Json> = { redacted: true };
  copy(interaction, "agent", meta, "agent");
  copy(interaction, "parallel_group", meta, "parallel_group");
  return {
    kind: "harness_event",
    payload: {
      category: member(interaction, "type") === "HTTP_REQUEST" ? "http_request" : "step",
      name: member(interaction, "target") ?? "",
      severity: member(interaction, "status") === "error" ? "error" : "info",
      attributes,
    },
    meta,
  };
}

/** A recorded call id may be missing; the place in the run is unique and serves as well. */
function callId(interaction: JsonObject): string {
  return stringMember(interaction, "call_id") ?? `step-${scalarText(member(interaction, "sequence"))}`;
}

/** What is no time is left out, as every reader does. */
function startOf(interaction: JsonObject): string | undefined {
  const stated = stringMember(interaction, "started_at");
  return stated === undefined || Number.isNaN(Date.parse(stated)) ? undefined : stated;
}

function copy(from: JsonObject, key: string, to: Record<string, Json>, as: string): void {
  const value = member(from, key);
  // A time below zero is none.
  if (key === "latency_ms" && typeof value === "number" && value < 0) return;
  if (value !== undefined) to[as] = value;
}
