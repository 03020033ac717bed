/**
 * Examples that a policy file carries: small traces that a rule must pass or fail. `spoor policy test` runs them.
 *
 *     examples:
 *       - name: refund without asking
 *         fails: confirm-before-refund
 *         turns:
 *           - calls: [{ name: issue_refund, args: { amount: 89 }, result: ok }]
 *           - text: "Done."
 *
 * Instead of `turns` an example may have a `trace`: a file, or what was copied from a log (messages, a response, calls),
 * read as `readTrace` reads it.
 */
import { SpoorError } from "../errors.ts";
import { readTraceInMemory } from "../providers/read-trace.ts";
import { custom, list, oneOf, oneOrMany, record } from "../read/collections.ts";
import { optional, preset, required } from "../read/field.ts";
import { named } from "../read/json-schema.ts";
import type { Located } from "../read/located.ts";
import { mapping } from "../read/mapping.ts";
import { integer, json, text } from "../read/scalars.ts";
import type { Read, Shape } from "../read/shape.ts";
import { nearest } from "../text/nearest.ts";
import type { Json, JsonObject } from "../trace/json.ts";
import { member } from "../trace/json.ts";
import type { TraceRecord } from "../trace/record.ts";
import type { PolicyExample } from "./policy.ts";
import { rulePlace } from "./rule-shape.ts";
import { anyNames } from "./shapes.ts";

const call = oneOf(
  custom(text, (name) => ({ name })),
  mapping(
    "a call",
    {
      name: required(text, "the tool"),
      args: optional(json, "its arguments"),
      result: optional(json, "what it returned"),
      error: optional(json, "what it failed with"),
    },
    { emptyIsAbsent: true },
  ),
) as Shape<Call>;

interface Call {
  readonly name: string;
  readonly args?: Json;
  readonly result?: Json;
  readonly error?: Json;
}

const turn = named(
  "turn",
  mapping(
    "a turn",
    {
      user: optional(text, "what the user says before it"),
      text: optional(text, "what the model says"),
      calls: preset(oneOrMany(call), [] as readonly Call[], "what it calls: a name, or {name, args, result, error}"),
      stopReason: optional(text, "why it ended; by default tool_use after calls, else end_turn"),
      model: optional(text, "the model"),
      request: optional(record(json), "further members of the request"),
      usage: optional(record(json), "token counts"),
      agent: optional(text, "the sub-agent whose turn it is"),
      at: optional(text, "when it was, as ISO 8601 writes it"),
      repeat: preset(integer({ min: 1, max: 1000 }), 1, "the same turn so many times"),
    },
    { emptyIsAbsent: true },
  ),
);
type Turn = Read<typeof turn>;

/** What was copied is understood wholly or not at all: a call that was read over would make the example prove nothing. */
const copiedTrace = custom(oneOf(list(json), record(json)), (value, at): readonly TraceRecord[] | undefined => {
  try {
    const { records, source } = readTraceInMemory(value, { allowEmpty: true });
    const strange = Object.keys(source.unknown ?? {}).join(", ");
    return strange === "" ? records : at.problem(`${at.name} has parts that were not understood: ${strange}.`);
  } catch (error) {
    if (!(error instanceof SpoorError)) throw error;
    return at.problem([error.message, error.hint].filter((text) => text !== undefined).join(" "));
  }
});

export const exampleShape: Shape<PolicyExample> = named(
  "example",
  custom(
    mapping(
      "an example",
      {
        name: optional(text, "what is shown; by default its number"),
        passes: preset(anyNames, [] as readonly string[], "ids of rules that must hold"),
        fails: preset(anyNames, [] as readonly string[], "ids of rules that must be broken"),
        turns: optional(list(turn), "the trace, in a few words per turn"),
        principal: optional(record(json), "who acts and for whom: `{user: u-7}`; with turns"),
        trace: optional(
          oneOf(text, copiedTrace),
          "or a trace file, relative to the policy file; or messages, a response or calls as a log has them",
        ),
      },
      { emptyIsAbsent: true, atLeastOne: [["passes", "fails"]], exactlyOne: [["turns", "trace"]] },
    ),
    ({ turns, trace, name, principal, ...rest }, at): PolicyExample | undefined => {
      if (principal !== undefined && trace !== undefined)
        return at.problem("principal goes with turns; a trace says itself who acts, in its metadata.");
      return {
        ...rest,
        name: name ?? `example ${Number(at.address.at(-1)) + 1}`,
        ...(typeof trace === "string"
          ? { trace }
          : { records: trace ?? [...metadataOf(principal), ...recordsOf(turns ?? [])] }),
        at: rulePlace(at),
      };
    },
  ),
);

/** Reports every example that speaks about a rule that does not exist. */
export function checkRuleIds(examples: Located | undefined, known: readonly string[]): void {
  for (const example of examples?.items() ?? []) {
    for (const key of ["passes", "fails"]) {
      const named = example.get(key);
      for (const at of Array.isArray(named?.value) ? named.items() : named === undefined ? [] : [named]) {
        if (typeof at.value !== "string" || known.includes(at.value)) continue;
        const close = nearest(at.value, known);
        const hint = close === undefined ? "" : ` Did you mean ${close}?`;
        at.problem(`${key} names no rule of this policy: ${at.value}.${hint}`);
      }
    }
  }
}

function metadataOf(principal: JsonObject | undefined): TraceRecord[] {
  return principal === undefined ? [] : [{ kind: "metadata", payload: { principal } }];
}

/** Compact turns → records. Each turn is a request (the user's words, results of the calls before) and a response. */
function recordsOf(turns: readonly Turn[]): TraceRecord[] {
  const records: TraceRecord[] = [];
  const messages: Json[] = [];
  let callNumber = 0;
  for (const turn of turns.flatMap((one) => Array.from({ length: one.repeat }, () => one))) {
    const { user, model, request, usage, agent } = turn;
    const ts = turn.at === undefined ? {} : { ts: turn.at };
    if (user !== undefined || messages.length === 0) messages.push({ role: "user", content: user ?? "…" });
    records.push({
      kind: "chat_request",
      payload: { ...(model === undefined ? {} : { model }), messages: [...messages], ...request },
      ...ts,
    });
    const content: Json[] = turn.text === undefined ? [] : [{ type: "text", text: turn.text }];
    const results: Json[] = [];
    for (const { name, args = {}, result, error } of turn.calls) {
      const id = `call-${++callNumber}`;
      content.push({ type: "tool_use", id, name, input: args });
      const output = error ?? result;
      if (output === undefined) continue;
      results.push({
        role: "tool",
        tool_call_id: id,
        content: output,
        ...(error === undefined ? {} : { is_error: true }),
      });
    }
    records.push({
      kind: "chat_response",
      payload: {
        content,
        stop_reason: turn.stopReason ?? (turn.calls.length > 0 ? "tool_use" : "end_turn"),
        ...(model === undefined ? {} : { model }),
        ...(usage === undefined ? {} : { usage }),
      },
      ...ts,
      ...(agent === undefined ? {} : { meta: { agent } }),
    });
    messages.push({ role: "assistant", content }, ...results);
  }
  // The results of the last turn's calls travel in no later request.
  const last = messages.filter((message) => member(message, "role") === "tool");
  for (const result of last) records.push({ kind: "tool_result", payload: resultPayload(result) });
  return records;
}

function resultPayload(result: Json): JsonObject {
  const failed = member(result, "is_error");
  return {
    tool_call_id: member(result, "tool_call_id") ?? "",
    output: member(result, "content") ?? null,
    ...(failed === undefined ? {} : { is_error: failed }),
  };
}
