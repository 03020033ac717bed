/** The events of a Converse stream, as an SDK hands them out, → the response that the call without streaming gives. */
import type { Json, JsonObject } from "@spoor/core";
import { parseJsonText } from "@spoor/core/internal/trace/call-shape";
import { isObject, member, numberMember, stringMember } from "@spoor/core/internal/trace/json";
import { present } from "@spoor/core/internal/trace/present";

export function isConverseStream(events: readonly Json[]): boolean {
  return events.some(
    (event) => isObject(member(event, "messageStart")) || isObject(member(event, "contentBlockDelta")),
  );
}

export function foldConverseEvents(events: readonly Json[]): JsonObject {
  const blocks = new Map<number, Block>();
  const blockAt = (event: Json | undefined) => {
    const index = numberMember(event, "contentBlockIndex") ?? 0;
    const block = blocks.get(index) ?? { text: "", thinking: "", input: "" };
    blocks.set(index, block);
    return block;
  };
  let stopReason: string | undefined;
  let metadata: Json | undefined;
  for (const event of events) {
    const start = member(event, "contentBlockStart");
    const change = member(event, "contentBlockDelta");
    if (isObject(start)) blockAt(start).call = member(member(start, "start"), "toolUse");
    if (isObject(change)) addDelta(blockAt(change), member(change, "delta"));
    stopReason ??= stringMember(member(event, "messageStop"), "stopReason");
    metadata ??= member(event, "metadata");
  }
  const inOrder = [...blocks].sort(([left], [right]) => left - right).map(([, block]) => contentOf(block));
  return present({
    output: { message: { role: "assistant", content: inOrder } },
    stopReason,
    usage: member(metadata, "usage"),
    metrics: member(metadata, "metrics"),
  });
}

interface Block {
  text: string;
  thinking: string;
  /** Arguments come as JSON text in pieces. */
  input: string;
  call?: Json | undefined;
}

function addDelta(block: Block, delta: Json | undefined): void {
  block.text += stringMember(delta, "text") ?? "";
  block.thinking += stringMember(member(delta, "reasoningContent"), "text") ?? "";
  block.input += stringMember(member(delta, "toolUse"), "input") ?? "";
}

function contentOf({ text, thinking, input, call }: Block): JsonObject {
  if (isObject(call)) return { toolUse: { ...call, input: input === "" ? {} : (parseJsonText(input) ?? input) } };
  return thinking === "" ? { text } : { reasoningContent: { reasoningText: { text: thinking } } };
}
