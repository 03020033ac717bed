/**
 * Google's Agent Development Kit: sessions (`{app_name, events}`), lists of events, and eval sets, whose cases are what an agent is
 * expected to do; results of evaluations hold what it did. Members are written in snake or in camel case.
 *
 * An event is stamped when it is made, for a model before it is asked: no duration can be computed from those clocks.
 */
import type { Json, JsonObject } from "@spoor/core";
import { parseClock } from "@spoor/core/internal/providers/clock";
import { firstMember } from "@spoor/core/internal/trace/call-shape";
import { isObject, member, stringMember } from "@spoor/core/internal/trace/json";
import { AdkConversation } from "./adk-conversation.ts";
import {
  collectLines,
  type Format,
  type ImportedTrace,
  NOT_RECOGNISED,
  type ReadContext,
  type Recognition,
  type Sample,
} from "./format.ts";

export const adk: Format = {
  name: "adk",
  title: "ADK sessions and eval sets",
  origin: "adk web's session download (*.session.json), *.evalset.json, *.test.json, lists of events (Google ADK)",
  tells: ["results", "errors", "times", "tokens", "sub-agents"],
  marks: [
    "events",
    "author",
    "eval_cases",
    "evalCases",
    "conversation",
    "eval_case_results",
    "evalCaseResults",
    "query",
    "data",
  ],
  recognise,
  readDocument: read,
  openLines: (context) =>
    collectLines((values) =>
      values.every(isEvent) ? read(values, context) : values.flatMap((value) => read(value, context)),
    ),
};

function recognise({ document, lines }: Sample): Recognition {
  const value = document ?? (lines !== undefined && lines.length > 1 ? lines : lines?.[0]);
  const events = eventsOf(value);
  if (events !== undefined && events.length > 0 && events.every(isEvent)) {
    return { score: 0.95, has: ["author", "content", "invocation_id"] };
  }
  if (casesOf(value) !== undefined) return { score: 0.95, has: ["eval_cases"] };
  if (resultsOf(value) !== undefined) return { score: 0.95, has: ["eval_case_results"] };
  if (Array.isArray(value) && value.length > 0) {
    if (value.every(isOldTurn)) return { score: 0.9, has: ["query", "expected_tool_use"] };
    if (value.every((item) => oldCase(item) !== undefined)) return { score: 0.9, has: ["name", "data"] };
  }
  return NOT_RECOGNISED;
}

function read(document: Json, context: ReadContext): ImportedTrace[] {
  const cases = casesOf(document);
  if (cases !== undefined) {
    const set = textAt(document, "eval_set_id", "evalSetId");
    return cases.map((one) => readCase(one, set));
  }
  const results = resultsOf(document);
  if (results !== undefined) return results.map((result) => readResult(result, document));
  if (Array.isArray(document) && document.every(isOldTurn)) return [readOldTurns(document, undefined)];
  if (Array.isArray(document) && document.every((item) => oldCase(item) !== undefined)) {
    return document.map((item) => readOldTurns(oldCase(item)!, stringMember(item, "name")));
  }
  const events = eventsOf(document);
  if (events === undefined) return context.fail("has no events and no eval cases");
  return [readEvents(events, document)];
}

function readEvents(events: readonly Json[], session: Json): ImportedTrace {
  const conversation = new AdkConversation();
  for (const event of events) conversation.event(event);
  return conversation.finish({
    id: textAt(session, "id") ?? textAt(events[0], "session_id", "sessionId"),
    metadata: { app: textAt(session, "app_name", "appName"), session_id: textAt(session, "id") },
    clock: parseClock(member(session, "create_time")),
  });
}

const EXPECTED = "this is what the agent is expected to do, not what it did";

function readCase(one: Json, set: string | undefined): ImportedTrace {
  const conversation = new AdkConversation();
  for (const invocation of listAt(one, "conversation")) conversation.invocation(invocation);
  const id = textAt(one, "eval_id", "evalId");
  const app = textAt(firstMember(one, ["session_input", "sessionInput"]), "app_name", "appName");
  const scenario = [set, id].filter((part) => part !== undefined).join("/") || undefined;
  return conversation.finish({
    entry: id,
    metadata: { app, scenario_id: scenario, expected: true },
    notes: [EXPECTED],
  });
}

/** What an agent did when its eval set was run: the invocations beside those that were expected. */
function readResult(result: Json, document: Json): ImportedTrace {
  const conversation = new AdkConversation();
  const perInvocation = listAt(result, "eval_metric_result_per_invocation", "evalMetricResultPerInvocation");
  for (const one of perInvocation) {
    const actual = firstMember(one, ["actual_invocation", "actualInvocation"]);
    if (actual !== undefined) conversation.invocation(actual);
  }
  const id = textAt(result, "eval_id", "evalId");
  const set = textAt(result, "eval_set_id", "evalSetId") ?? textAt(document, "eval_set_id", "evalSetId");
  const scores = listAt(result, "overall_eval_metric_results", "overallEvalMetricResults").flatMap((metric) => {
    const name = textAt(metric, "metric_name", "metricName");
    const score = member(metric, "score");
    return name === undefined || score === undefined ? [] : [[name, score] as const];
  });
  return conversation.finish({
    id: textAt(result, "session_id", "sessionId"),
    entry: id,
    metadata: {
      scenario_id: [set, id].filter((part) => part !== undefined).join("/") || undefined,
      labels: scores.length === 0 ? undefined : Object.fromEntries(scores),
    },
  });
}

/** Test files of before the eval sets: what is asked, which tools, what is said in the end. */
function readOldTurns(turns: readonly Json[], name: string | undefined): ImportedTrace {
  const conversation = new AdkConversation();
  for (const turn of turns) {
    const said = listAt(turn, "expected_intermediate_agent_responses").map((reply): Json => {
      return [stringMember(reply, "author") ?? "", [{ text: stringMember(reply, "text") ?? "" }]];
    });
    const uses = listAt(turn, "expected_tool_use").map((use): Json => {
      const input = member(use, "tool_input");
      return { name: stringMember(use, "tool_name") ?? "", ...(input === undefined ? {} : { args: input }) };
    });
    conversation.invocation({
      user_content: { parts: [{ text: stringMember(turn, "query") ?? "" }] },
      intermediate_data: { tool_uses: uses, intermediate_responses: said },
      final_response: { parts: [{ text: stringMember(turn, "reference") ?? "" }] },
    });
  }
  return conversation.finish({ entry: name, metadata: { scenario_id: name, expected: true }, notes: [EXPECTED] });
}

function eventsOf(value: Json | undefined): readonly Json[] | undefined {
  const events = Array.isArray(value) ? value : member(value, "events");
  return Array.isArray(events) ? events : undefined;
}

function isEvent(value: Json): boolean {
  return (
    typeof member(value, "author") === "string" &&
    ["invocation_id", "invocationId", "actions"].some((key) => hasKey(value, key))
  );
}

function casesOf(value: Json | undefined): readonly Json[] | undefined {
  const cases = firstMember(value, ["eval_cases", "evalCases"]);
  const alone = Array.isArray(member(value, "conversation")) && textAt(value, "eval_id", "evalId") !== undefined;
  return Array.isArray(cases) ? cases : alone ? [value as JsonObject] : undefined;
}

function resultsOf(value: Json | undefined): readonly Json[] | undefined {
  const results = firstMember(value, ["eval_case_results", "evalCaseResults"]);
  return Array.isArray(results) ? results : undefined;
}

function isOldTurn(value: Json): boolean {
  return (
    stringMember(value, "query") !== undefined && ["expected_tool_use", "reference"].some((key) => hasKey(value, key))
  );
}

function oldCase(value: Json): readonly Json[] | undefined {
  const data = member(value, "data");
  return stringMember(value, "name") !== undefined && Array.isArray(data) && data.length > 0 && data.every(isOldTurn)
    ? data
    : undefined;
}

function hasKey(value: Json, key: string): boolean {
  return isObject(value) && Object.hasOwn(value, key);
}

function textAt(value: Json | undefined, ...keys: readonly string[]): string | undefined {
  const found = firstMember(value, keys);
  return typeof found === "string" && found !== "" ? found : undefined;
}

function listAt(value: Json | undefined, ...keys: readonly string[]): readonly Json[] {
  const found = firstMember(value, keys);
  return Array.isArray(found) ? found : [];
}
