/** A conversation in words, for judges: what users and the agent said to each other. */
import type { Trace } from "@spoor/core";
import { contentText } from "@spoor/core/internal/trace/content";
import { isObject, stringMember } from "@spoor/core/internal/trace/json";

export function transcriptOf({ turns }: Trace): string {
  const last = turns.findLast((turn) => turn.agent === undefined && turn.parentCallId === undefined);
  if (last === undefined) return "";
  const said = [...(last.messages ?? [])].filter(isObject).flatMap((message) => {
    const speaker = SPEAKERS.get(stringMember(message, "role") ?? "");
    const text = contentText(message);
    return speaker === undefined || text.trim() === "" ? [] : [`${speaker}: ${text}`];
  });
  return [...said, ...(last.text === "" ? [] : [`Agent: ${last.text}`])].join("\n\n");
}

const SPEAKERS: ReadonlyMap<string, string> = new Map([
  ["user", "User"],
  ["assistant", "Agent"],
]);
