/**
 * Agents that keep their history in one text instead of a list of messages (the scratchpad of ReAct): the next prompt is the earlier
 * one, what the model answered to it, and more. Both must be there: prompts of one template begin alike without being one run.
 */
import type { JsonObject } from "@spoor/core";
import { stringMember } from "@spoor/core/internal/trace/json";

/** Runs that are looked at, the latest first: an agent goes on with what it did last. */
const MAX_OPEN = 64;

export class GrowingTexts<Run> {
  private readonly open: { text: string; said: string; run: Run }[] = [];

  /** The run a request belongs to: `own`, unless its one text goes on from that of another. */
  runOf(own: Run, isNew: boolean, messages: readonly JsonObject[], answer: readonly JsonObject[]): Run {
    const text = onlyText(messages);
    if (text === undefined) return own;
    const found = isNew ? this.open.findLastIndex((earlier) => goesOn(text, earlier)) : -1;
    const run = found < 0 ? own : this.open.splice(found, 1)[0]!.run;
    const said = answer.map((part) => (part["type"] === "text" ? (stringMember(part, "text") ?? "") : "")).join("");
    if (said.trim() !== "") this.open.push({ text, said: said.trim(), run });
    if (this.open.length > MAX_OPEN) this.open.shift();
    return run;
  }
}

function goesOn(text: string, earlier: { text: string; said: string }): boolean {
  return text.startsWith(earlier.text) && text.slice(earlier.text.length).trimStart().startsWith(earlier.said);
}

/** The text of a request of one message, instructions aside. */
function onlyText(messages: readonly JsonObject[]): string | undefined {
  const spoken = messages.filter(({ role }) => role !== "system" && role !== "developer");
  const content = spoken.length === 1 ? spoken[0]!["content"] : undefined;
  return typeof content === "string" && content !== "" ? content : undefined;
}
