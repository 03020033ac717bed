/**
 * AgentDojo runs: one run per document or line, either the benchmark's own `{suite_name, messages, …}` or the same under
 * `run` with `conversations`. A call's name is in `function` (text) and its arguments in `args`; a failed result has an
 * `error`. Labels: `utility` (the user's task was done) and `security` (the attacker's goal was reached).
 */
import type { Json, JsonObject } from "@spoor/core";
import { countRole, parseCalls, parseParts, plainText } from "@spoor/core/internal/providers/chat-parts";
import { Conversation, errorRecord, metadataRecord } from "@spoor/core/internal/providers/conversation";
import { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { isObject, member, numberMember, stringMember } from "@spoor/core/internal/trace/json";
import { present } from "@spoor/core/internal/trace/present";
import { type Format, type ImportedTrace, type ReadContext, type Sample, traceLines } from "./format.ts";
import { recogniseKeys } from "./recognise-keys.ts";

export const agentdojo: Format = {
  name: "agentdojo",
  title: "AgentDojo run",
  origin: "runs of the AgentDojo benchmark (runs/**/*.json), also one per line",
  tells: ["results", "errors", "requests"],
  marks: ["run", "suite_name"],
  recognise: (sample) => {
    const run = firstRun(sample);
    const messages = Object.hasOwn(run ?? {}, "conversations") ? "conversations" : "messages";
    return recogniseKeys(run, ["suite_name", "user_task_id", messages], ["pipeline_name", "utility", "security"]);
  },
  readDocument: (document, context) =>
    (Array.isArray(document) ? document : [document]).map((value, index) =>
      readValue(value, { path: `[${index}]` }, context),
    ),
  openLines: (context) => traceLines((value, line) => readValue(value, { line }, context)),
};

function firstRun(sample: Sample): JsonObject | undefined {
  const document = Array.isArray(sample.document) ? sample.document[0] : sample.document;
  const value = document ?? sample.lines?.[0];
  const run = member(value, "run") ?? value;
  return isObject(run) ? run : undefined;
}

function readValue(value: Json, at: { line?: number; path?: string }, context: ReadContext): ImportedTrace {
  const run = member(value, "run") ?? value;
  if (!isObject(run)) return context.fail("is not an AgentDojo run: it is no object", at);
  return readRun(run, stringMember(value, "path"));
}

function readRun(run: JsonObject, path: string | undefined): ImportedTrace {
  const unknown = new UnknownCounter();
  const text = (key: string) => stringMember(run, key);
  // The task is the user's; what an attacker injects makes a variant of it, so that attacked and calm runs are of one task.
  const task = joined([text("suite_name"), text("user_task_id")]);
  const scenario = joined([task, text("injection_task_id")]);
  const name = joined([text("suite_name"), text("user_task_id"), text("attack_type"), text("injection_task_id")]);
  const records = [
    metadataRecord(path ?? name, {
      agent: text("pipeline_name"),
      scenario_id: scenario,
      ...(scenario === task ? {} : { variant_of: task }),
      task_id: text("user_task_id"),
      injection_task_id: text("injection_task_id"),
      attack_type: text("attack_type"),
      tool_permission: member(run, "tool_permission"),
      labels: present({
        utility: booleanMember(run, "utility"),
        security: booleanMember(run, "security"),
        duration_s: numberMember(run, "duration"),
        total_tokens: numberMember(run, "total_tokens"),
      }),
    }),
  ];
  const conversation = new Conversation(records);
  const messages = member(run, "conversations") ?? member(run, "messages");
  if (Array.isArray(messages)) for (const message of messages) readMessage(message, conversation, unknown);
  else unknown.add("messages");
  const error = text("error");
  if (error !== undefined) records.push(errorRecord({ source: "sdk", message: error }));
  return { records, ...(name === undefined ? {} : { entry: name }), ...unknown.result() };
}

function joined(parts: readonly (string | undefined)[]): string | undefined {
  return parts.filter((part) => part !== undefined).join("/") || undefined;
}

function booleanMember(value: Json, key: string): boolean | undefined {
  const found = member(value, key);
  return typeof found === "boolean" ? found : undefined;
}

function readMessage(message: Json, conversation: Conversation, unknown: UnknownCounter): void {
  const role = member(message, "role");
  const content = plainText(plainContent(member(message, "content")));
  if (role === "assistant") {
    const calls = parseCalls(member(message, "tool_calls"), unknown);
    conversation.respond({ parts: [...parseParts(content, unknown), ...calls] });
  } else if (role === "tool") {
    const error = member(message, "error");
    const failed = error !== undefined && error !== null && error !== "";
    conversation.result({
      callId: stringMember(message, "tool_call_id") ?? stringMember(member(message, "tool_call"), "id"),
      output: failed && (content === "" || content === undefined || content === null) ? error : content,
      isError: failed,
      errorType: failed && typeof error === "string" ? errorClass(error) : undefined,
    });
  } else if (role === "user" || role === "system") {
    conversation.say(role, content);
  } else {
    countRole(role, unknown);
  }
}

/** Newer versions write content as blocks whose text is in `content`; the text key everywhere else is `text`. */
function plainContent(content: Json | undefined): Json | undefined {
  if (!Array.isArray(content)) return content;
  return content.map((part) => {
    const text = stringMember(part, "content");
    return isObject(part) && text !== undefined && !Object.hasOwn(part, "text") ? { type: "text", text } : part;
  });
}

/** `ValueError` of "ValueError: no such channel". */
function errorClass(error: string): string | undefined {
  return /^([A-Za-z_][A-Za-z0-9_.]{0,80}):/.exec(error)?.[1];
}
