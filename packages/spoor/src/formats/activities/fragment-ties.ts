/**
 * What a trace without a root can be joined to others by, as short texts: whoever keeps many of them finds those that may be one run without reading all.
 * Two are neighbours when one offers what the other seeks. Whether they are one run is decided by `FragmentPlacer` alone; ties only say whom to ask it about.
 */
import type { JsonObject } from "@spoor/core";
import { digestText } from "@spoor/core/internal/canonical/digest";
import { DISTINCT_ID } from "@spoor/core/internal/capture/find-turn";
import { promptsOf } from "@spoor/core/internal/capture/open-calls";
import { readMessage } from "@spoor/core/internal/capture/read-history";
import { contentText } from "@spoor/core/internal/trace/content";
import { stringMember } from "@spoor/core/internal/trace/json";
import type { ModelCall } from "./activity.ts";
import { callKey, isBare, isInstruction, modelOf, type SourceTrace } from "./join-runs.ts";
import { messagesOf } from "./records.ts";

export interface FragmentTie {
  /** Of a fixed length, whatever was said. */
  readonly text: string;
  readonly side: "offers" | "seeks";
  /** Others may have it by chance: only those nearest in time are asked. */
  readonly isWeak: boolean;
}

/** The latest parts of a history tie as well as all of it. */
const MOST_PREFIXES = 32;
/** Prompts that grow are known again by how they begin; a shorter one ties to nothing. */
const TEXT_HEAD = 12;

export function tiesOf(fragment: SourceTrace): readonly FragmentTie[] {
  const ties = new Map<string, FragmentTie>();
  const tie = (side: FragmentTie["side"], kind: string, what: string, isWeak = false) => {
    const text = `${kind} ${digestText(what, 32)}`;
    ties.set(`${side} ${text}`, { text, side, isWeak });
  };
  const both = (kind: string, what: string, isWeak = false) => {
    tie("offers", kind, what, isWeak);
    tie("seeks", kind, what, isWeak);
  };
  const model = modelOf(fragment.activities);
  if (fragment.session !== undefined) both("session", fragment.session);
  else if (isBare(fragment)) both("bare", "", true);
  else if (model !== undefined) tieModel(model.did as ModelCall, tie);
  else {
    for (const { did } of fragment.activities) {
      if (did.kind !== "tool") continue;
      if (did.callId === undefined) tie("seeks", "asked", callKey(did.name, did.input), true);
      else tie("seeks", "call", did.callId, isCounted(did.callId));
    }
    if (fragment.toolSession !== undefined) both("tools", fragment.toolSession, true);
  }
  return [...ties.values()];
}

function tieModel(
  call: ModelCall,
  tie: (side: FragmentTie["side"], kind: string, what: string, isWeak?: boolean) => void,
) {
  const messages = messagesOf(call.request.messages);
  const spoken = messages.filter((message) => !isInstruction(message));
  const digests = spoken.map((message) => readMessage(message).digest);
  const answer = call.reply?.parts ?? [];
  const [said] = messagesOf([{ role: "assistant", parts: answer }]);
  const whole = chain(digests);
  tie("offers", "history", whole.at(-1) ?? "", true);
  tie("seeks", "history", whole.at(-1) ?? "", true);
  tie("offers", "answer", chain([...digests, readMessage(said!).digest]).at(-1)!);
  for (const [at, message] of [...spoken.entries()].filter(([place]) => place > 0).slice(-2 * MOST_PREFIXES)) {
    if (message["role"] !== "assistant") continue;
    tie("seeks", "answer", whole[at]!);
    tie("seeks", "history", whole[at - 1]!, true);
  }
  for (const message of messages) {
    const id = stringMember(message, "tool_call_id");
    if (id !== undefined) tie("seeks", "call", id, isCounted(id));
  }
  tieCalls(answer, tie);
  for (const message of spoken) {
    if (message["role"] === "assistant") break;
    tie("seeks", "prompt", contentText(message).trim(), true);
  }
  const only = spoken.length === 1 ? contentText(spoken[0]!) : "";
  if (only.length < TEXT_HEAD) return;
  tie("offers", "text", only.slice(0, TEXT_HEAD), true);
  tie("seeks", "text", only.slice(0, TEXT_HEAD), true);
}

function tieCalls(
  answer: readonly JsonObject[],
  tie: (side: FragmentTie["side"], kind: string, what: string, isWeak?: boolean) => void,
): void {
  for (const part of answer) {
    const name = part["type"] === "tool_use" ? stringMember(part, "name") : undefined;
    if (name === undefined) continue;
    const id = stringMember(part, "id");
    if (id !== undefined) tie("offers", "call", id, isCounted(id));
    tie("offers", "asked", callKey(name, part["input"]), true);
    for (const prompt of promptsOf(part["input"])) tie("offers", "prompt", prompt, true);
  }
}

/** `call_0` is given out in every conversation. */
function isCounted(callId: string): boolean {
  return callId.length < DISTINCT_ID;
}

/** For each place what stands for everything up to it. */
function chain(digests: readonly string[]): readonly string[] {
  let last = "";
  return digests.map((digest) => {
    last = digestText(`${last} ${digest}`, 32);
    return last;
  });
}
