import { custom, oneOrMany, record } from "../../read/collections.ts";
import { optional, preset } from "../../read/field.ts";
import { integer, json } from "../../read/scalars.ts";
import type { Pattern } from "../../text/pattern.ts";
import { isTool } from "../../text/tool-name.ts";
import { countOf, listOf, shortJson } from "../../text/words.ts";
import type { Json } from "../../trace/json.ts";
import type { ToolCall } from "../../trace/trace.ts";
import type { Condition } from "../condition.ts";
import { describeArguments } from "../conditions.ts";
import type { CallEvent } from "../events.ts";
import { compileResponseSchema, type ResponseSchema } from "../json-schema.ts";
import { judgeResult } from "../judge-arguments.ts";
import { dataOf, lengthOf, mapTexts, textsOf } from "../result-texts.ts";
import { defineRule, type Finding } from "../rule.ts";
import { anyNames, argumentConditions, pattern } from "../shapes.ts";

interface State {
  readonly calls: number;
  readonly results: number;
}

interface Params {
  readonly tool: readonly string[];
  readonly matching: readonly Pattern[];
  readonly where: readonly Condition[];
  readonly schema?: ResponseSchema;
  readonly longerThan?: number;
}

const schema = custom(record(json), (written, at): ResponseSchema | undefined => {
  const compiled = compileResponseSchema(written);
  return typeof compiled === "string" ? at.problem(compiled) : compiled;
});

/**
 * What a tool returned is not such that the model may read it. A result with `where` is looked at only if that holds; it is an
 * offence if a text in it matches, it does not fit the schema or is too long, and if none of these is asked, by itself.
 */
export const noResult = defineRule({
  kind: "no_result",
  summary: "what a tool returns must not be such; judged before the model reads it",
  params: {
    tool: preset(anyNames, [], "the tool, or a list of tools; absent: all tools"),
    matching: preset(oneOrMany(pattern), [] as readonly Pattern[], "patterns that no text of the result may match"),
    where: preset(
      argumentConditions,
      [] as readonly Condition[],
      "only results that satisfy these conditions; paths begin at the result",
    ),
    schema: optional(schema, "the JSON Schema that the result must fit"),
    longerThan: optional(integer({ min: 1 }), "so many characters are too long"),
  },
  paramOptions: { atLeastOne: [["matching", "where", "schema", "longerThan"]] },
  explain: (params) => `What ${toolWords(params.tool)} returns must not ${listOf(faultsOf(params), "or")}.`,
  headline: (params) => ({
    subject: params.tool.length === 0 ? "a tool" : listOf(params.tool, "or"),
    predicate: `returns what must not ${listOf(faultsOf(params), "or")}`,
  }),
  tools: ({ tool }) => tool,
  needsResults: () => true,
  // A result is judged when it comes: nobody need keep it.
  readsOutputOf: () => [],
  judgesCallAlone: "always",
  judgesResults: true,
  effects: ({ matching }) => (matching.length > 0 ? ["ask", "redact"] : ["ask"]),
  redact: (value, { matching }, mark) =>
    mapTexts(value, (text) => matching.reduce((left, one) => one.replaceAll(left, mark), text)),
  start: (): State => ({ calls: 0, results: 0 }),

  onCall: (state, call, { params }) =>
    concerns(params.tool, call) ? { calls: state.calls + 1, results: state.results } : state,

  onResult(state, call, { params, found, notEvaluated }) {
    if (!concerns(params.tool, call)) return state;
    const { name, output } = call.call;
    if (output === undefined) {
      notEvaluated(`what ${name} returned was not seen`);
      return { calls: state.calls, results: state.results + 1 };
    }
    const narrowed = judgeResult(name, params.where.length === 0 ? null : dataOf(output), params.where);
    if (narrowed.kind === "unknown") notEvaluated(narrowed.why);
    else if (narrowed.kind === "satisfied") for (const finding of offencesOnce(call, output, params)) found(finding);
    return { calls: state.calls, results: state.results + 1 };
  },

  atEnd({ calls, results }, _end, { live, notEvaluated }) {
    if (!live && results < calls)
      notEvaluated(`${countOf(calls - results, "call")} of ${calls} have no recorded result`);
  },

  seen: ({ results }) => ({ amount: results, noun: "call with a result" }),
});

function concerns(tools: readonly string[], { call }: CallEvent): boolean {
  return tools.length === 0 || isTool(tools, call.name);
}

interface Judged {
  readonly call: ToolCall;
  readonly offences: readonly Finding[];
}

const latest = new WeakMap<Params, Judged>();

/** A result is looked at before anyone reads it, and once more when the call has ended: most often it is the same. */
function offencesOnce(call: CallEvent, output: Json, params: Params): readonly Finding[] {
  const known = latest.get(params);
  if (known?.call === call.call) return known.offences;
  const found = offences(call, output, params);
  latest.set(params, { call: call.call, offences: found });
  return found;
}

function offences(call: CallEvent, output: Json, params: Params): readonly Finding[] {
  const { matching, where, schema: compiled, longerThan } = params;
  const { name } = call.call;
  const about = { call, subject: name };
  const found: Finding[] = [];
  const texts = matching.length === 0 ? [] : textsOf(output);
  for (const one of matching) {
    if (!texts.some((text) => one.test(text))) continue;
    // The text itself is what nobody should read: the pattern must do.
    const facts = { tool: name, pattern: one.source };
    found.push({ ...about, code: "result_matches", message: `${name} returned what matches /${one.source}/.`, facts });
  }
  const mismatch = compiled?.validate(dataOf(output));
  if (mismatch !== undefined) {
    const { path, keyword } = mismatch;
    const message = `${name} returned what does not fit the schema: ${path} ${mismatch.message}.`;
    found.push({ ...about, code: "result_mismatch", message, path, facts: { tool: name, path, keyword } });
  }
  const length = longerThan === undefined ? 0 : lengthOf(output);
  if (longerThan !== undefined && length > longerThan) {
    const message = `${name} returned ${length} characters, allowed are ${longerThan}.`;
    found.push({
      ...about,
      code: "result_too_long",
      message,
      facts: { tool: name, length, limit: longerThan },
      measure: length,
    });
  }
  if (matching.length === 0 && compiled === undefined && longerThan === undefined) {
    const message = `${name} returned ${describeArguments(where)}.`;
    found.push({ ...about, code: "result_where", message, facts: { tool: name } });
  }
  return found;
}

function faultsOf({ matching, where, schema: compiled, longerThan }: Params): string[] {
  const faults = [
    ...(matching.length === 0
      ? []
      : [
          `match ${listOf(
            matching.map(({ source }) => `/${source}/`),
            "or",
          )}`,
        ]),
    ...(compiled === undefined ? [] : ["be other than its schema says"]),
    ...(longerThan === undefined ? [] : [`be longer than ${shortJson(longerThan)} characters`]),
  ];
  const narrowed = where.length === 0 ? "" : describeArguments(where);
  if (faults.length === 0) return [`have ${narrowed}`];
  return where.length === 0 ? faults : faults.map((fault) => `${fault} where it has ${narrowed}`);
}

function toolWords(tool: readonly string[]): string {
  return tool.length === 0 ? "any tool" : listOf(tool, "or");
}
