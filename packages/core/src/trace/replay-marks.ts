/**
 * How a recording says that it was made in a recorded world: `replayed` in its metadata, and per answer what stood in for the real
 * one. The one place that knows the names, for those who write them and for those who read them.
 */
import { isObject, type Json, type JsonObject, member, numberMember, stringMember } from "./json.ts";
import { present } from "./present.ts";
import type { Evidence, StandIn } from "./trace.ts";

/**
 * How a recorded answer was found: the very one; one with other effects before it; the last one again; a tool that always says the
 * same; a read of another scenario; one for arguments that are near enough; one that was configured.
 */
export const servedWays = ["exact", "stale", "again", "constant", "elsewhere", "near", "configured"] as const;
export type ServedWay = (typeof servedWays)[number];

/** Where a served answer was recorded. */
export interface ReplayedFrom {
  /** Key of the recording. */
  readonly trace: string;
  /** Position of the response, from 0; -1 before any. */
  readonly turn: number;
}

/** What the door did with a call: served it, refused it, or let it run. */
export type ReplayMark = { readonly served: ServedWay | "refused"; readonly from?: ReplayedFrom | undefined };

/** For `meta` of a `tool_result`, or of a `chat_response`. */
export function replayMeta({ served, from }: ReplayMark): {
  readonly evidence: Evidence;
  readonly stand_in?: StandIn;
  readonly replayed_from?: JsonObject;
} {
  return present({
    evidence: served === "exact" ? ("replayed" as const) : ("stand_in" as const),
    stand_in: served === "exact" ? undefined : served,
    replayed_from: from === undefined ? undefined : { trace: from.trace, turn: from.turn },
  });
}

/** Which of a run's two inputs came from recordings. */
export interface Replayed {
  readonly model: boolean;
  readonly tools: boolean;
}

/** For the metadata of a recording. */
export function replayedMetadata({ model, tools }: Replayed): { readonly replayed: JsonObject } {
  return { replayed: { model, tools } };
}

export function replayedOf(metadata: Json | undefined): Replayed | undefined {
  const replayed = member(metadata, "replayed");
  if (!isObject(replayed)) return undefined;
  const read = { model: member(replayed, "model") === true, tools: member(replayed, "tools") === true };
  return read.model || read.tools ? read : undefined;
}

/**
 * With this header a door says of an answer that a recording gave it, also across processes: `exact`, or `exact; turn=3; trace=…`
 * with the key percent-encoded. It is taken off before the answer is kept.
 */
export const REPLAY_HEADER = "x-spoor-replayed";

export function replayHeader({ served, from }: ReplayMark): string {
  return from === undefined ? served : `${served}; turn=${from.turn}; trace=${encodeURIComponent(from.trace)}`;
}

export function markOfHeader(text: string | undefined): ReplayMark | undefined {
  if (text === undefined) return undefined;
  const [way, ...pairs] = text.split(";").map((part) => part.trim());
  const served = way === "refused" ? way : servedWays.find((one) => one === way);
  if (served === undefined) return undefined;
  const said = Object.fromEntries(pairs.map((pair) => pair.split("=", 2) as [string, string]));
  const turn = numberMember({ turn: Number(said["turn"]) }, "turn");
  const trace = stringMember(said, "trace");
  if (turn === undefined || trace === undefined) return { served };
  return { served, from: { trace: decoded(trace), turn } };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
