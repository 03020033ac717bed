/**
 * Whether two calls that are equal after masking ask the same. A new id is noise only if the recorded world does not know it: else it
 * names something else. A time is noise only if it was the time of the recording, and is the time of the replay: else it is asked for.
 */
import type { ReadCall } from "./call-reader.ts";
import type { MaskedToken, Masks } from "./masks.ts";
import type { RecordedCall, Tape } from "./tape.ts";

export type SameQuestion = (asked: ReadCall, recorded: RecordedCall, nowMs: number | undefined) => boolean;

export function createSameQuestion(tapes: readonly Tape[], masks: Masks): SameQuestion {
  const tapeOf = new Map(tapes.map((tape) => [tape.key, tape]));
  const worlds = new Map<string, ReadonlySet<string>>();

  return (asked, recorded, nowMs) =>
    asked.literal === recorded.literal ||
    asked.tokens.every((token, index) => {
      const theirs = recorded.tokens[index];
      return theirs !== undefined && (token.text === theirs.text || isNoise(token, theirs, recorded, nowMs));
    });

  function isNoise(
    asked: MaskedToken,
    theirs: MaskedToken,
    recorded: RecordedCall,
    nowMs: number | undefined,
  ): boolean {
    if (asked.kind === "home" || asked.kind === "work") return true;
    if (asked.kind === "uuid" || asked.kind === "temp") return !worldOf(recorded.from.trace).has(asked.text);
    return isNow(theirs, recorded.atMs) && (nowMs === undefined || isNow(asked, nowMs));
  }

  /** Ids and folders that were named anywhere in a recording. */
  function worldOf(key: string): ReadonlySet<string> {
    const known = worlds.get(key);
    if (known !== undefined) return known;
    const tape = tapeOf.get(key);
    const tokens: MaskedToken[] = [];
    for (const { args, result } of tape?.calls ?? []) {
      masks.json(args, tokens);
      if (result !== undefined) masks.json(result, tokens);
    }
    for (const message of tape?.trace.turns.at(-1)?.messages ?? []) masks.json(message, tokens);
    const world = new Set(tokens.map(({ text }) => text));
    worlds.set(key, world);
    return world;
  }
}

const HOUR_MS = 3_600_000;

/** Whether a time or an epoch is that of a moment; a day is, if it was that day anywhere on earth. */
function isNow({ kind, text }: MaskedToken, atMs: number | undefined): boolean {
  if (atMs === undefined) return false;
  if (kind === "epoch") return Math.abs(epochMs(text) - atMs) <= 24 * HOUR_MS;
  if (/^\d{4}-\d\d-\d\d$/.test(text)) {
    const day = Date.parse(text);
    return atMs >= day - 14 * HOUR_MS && atMs < day + 36 * HOUR_MS;
  }
  const moment = Date.parse(text.replace(" ", "T").replace(",", "."));
  // Without a zone it may be any place's time; a time without its day is never known to be now.
  return !Number.isNaN(moment) && Math.abs(moment - atMs) <= 24 * HOUR_MS;
}

/** Seconds, and by their length milli-, micro- or nanoseconds. */
function epochMs(text: string): number {
  const digits = text.split(".")[0]!.length;
  return Number(text) * 10 ** (13 - digits);
}
