/**
 * Examples that a policy file carries: small traces that a rule must pass or fail. `spoor policy test` runs them.
 *
 *     examples:
 *       - name: refund without asking
 *         fails: confirm-before-refund
 *         turns:
 *           - calls: [{ name: issue_refund, args: { amount: 89 }, result: ok }]
 *           - text: "Done."
 */

import type { YamlDocument } from "../read/parse-yaml.ts";
import { nearest } from "../text/nearest.ts";
import { describeType, listOf } from "../text/words.ts";
import { isObject, type Json, type JsonObject, member } from "../trace/json.ts";
import type { ExampleRecord, PolicyExample, PolicyRule } from "./policy.ts";
import type { Place } from "./problems.ts";

const EXAMPLE_KEYS = ["name", "passes", "fails", "turns", "trace"];

export function parseExamples(
  raw: Json | undefined,
  rules: readonly PolicyRule[],
  source: YamlDocument,
  place: Place,
): PolicyExample[] {
  if (raw === undefined || raw === null) return [];
  if (!Array.isArray(raw)) {
    place.problem(`examples must be a list, found ${describeType(raw)}.`);
    return [];
  }
  return raw.flatMap((item: Json, index) => {
    const { line, column } = source.locate(["examples", index]);
    const at = {
      file: source.file,
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
    };
    return parseExample(item, index, rules, at, place.child(index)) ?? [];
  });
}

function parseExample(
  raw: Json,
  index: number,
  rules: readonly PolicyRule[],
  at: PolicyExample["at"],
  place: Place,
): PolicyExample | undefined {
  if (!isObject(raw)) return place.problem(`an example must be a mapping, found ${describeType(raw)}.`);
  const before = place.errorCount;
  reportUnknown(raw, EXAMPLE_KEYS, "an example", place);
  const passes = parseRuleIds(raw, "passes", rules, place);
  const fails = parseRuleIds(raw, "fails", rules, place);
  if (passes.length + fails.length === 0) place.problem("an example must say which rule it passes or fails.");
  const turns = member(raw, "turns");
  const trace = member(raw, "trace");
  if ((turns === undefined) === (trace === undefined))
    place.problem("an example needs either turns or trace (a file).");
  if (trace !== undefined && typeof trace !== "string")
    place.child("trace").problem(`trace must be the name of a file, found ${describeType(trace)}.`);
  const records = turns === undefined ? undefined : parseTurns(turns, place.child("turns"));
  const name = member(raw, "name");
  if (place.errorCount > before) return undefined;
  return {
    name: typeof name === "string" ? name : `example ${index + 1}`,
    passes,
    fails,
    ...(records === undefined ? {} : { records }),
    ...(typeof trace === "string" ? { trace } : {}),
    at,
  };
}

function parseRuleIds(raw: JsonObject, key: "passes" | "fails", rules: readonly PolicyRule[], place: Place): string[] {
  const value = member(raw, key);
  if (value === undefined || value === null) return [];
  const known = rules.map((rule) => rule.id);
  const ids: readonly Json[] = Array.isArray(value) ? value : [value];
  return ids.flatMap((id) => {
    if (typeof id === "string" && known.includes(id)) return [id];
    const close = typeof id === "string" ? nearest(id, known) : undefined;
    const hint = close === undefined ? "" : ` Did you mean ${close}?`;
    place.child(key).problem(`${key} names no rule of this policy: ${String(id)}.${hint}`);
    return [];
  });
}

const TURN_KEYS = ["user", "text", "calls", "stop_reason", "model", "request", "usage", "agent", "repeat"];

/** Compact turns → records. Each turn is a request (the user's words, results of the calls before) and a response. */
function parseTurns(raw: Json, place: Place): ExampleRecord[] {
  if (!Array.isArray(raw)) {
    place.problem(`turns must be a list, found ${describeType(raw)}.`);
    return [];
  }
  const records: ExampleRecord[] = [];
  const messages: Json[] = [];
  let callNumber = 0;
  const add = (item: JsonObject, at: Place): void => {
    reportUnknown(item, TURN_KEYS, "a turn", at);
    const user = member(item, "user");
    if (typeof user === "string" || messages.length === 0)
      messages.push({ role: "user", content: typeof user === "string" ? user : "…" });
    const extra = member(item, "request");
    const model = member(item, "model");
    records.push({
      kind: "chat_request",
      payload: {
        ...(typeof model === "string" ? { model } : {}),
        messages: [...messages],
        ...(isObject(extra) ? extra : {}),
      },
    });
    const content: Json[] = [];
    const results: Json[] = [];
    const text = member(item, "text");
    if (typeof text === "string") content.push({ type: "text", text });
    const calls = member(item, "calls");
    const list: readonly Json[] = calls === undefined || calls === null ? [] : Array.isArray(calls) ? calls : [calls];
    list.forEach((call, callIndex) => {
      const id = `call-${++callNumber}`;
      const parsed = parseCall(call, id, at.child("calls").child(callIndex));
      if (parsed === undefined) return;
      content.push(parsed.block);
      if (parsed.result !== undefined) results.push(parsed.result);
    });
    const stop = member(item, "stop_reason") ?? (list.length > 0 ? "tool_use" : "end_turn");
    const usage = member(item, "usage");
    const agent = member(item, "agent");
    records.push({
      kind: "chat_response",
      payload: { content, stop_reason: stop, ...(isObject(usage) ? { usage } : {}) },
      ...(typeof agent === "string" ? { meta: { agent } } : {}),
    });
    messages.push({ role: "assistant", content }, ...results);
  };
  raw.forEach((item: Json, index) => {
    const at = place.child(index);
    if (!isObject(item)) {
      at.problem(`a turn must be a mapping, found ${describeType(item)}.`);
      return;
    }
    const repeat = member(item, "repeat") ?? 1;
    if (typeof repeat !== "number" || !Number.isInteger(repeat) || repeat < 1 || repeat > 1000) {
      at.child("repeat").problem("repeat must be a whole number from 1 to 1000.");
      return;
    }
    for (let time = 0; time < repeat; time++) add(item, at);
  });
  // The results of the last turn's calls travel in no later request.
  const last = messages.filter((message) => member(message, "role") === "tool");
  for (const result of last) records.push({ kind: "tool_result", payload: resultPayload(result) });
  return records;
}

const CALL_KEYS = ["name", "args", "result", "error"];

function parseCall(raw: Json, id: string, place: Place): { block: JsonObject; result?: JsonObject } | undefined {
  if (typeof raw === "string") return { block: { type: "tool_use", id, name: raw, input: {} } };
  if (!isObject(raw))
    return place.problem(`a call must be a name, or a mapping with name; found ${describeType(raw)}.`);
  reportUnknown(raw, CALL_KEYS, "a call", place);
  const name = member(raw, "name");
  if (typeof name !== "string") return place.problem(`a call needs the name of its tool, found ${describeType(name)}.`);
  const block = { type: "tool_use", id, name, input: member(raw, "args") ?? {} };
  const error = member(raw, "error");
  const output = error ?? member(raw, "result");
  if (output === undefined || output === null) return { block };
  return {
    block,
    result: { role: "tool", tool_call_id: id, content: output, ...(error === undefined ? {} : { is_error: true }) },
  };
}

function resultPayload(result: Json): JsonObject {
  const failed = member(result, "is_error");
  return {
    tool_call_id: member(result, "tool_call_id") ?? "",
    output: member(result, "content") ?? null,
    ...(failed === undefined ? {} : { is_error: failed }),
  };
}

function reportUnknown(raw: JsonObject, known: readonly string[], what: string, place: Place): void {
  for (const key of Object.keys(raw)) {
    if (known.includes(key)) continue;
    const close = nearest(key, known);
    place.keyProblem(
      key,
      `unknown key "${key}" in ${what}. ${close === undefined ? `It has ${listOf(known)}.` : `Did you mean ${close}?`}`,
    );
  }
}
