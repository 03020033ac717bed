/** For a request that nothing answers: the recorded request that is nearest, and in what the two differ. */
import { contentText } from "../trace/content.ts";
import { isObject, type Json, jsonEqual, member, stringifyJson, stringMember } from "../trace/json.ts";
import { messageList } from "../trace/message-list.ts";
import { present } from "../trace/present.ts";
import type { RequestDifference } from "./cassette.ts";
import type { ReadRequest } from "./request-reader.ts";
import type { RecordedAnswer } from "./tape.ts";

const MOST_COMPARED = 500;
const LONGEST = 160;

export function nearestRequest(asked: ReadRequest, answers: readonly RecordedAnswer[]): RecordedAnswer | undefined {
  let best: RecordedAnswer | undefined;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const answer of answers.slice(0, MOST_COMPARED)) {
    const score = likeness(asked, answer.request);
    if (score > bestScore) {
      best = answer;
      bestScore = score;
    }
  }
  return best;
}

/** Messages in common count most, then how much longer one side is, then the rest. */
function likeness(asked: ReadRequest, recorded: ReadRequest): number {
  let common = 0;
  while (common < asked.messages.length && asked.messages[common] === recorded.messages[common]) common++;
  const sameLength = asked.messages.length === recorded.messages.length;
  // A system prompt that changed is one difference, whatever follows it.
  let later = 0;
  for (let at = common + 1; at < asked.messages.length; at++) if (asked.messages[at] === recorded.messages[at]) later++;
  return (common + later) * 8 + (sameLength ? 4 : 0) + (asked.model === recorded.model ? 2 : 0);
}

export function requestDifferences(asked: ReadRequest, recorded: ReadRequest): RequestDifference[] {
  const differences: RequestDifference[] = [];
  if (asked.model !== recorded.model) differences.push({ what: "model", asked: asked.model, recorded: recorded.model });
  differences.push(...messageDifferences(asked, recorded));
  const tools = toolDifferences(asked.tools, recorded.tools);
  if (tools.added.length + tools.removed.length + tools.changed.length > 0)
    differences.push({ what: "tools", ...tools });
  for (const name of new Set([...Object.keys(recorded.params), ...Object.keys(asked.params)])) {
    const pair = { asked: member(asked.params, name), recorded: member(recorded.params, name) };
    if (!jsonEqual(pair.asked, pair.recorded)) differences.push({ what: "param", name, ...present(pair) });
  }
  return differences;
}

export function toolDifferences(
  asked: ReadonlyMap<string, string>,
  recorded: ReadonlyMap<string, string>,
): { added: string[]; removed: string[]; changed: string[] } {
  return {
    added: [...asked.keys()].filter((name) => !recorded.has(name)),
    removed: [...recorded.keys()].filter((name) => !asked.has(name)),
    changed: [...asked.keys()].filter((name) => recorded.has(name) && recorded.get(name) !== asked.get(name)),
  };
}

/** The first line of the instructions that differs, and the first other message that does. */
function messageDifferences(asked: ReadRequest, recorded: ReadRequest): RequestDifference[] {
  const ours = messageList(asked.payload);
  const theirs = messageList(recorded.payload);
  const found: RequestDifference[] = [];
  const length = Math.max(asked.messages.length, recorded.messages.length);
  for (let index = 0; index < length; index++) {
    if (asked.messages[index] === recorded.messages[index]) continue;
    const pair = { asked: spoken(ours?.at(index)), recorded: spoken(theirs?.at(index)) };
    const role = stringMember(ours?.at(index) ?? theirs?.at(index), "role") ?? "";
    if (role === "system" || role === "developer") {
      if (!found.some(({ what }) => what === "system")) found.push({ what: "system", ...firstLine(pair) });
      continue;
    }
    found.push({ what: "message", index, role, ...present(excerpts(pair)) });
    break;
  }
  return found;
}

interface Texts {
  readonly asked: string | undefined;
  readonly recorded: string | undefined;
}

function firstLine({ asked, recorded }: Texts): { line: number; asked?: string; recorded?: string } {
  const ours = (asked ?? "").split("\n");
  const theirs = (recorded ?? "").split("\n");
  let at = 0;
  while (at < ours.length && ours[at] === theirs[at]) at++;
  return { line: at + 1, ...present(excerpts({ asked: ours[at], recorded: theirs[at] })) };
}

/** Both from a little before the first difference on. */
function excerpts({ asked, recorded }: Texts): Texts {
  let at = 0;
  const length = Math.min(asked?.length ?? 0, recorded?.length ?? 0);
  while (at < length && asked![at] === recorded![at]) at++;
  const from = Math.max(0, at - 40);
  const cut = (text: string | undefined) =>
    text === undefined ? undefined : `${from > 0 ? "…" : ""}${text.slice(from, from + LONGEST).toWellFormed()}`;
  return { asked: cut(asked), recorded: cut(recorded) };
}

/** The text of a message; of one that only calls or answers, its content as JSON. */
function spoken(message: Json | undefined): string | undefined {
  if (!isObject(message)) return undefined;
  const text = contentText(message);
  return text === "" ? stringifyJson(member(message, "content") ?? null) : text;
}
