/** The calls that an answer asks for, each with what it is joined by. */
import { canonicalJson } from "../canonical/canonical-json.ts";
import { responseParts } from "../trace/content.ts";
import { type Json, type JsonObject, member, stringMember } from "../trace/json.ts";
import type { Asked } from "./open-calls.ts";

export function callShapesOf(payload: JsonObject, askedMs: number): Asked[] {
  return responseParts(payload).flatMap((part) => {
    const id = stringMember(part, "id");
    if (member(part, "type") !== "tool_use" || !id) return [];
    const name = stringMember(part, "name") ?? "";
    const input = member(part, "input");
    return [{ id, name, input, key: callKey(name, input), askedMs }];
  });
}

/** Stands for a tool and its arguments. */
export function callKey(name: string, input: Json | undefined): string {
  return `${name} ${canonicalJson(input ?? null)}`;
}
