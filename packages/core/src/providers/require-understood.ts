/** When too little of something was understood to judge by it: one rule for files, values, outputs and running agents. */
import { SpoorError } from "../errors.ts";
import type { ImportedTrace } from "../trace/imported-trace.ts";
import { isObject, type Json, type JsonObject, member, stringMember } from "../trace/json.ts";
import { messageList } from "../trace/message-list.ts";
import { FURTHER_CHOICE, type UnknownCounter } from "./count-unknown.ts";
import { overlooked } from "./plain-evidence.ts";

export interface Source {
  /** What errors call it. */
  readonly what: string;
  /** The values it was read from, or the first of them. */
  readonly values: readonly Json[];
  readonly hint?: string;
}

/** Throws when more of a trace was not understood than was, or when nothing was found of what the source plainly shows. */
export function requireUnderstood(imported: readonly ImportedTrace[], { what, values, hint }: Source): void {
  for (const trace of imported) refuse(mostlyStrange(trace), what, hint);
  refuse(overlooked(imported, values), what, hint);
}

/** The same for one answer. That there is an answer says nothing here: what counts is what it says and asks for. */
export function requireUnderstoodResponse(response: JsonObject, unknown: UnknownCounter): void {
  refuse(strangeBeside(partCount(response), unknown.result().unknown), "The response");
}

/**
 * What was not understood of a trace, when it is more than what was. Parts of messages are also held against parts alone: that each
 * message is one, and that there are many, must not outweigh that most of what they say is strange.
 */
export function mostlyStrange(imported: ImportedTrace): string | undefined {
  // Nearly always nothing was strange, and then nothing has to be counted.
  if (imported.unknown === undefined) return undefined;
  return strangeBeside(understood(imported), imported.unknown) ?? strangeParts(imported);
}

function strangeParts({ records, unknown = {} }: ImportedTrace): string | undefined {
  const kinds = Object.entries(unknown).filter(([kind]) => kind.startsWith(PART));
  const lost = kinds.reduce((sum, [, count]) => sum + count, 0);
  if (lost === 0) return undefined;
  let known = 0;
  let asked = 0;
  for (const { kind, payload } of records) {
    if (kind === "chat_response") known += knownParts(member(payload, "content"), unknown);
    else if (kind === "tool_result") known++;
    else if (kind === "chat_request" && isObject(payload)) asked = askedIn(payload);
  }
  return lost <= known + asked ? undefined : listed(kinds);
}

const PART = "part ";

function knownParts(content: Json | undefined, unknown: NonNullable<ImportedTrace["unknown"]>): number {
  if (!Array.isArray(content)) return typeof content === "string" && content !== "" ? 1 : 0;
  const isKnown = (part: Json) =>
    unknown[`${PART}${(stringMember(part, "type") ?? "without type").replaceAll("-", "_")}`] === undefined;
  return content.filter(isKnown).length;
}

/** What the last request holds of others than the model: its own answers and what tools returned are records of their own. */
function askedIn(request: JsonObject): number {
  let count = 0;
  for (const message of messageList(request) ?? []) {
    const role = member(message, "role");
    if (role !== "assistant" && role !== "tool") count++;
  }
  return count;
}

function refuse(strange: string | undefined, what: string, hint?: string): void {
  if (strange === undefined) return;
  throw new SpoorError("trace.not-understood", `${what} was mostly not understood: ${strange}.`, {
    consequence: "What was not understood may hold the very calls that matter, so nothing of it is used.",
    ...(hint === undefined ? {} : { hint }),
  });
}

function strangeBeside(understood: number, unknown: ImportedTrace["unknown"] = {}): string | undefined {
  // A further choice was understood; it is counted because it is left out.
  const kinds = Object.entries(unknown).filter(([kind]) => kind !== FURTHER_CHOICE);
  const total = (list: typeof kinds) => list.reduce((sum, [, count]) => sum + count, 0);
  const lost = total(kinds);
  // Parts of unknown types stay among the parts of their response.
  const kept = total(kinds.filter(([kind]) => kind.startsWith(PART)));
  return lost === 0 || lost <= understood - kept ? undefined : listed(kinds);
}

function listed(kinds: readonly (readonly [string, number])[]): string {
  return kinds
    .slice(0, 5)
    .map(([kind, count]) => `${kind} (${count})`)
    .join(", ");
}

/** What was said, called, returned. */
function understood(imported: ImportedTrace): number {
  let count = 0;
  let said = 0;
  for (const { kind, payload } of imported.records) {
    if (kind === "chat_request") said = isObject(payload) ? (messageList(payload)?.length ?? 0) : 0;
    else if (kind === "chat_response") count += 1 + partCount(payload);
    else if (kind !== "metadata") count++;
  }
  return count + said;
}

function partCount(response: Json): number {
  const content = member(response, "content");
  if (Array.isArray(content)) return content.length;
  return typeof content === "string" && content !== "" ? 1 : 0;
}
