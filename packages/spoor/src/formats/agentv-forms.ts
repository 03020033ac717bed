/** The forms in which AgentV's releases write a run, told apart by their members. */
import type { Json } from "@spoor/core";
import { firstMember } from "@spoor/core/internal/trace/call-shape";
import { isObject, member, numberMember, stringMember } from "@spoor/core/internal/trace/json";
import { NOT_RECOGNISED, type Recognition, type Sample } from "./format.ts";

export type AgentvForm = "messages" | "events" | "spans" | "envelope" | "transcript" | "answer";

/** What the forms below are told by, beside the text of an answer, which alone is no evidence. */
export const AGENTV_MARKS: readonly string[] = [
  ...["role", "schema_version", "output_messages", "outputMessages", "trace", "output", "messages"],
  ...["eval_id", "evalId", "test_id", "testId"],
];

export function recogniseAgentv(sample: Sample): Recognition {
  const list = Array.isArray(sample.document) ? sample.document : sample.lines;
  // Without a call in AgentV's words other formats know a list of messages as well, but not one message per line.
  if (list !== undefined && isConversation(list))
    return { score: list.some(hasOwnCall) ? 0.8 : 0.55, has: ["role", "content"] };
  const document = Array.isArray(sample.document) ? sample.document.find(isObject) : sample.document;
  const first = document ?? sample.lines?.find(isObject);
  const form = formOf(first);
  if (form !== undefined) return { score: form.score, has: [form.key] };
  const has = ["score", "target", "candidate_answer"].filter((key) => field(first, key) !== undefined);
  return has.length === 0 ? NOT_RECOGNISED : { score: 0.1 * has.length, has, lacks: ["output_messages"] };
}

/** Messages without a record around them. */
export function isConversation(list: readonly Json[]): boolean {
  return list.length > 0 && list.every(isMessage);
}

function isMessage(value: Json): boolean {
  const isOther = ["type", "schema_version", "messages"].some((key) => member(value, key) !== undefined);
  return !isOther && stringMember(value, "role") !== undefined;
}

export function formOf(record: Json | undefined): { form: AgentvForm; key: string; score: number } | undefined {
  if (!isObject(record)) return undefined;
  const schema = stringMember(record, "schema_version") ?? "";
  if (schema.startsWith("agentv.trace.")) return { form: "envelope", key: "schema_version", score: 1 };
  if (schema.startsWith("agentv.transcript.")) return { form: "transcript", key: "schema_version", score: 1 };
  if (Object.hasOwn(record, "output_messages") || Object.hasOwn(record, "outputMessages")) {
    return { form: "messages", key: "output_messages", score: 0.95 };
  }
  if (isEventList(member(record, "trace"))) return { form: "events", key: "trace", score: 0.85 };
  const id = field(record, "eval_id") ?? field(record, "test_id");
  if (id !== undefined) return formOfCase(record);
  const key = ["output", "messages"].find((name) => isMessageList(member(record, name)));
  if (key !== undefined) return { form: "messages", key, score: scoreOfMessages(record, key) };
  // An answer alone: what a command may print, but no evidence that a file is a trace.
  return member(record, "text") === undefined ? undefined : { form: "answer", key: "text", score: 0.4 };
}

function formOfCase(record: Json): { form: AgentvForm; key: string; score: number } | undefined {
  if (Array.isArray(member(record, "spans"))) return { form: "spans", key: "spans", score: 0.85 };
  if (isMessageList(member(record, "output"))) return { form: "messages", key: "output", score: 0.85 };
  const answered = field(record, "candidate_answer") !== undefined || typeof member(record, "output") === "string";
  const scored = numberMember(record, "score") !== undefined;
  if (answered || scored) return { form: "answer", key: "score", score: scored ? 0.8 : 0.5 };
  return member(record, "text") === undefined ? undefined : { form: "answer", key: "text", score: 0.4 };
}

/** Requests and responses of providers have lists under these keys too: AgentV's own words must decide. */
function scoreOfMessages(record: Json, key: string): number {
  const isMeasured = ["token_usage", "cost_usd"].some((figure) => field(record, figure) !== undefined);
  const isOwn = isMeasured || (member(record, key) as readonly Json[]).some(hasOwnCall);
  return isOwn ? 0.8 : 0.5;
}

/** A call that names its `tool`, as nobody else's do. */
function hasOwnCall(message: Json): boolean {
  const calls = field(message, "tool_calls");
  return Array.isArray(calls) && calls.some((call: Json) => stringMember(call, "tool") !== undefined);
}

function isEventList(list: Json | undefined): boolean {
  const isEvent = (event: Json) =>
    /^(?:tool_call|tool_result|model_step|message|error)$/.test(stringMember(event, "type") ?? "");
  return Array.isArray(list) && list.every(isEvent);
}

function isMessageList(list: Json | undefined): boolean {
  return Array.isArray(list) && list.some((message) => stringMember(message, "role") !== undefined);
}

/** A member under its snake_case name or its camelCase twin. */
export function field(value: Json | undefined, name: string): Json | undefined {
  return firstMember(value, spellingsOf(name));
}

const SPELLINGS = new Map<string, readonly string[]>();

function spellingsOf(name: string): readonly string[] {
  const known = SPELLINGS.get(name);
  if (known !== undefined) return known;
  const spellings = [name, name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())];
  SPELLINGS.set(name, spellings);
  return spellings;
}
