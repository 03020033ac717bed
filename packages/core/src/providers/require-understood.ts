/** When too little of something was understood to judge by it: one rule for files, values, outputs and running agents. */
import { SpoorError } from "../errors.ts";
import type { ImportedTrace } from "../trace/imported-trace.ts";
import { isObject, type Json, type JsonObject, member } from "../trace/json.ts";
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

/** What was not understood of a trace, when it is more than what was. */
export function mostlyStrange(imported: ImportedTrace): string | undefined {
  return strangeBeside(understood(imported), imported.unknown);
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
  const kept = total(kinds.filter(([kind]) => kind.startsWith("part ")));
  if (lost === 0 || lost <= understood - kept) return undefined;
  const listed = kinds.slice(0, 5).map(([kind, count]) => `${kind} (${count})`);
  return listed.join(", ");
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
