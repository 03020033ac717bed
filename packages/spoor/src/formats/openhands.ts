/**
 * OpenHands trajectories: lists of events, one event per line, and results of evaluations (`{instance_id, history}`), where older ones hold pairs of
 * action and observation. Version 0 writes `action` and `observation`, version 1 the class of an event in `kind`.
 */
import type { Json } from "@spoor/core";
import { isObject, member, stringMember } from "@spoor/core/internal/trace/json";
import {
  collectLines,
  type Format,
  type ImportedTrace,
  NOT_RECOGNISED,
  type ReadContext,
  type Recognition,
  type Sample,
} from "./format.ts";
import { OpenHandsRun } from "./openhands-run.ts";

export const openhands: Format = {
  name: "openhands",
  title: "OpenHands trajectory",
  origin:
    "the download of a conversation's trajectory, the file SAVE_TRAJECTORY_PATH names, output.jsonl of evaluations, events of a conversation",
  tells: ["results", "errors", "times", "tokens", "requests"],
  marks: ["history", "trajectory", "events", "kind", "action", "observation"],
  recognise,
  readDocument: (document, context) => readAll([document], context),
  openLines: (context) => collectLines((values) => readAll(values.every(isEvent) ? [values] : values, context)),
};

function recognise({ document, lines = [] }: Sample): Recognition {
  const value = document ?? (lines.length > 1 && lines.every(isEvent) ? lines : (lines[0] ?? null));
  const events = eventsOf(value) ?? (Array.isArray(value) ? eventsOf(value[0] ?? null) : undefined);
  if (events === undefined || events.length === 0) return NOT_RECOGNISED;
  const known = events.filter(isEvent).length;
  return known * 2 > events.length ? { score: 0.95, has: ["source", "action", "observation"] } : NOT_RECOGNISED;
}

const KIND =
  /^(?:SystemPrompt|Message|Action|Observation|AgentError|Pause|Token|ConversationStateUpdate|ConversationError)Event$|^UserRejectObservation$|^Condensation/;

function isEvent(value: Json): boolean {
  if (KIND.test(stringMember(value, "kind") ?? "")) return true;
  const says = stringMember(value, "action") ?? stringMember(value, "observation");
  if (says === undefined) return false;
  return ["args", "extras", "source"].some((key) => isObject(value) && Object.hasOwn(value, key));
}

function eventsOf(value: Json): readonly Json[] | undefined {
  for (const list of [value, member(value, "history"), member(value, "trajectory"), member(value, "events")]) {
    // Older results hold pairs of what was done and what came of it.
    const events = Array.isArray(list) ? list.flat() : [];
    if (events.some(isEvent)) return events;
  }
  return undefined;
}

function readAll(values: readonly Json[], context: ReadContext): ImportedTrace[] {
  const results = values.flatMap((value) => {
    if (eventsOf(value) !== undefined) return [value];
    return Array.isArray(value) ? value.filter((item) => eventsOf(item) !== undefined) : [];
  });
  if (results.length === 0) return context.fail("holds no events of OpenHands");
  return results.map((result, index) => {
    const id = stringMember(result, "instance_id");
    const entry = id ?? (results.length > 1 ? `run ${index + 1}` : undefined);
    const trace = new OpenHandsRun(result).read(eventsOf(result) ?? [], {
      scenario_id: id,
      labels: labelsOf(result),
    });
    return { ...trace, ...(entry === undefined ? {} : { entry }) };
  });
}

function labelsOf(result: Json): Json | undefined {
  const resolved = member(member(member(result, "test_result"), "report"), "resolved");
  return typeof resolved === "boolean" ? { resolved } : undefined;
}
