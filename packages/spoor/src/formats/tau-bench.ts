/**
 * tau-bench result files: `[{task_id, trial, reward, info, traj: [message]}]`, chat messages with JSON text as arguments.
 * Agents of the kinds `act` and `react` write their calls into the text. No clock, no usage, no model name. A run that died has an empty `traj` and its error in `info`: a trace without turns.
 */
import type { Json, JsonObject } from "@spoor/core";
import { countRole, parseCalls, parseParts } from "@spoor/core/internal/providers/chat-parts";
import { Conversation, errorRecord, metadataRecord } from "@spoor/core/internal/providers/conversation";
import { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { parseJsonText } from "@spoor/core/internal/trace/call-shape";
import { isObject, member, numberMember, stringMember } from "@spoor/core/internal/trace/json";
import { type Format, type ImportedTrace, type ReadContext, type Sample, traceLines } from "./format.ts";
import { recogniseKeys } from "./recognise-keys.ts";

export const tauBench: Format = {
  name: "tau-bench",
  title: "tau-bench results",
  origin: "results/*.json of a run",
  tells: ["results", "errors", "requests"],
  marks: ["traj"],
  recognise: (sample) => recogniseKeys(firstRun(sample), ["task_id", "traj"], ["trial", "reward", "info"]),
  readDocument: (document, context) =>
    (Array.isArray(document) ? document : [document]).map((run, index) =>
      readRun(run, { path: `[${index}]` }, context),
    ),
  openLines: (context) => traceLines((run, line) => readRun(run, { line }, context)),
};

function firstRun(sample: Sample): Json | undefined {
  if (Array.isArray(sample.document)) return sample.document[0];
  return sample.document ?? sample.lines?.[0];
}

function readRun(run: Json, at: { line?: number; path?: string }, context: ReadContext): ImportedTrace {
  if (!isObject(run)) return context.fail("is not a tau-bench run: it is no object", at);
  const unknown = new UnknownCounter();
  const task = member(run, "task_id");
  const trial = member(run, "trial");
  const info = member(run, "info");
  const entry = runName(task, trial) ?? `run ${at.path ?? at.line}`;
  const records = [
    metadataRecord(entry, {
      task_id: task,
      trial,
      labels: rewardLabels(run),
      task: member(info, "task"),
    }),
  ];
  const conversation = new Conversation(records);
  const messages = member(run, "traj");
  if (Array.isArray(messages)) for (const message of messages) readMessage(message, conversation, unknown);
  else unknown.add("traj");
  const error = stringMember(info, "error");
  if (error !== undefined) records.push(errorRecord({ source: "llm", message: error }));
  return { records, entry, ...unknown.result() };
}

/** "task 12 trial 3", as both tau formats name their runs. */
export function runName(task: Json | undefined, trial: Json | undefined): string | undefined {
  if (typeof task !== "string" && typeof task !== "number") return undefined;
  return typeof trial === "number" || typeof trial === "string" ? `task ${task} trial ${trial}` : `task ${task}`;
}

function rewardLabels(run: JsonObject): JsonObject | undefined {
  const reward = numberMember(run, "reward");
  return reward === undefined ? undefined : { reward };
}

function readMessage(message: Json, conversation: Conversation, unknown: UnknownCounter): void {
  const role = member(message, "role");
  const content = member(message, "content");
  const output = role === "user" && typeof content === "string" ? API_OUTPUT.exec(content)?.[1] : undefined;
  if (role === "assistant") {
    const calls = parseCalls(member(message, "tool_calls"), unknown);
    const written = calls.length === 0 && typeof content === "string" ? writtenAction(content) : undefined;
    conversation.respond({ parts: written ?? [...parseParts(content, unknown), ...calls] });
  } else if (output !== undefined) {
    conversation.result({ output, isError: saysError(output) });
  } else if (role === "tool") {
    conversation.result({
      callId: stringMember(message, "tool_call_id"),
      output: content,
      isError: saysError(content),
    });
  } else if (role === "system" || role === "user") {
    conversation.say(role, content);
  } else {
    countRole(role, unknown);
  }
}

/** The environment answers a failed call with a text that begins with this word, and marks it in no other way. */
export function saysError(content: Json | undefined): boolean {
  return typeof content === "string" && /^Error(?![\w-])/.test(content);
}

/** Agents that act by text: the call stands as JSON after the word Action, what it returned in the next message of the user. */
const API_OUTPUT = /^API output: ([\s\S]*)$/;

function writtenAction(content: string): JsonObject[] | undefined {
  const at = content.lastIndexOf("Action:");
  const action = at < 0 ? undefined : parseJsonText(content.slice(at + "Action:".length).trim());
  const name = stringMember(action, "name");
  const input = member(action, "arguments");
  if (name === undefined || !isObject(input)) return undefined;
  const thought = content.slice(0, at).trim();
  const said = name === "respond" ? stringMember(input, "content") : undefined;
  return [
    ...(thought === "" ? [] : [{ type: "thinking", text: thought.replace(/^Thought:\s*/, "") }]),
    said === undefined ? { type: "tool_use", name, input } : { type: "text", text: said },
  ];
}
