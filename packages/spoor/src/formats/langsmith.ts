/**
 * LangSmith runs: an array, one run per line, `{runs: […]}`, runs with `child_runs` inside, or what the SDK sends: `{post, patch}`,
 * where a patch tells the end of a run that a post began. Siblings are ordered by
 * `dotted_order`, which is exact where clocks tie. A run of type llm is a model call, of type tool a tool run; chains
 * are structure, and LangGraph's nodes are chains.
 */

import type { Json, JsonObject } from "@spoor/core";
import { parseReply } from "@spoor/core/internal/providers/chat-reply";
import { parseRequest, toolDefinitions } from "@spoor/core/internal/providers/chat-shapes";
import { parseClock } from "@spoor/core/internal/providers/clock";
import { counted, UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { parseUsage } from "@spoor/core/internal/providers/usage";
import { firstMember, parseJsonText } from "@spoor/core/internal/trace/call-shape";
import { isObject, member, stringMember } from "@spoor/core/internal/trace/json";
import { type Activity, AROUND, type Did, type ModelCall, nanosOfMs } from "./activities/activity.ts";
import { parseToolInput } from "./activities/tool-input.ts";
import { parseToolOutput } from "./activities/tool-output.ts";
import { type ReadTrace, tracesOfRuns } from "./activities/traces-of-runs.ts";
import {
  collectLines,
  type Format,
  type ImportedTrace,
  NOT_RECOGNISED,
  type ReadContext,
  type Recognition,
  type Sample,
} from "./format.ts";
import { recogniseKeys } from "./recognise-keys.ts";

export const langsmith: Format = {
  name: "langsmith",
  title: "LangSmith runs",
  origin: "client.list_runs() or POST /api/v1/runs/query as JSON, and the SDK's batches (LangChain, LangGraph)",
  tells: ["results", "errors", "times", "tokens", "requests"],
  marks: ["post", "patch", "runs", "run_type"],
  recognise,
  readDocument: (document, context) => readRuns([document], context),
  openLines: (context) => collectLines((values) => readRuns(values, context)),
};

function recognise(sample: Sample): Recognition {
  const document = sample.document ?? sample.lines?.find(isObject);
  const first = document === undefined ? undefined : listOf(document).find(isObject);
  if (document !== undefined && isBatch(document) && typeof member(first, "dotted_order") === "string")
    return { score: 0.95, has: ["post", "patch", "dotted_order"] };
  if (first === undefined || typeof member(first, "run_type") !== "string") return NOT_RECOGNISED;
  return recogniseKeys(first, ["id", "run_type"], ["trace_id", "dotted_order", "start_time", "inputs"]);
}

function listOf(document: Json): Json[] {
  if (Array.isArray(document)) return document.flatMap(listOf);
  const [begun, ended] = [member(document, "post"), member(document, "patch")];
  if (Array.isArray(begun) || Array.isArray(ended)) return [...operations(begun), ...operations(ended)];
  const runs = member(document, "runs");
  return Array.isArray(runs) ? [...runs] : [document];
}

function operations(list: Json | undefined): Json[] {
  if (!Array.isArray(list)) return [];
  return list.map((run) => {
    const id = idOf(run);
    return isObject(run) && id !== undefined ? { ...run, id } : run;
  });
}

/** A patch may name its run only by its place in the trace, which ends in the run's id. */
function idOf(run: Json): string | undefined {
  return stringMember(run, "id") ?? /Z([0-9a-f-]{36})$/i.exec(stringMember(run, "dotted_order") ?? "")?.[1];
}

/** A run told in several operations is one run; what a later one tells counts. */
function joinOperations(values: readonly Json[]): Json[] {
  const joined = new Map<string, JsonObject>();
  const others: Json[] = [];
  for (const run of values) {
    const id = idOf(run);
    if (!isObject(run) || id === undefined) {
      others.push(run);
      continue;
    }
    const told = Object.entries(run).filter(([, value]) => value !== null);
    joined.set(id, { ...joined.get(id), ...Object.fromEntries(told) });
  }
  return [...joined.values(), ...others];
}

function isBatch(value: Json): boolean {
  return Array.isArray(member(value, "post")) || Array.isArray(member(value, "patch"));
}

function readRuns(values: readonly Json[], context: ReadContext): ImportedTrace[] {
  const unknown = new UnknownCounter();
  const listed = values.flatMap(listOf);
  const runs = flatten(values.some(isBatch) ? joinOperations(listed) : listed, unknown);
  if (runs.length === 0) return context.fail("holds no LangSmith run", { path: "runs" });
  if (values.some(isBatch)) requireBothHalves(runs, context);
  const byTrace = new Map<string, JsonObject[]>();
  for (const run of runs) {
    const trace = stringMember(run, "trace_id") ?? rootOf(run) ?? stringMember(run, "id")!;
    const list = byTrace.get(trace);
    if (list === undefined) byTrace.set(trace, [run]);
    else list.push(run);
  }
  const read = [...byTrace].map(([traceId, members], index) =>
    // What could not even be placed in a trace is told once.
    readTrace(traceId, members, index === 0 ? unknown : new UnknownCounter()),
  );
  return tracesOfRuns(read, context, {
    advice:
      'Put one run around each run of the agent (@traceable on its function) or give its calls one thread (metadata={"session_id": run_id})',
    nothing: "no run is a model or tool call",
  });
}

/** The SDK sends the beginning of a run and its end apart, at times in two batches: one of them alone tells of no call. */
function requireBothHalves(runs: readonly JsonObject[], context: ReadContext): void {
  if (runs.every((run) => member(run, "run_type") === undefined))
    context.fail(
      `holds only how runs ended (patch), not how they began (post), which stands in another batch. ${TOGETHER}`,
    );
  const calls = runs.filter(isCall);
  if (calls.length > 0 && calls.every(isOpen))
    context.fail(
      `holds only how runs began (post), not how they ended (patch), which stands in another batch. ${TOGETHER}`,
    );
}

const TOGETHER = "Put all batches of the run into one file, one batch per line (.jsonl)";

function isCall(run: JsonObject): boolean {
  return member(run, "run_type") === "llm" || member(run, "run_type") === "tool";
}

/** Nothing tells that it ended, well or not. */
function isOpen(run: JsonObject): boolean {
  return ["end_time", "outputs", "error"].every((key) => (member(run, key) ?? null) === null);
}

/** Runs with their `child_runs` unfolded, each child under its parent's id and trace. */
function flatten(values: readonly Json[], unknown: UnknownCounter): JsonObject[] {
  const runs: JsonObject[] = [];
  const open: { value: Json; parent?: JsonObject }[] = values.map((value) => ({ value })).reverse();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, parent } = next;
    if (!isObject(value) || typeof member(value, "id") !== "string") {
      unknown.add("run without id");
      continue;
    }
    const trace = stringMember(value, "trace_id") ?? stringMember(parent, "trace_id") ?? stringMember(parent, "id");
    const above = stringMember(value, "parent_run_id") ?? stringMember(parent, "id");
    const run = { ...value, ...(trace ? { trace_id: trace } : {}), ...(above ? { parent_run_id: above } : {}) };
    runs.push(run);
    const children = member(value, "child_runs");
    if (Array.isArray(children)) for (const child of children.toReversed()) open.push({ value: child, parent: run });
  }
  return runs;
}

function rootOf(run: JsonObject): string | undefined {
  const parents = member(run, "parent_run_ids");
  const first = Array.isArray(parents) ? parents[0] : undefined;
  return typeof first === "string" ? first : undefined;
}

function readTrace(traceId: string, runs: JsonObject[], unknown: UnknownCounter): ReadTrace {
  const ordered = runs.every((run) => typeof run["dotted_order"] === "string") ? runs.toSorted(byDottedOrder) : runs;
  const root = ordered.find((run) => stringMember(run, "parent_run_id") === undefined);
  const metadata = member(member(root ?? {}, "extra"), "metadata");
  const session = ["thread_id", "session_id", "conversation_id"].map((key) => stringMember(metadata, key));
  const open = runs.filter((run) => isCall(run) && isOpen(run)).length;
  return {
    entry: traceId,
    session: session.find((name) => name !== undefined),
    facts: { traceId, agent: stringMember(root, "name") },
    activities: ordered.map((run) => activityOf(run, unknown)),
    unknown,
    ...(open === 0 ? {} : { notes: [`${counted(open, "call")} whose end is not in this file`] }),
  };
}

function byDottedOrder(left: JsonObject, right: JsonObject): number {
  const [first, second] = [left["dotted_order"] as string, right["dotted_order"] as string];
  return first < second ? -1 : first > second ? 1 : 0;
}

function activityOf(run: JsonObject, unknown: UnknownCounter): Activity {
  const { did, failed } = meaningOf(run, unknown);
  const error = stringMember(run, "error");
  const isError = error !== undefined || member(run, "status") === "error" || failed;
  return {
    id: stringMember(run, "id")!,
    parentId: stringMember(run, "parent_run_id"),
    start: nanosOf(member(run, "start_time")),
    end: nanosOf(member(run, "end_time")),
    failure: isError ? { message: error, kind: errorClass(error) } : undefined,
    did,
  };
}

function nanosOf(value: Json | undefined): bigint | undefined {
  const clock = parseClock(value);
  return clock === undefined ? undefined : nanosOfMs(clock.ms);
}

/** LangSmith writes Python's repr, `ValueError('…')`, and then the traceback. */
function errorClass(error: string | undefined): string | undefined {
  return error === undefined ? undefined : /^([A-Z][A-Za-z]*(?:Error|Exception|Interrupt))\b/.exec(error)?.[1];
}

function meaningOf(run: JsonObject, unknown: UnknownCounter): { did: Did; failed?: true | undefined } {
  const type = stringMember(run, "run_type") ?? "";
  const name = stringMember(run, "name") ?? "";
  switch (type) {
    case "llm":
      return { did: modelCall(run, unknown) };
    case "tool": {
      const { output, callId, failed } = parseToolOutput(outputOf(member(run, "outputs")));
      return { did: { kind: "tool", name, callId, input: parseToolInput(member(run, "inputs")), output }, failed };
    }
    case "retriever":
    case "embedding":
      return { did: { kind: "step", category: "step", name: name || type } };
    case "chain":
    case "prompt":
    case "parser":
      return { did: AROUND };
    default:
      unknown.add(`run type ${type || "missing"}`);
      return { did: AROUND };
  }
}

function modelCall(run: JsonObject, unknown: UnknownCounter): ModelCall {
  const extra = member(run, "extra");
  const params = member(extra, "invocation_params");
  const metadata = member(extra, "metadata");
  const outputs = member(run, "outputs");
  const model = firstMember(params, ["model", "model_name"]) ?? firstMember(metadata, ["ls_model_name"]);
  return {
    kind: "model",
    request: parseRequest(member(run, "inputs"), unknown),
    reply: parseReply(outputs, unknown),
    requestModel: typeof model === "string" ? model : undefined,
    tools: toolDefinitions(member(params, "tools")),
    usage:
      parseUsage(member(outputs, "usage_metadata")) ??
      parseUsage(member(metadata, "usage_metadata")) ??
      parseUsage(run),
  };
}

function outputOf(outputs: Json | undefined): Json | undefined {
  const only = isObject(outputs) && Object.keys(outputs).length === 1 ? member(outputs, "output") : undefined;
  if (only === undefined) return outputs ?? undefined;
  return typeof only === "string" ? (parseJsonText(only) ?? only) : only;
}
