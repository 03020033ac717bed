/**
 * What differs from run to run and means the same: fresh ids, times, folders of this machine. A masked text has placeholders in
 * their places, and what stood there is handed out beside it, so that a caller can still tell a new id from another customer's.
 * Masking twice changes nothing. Linear: the patterns here have no nested repetition, a user's own run on RE2.
 */
import { SpoorError } from "../errors.ts";
import { compilePattern, type Pattern } from "../text/pattern.ts";
import { isObject, type Json, setMember } from "../trace/json.ts";

export interface MaskOptions {
  /** Patterns of one's own, in RE2 syntax. */
  readonly mask?: readonly string[] | undefined;
  /** Folders of the machine that replays, and of those that recorded. */
  readonly folders?: readonly MaskedFolder[] | undefined;
}

export interface MaskedFolder {
  readonly kind: "work" | "home" | "temp";
  readonly path: string;
}

export type MaskedKind = "uuid" | "time" | "epoch" | "temp" | "home" | "work";

/** Something that was masked. */
export interface MaskedToken {
  readonly kind: MaskedKind;
  readonly text: string;
}

export interface Masks {
  text(text: string, into?: MaskedToken[]): string;
  /** The very same value where nothing is masked. Keys stay as they are. */
  json(value: Json, into?: MaskedToken[]): Json;
}

export function createMasks({ mask = [], folders = [] }: MaskOptions = {}): Masks {
  const own = mask.map(compileMask);
  // A folder inside another one is masked first.
  const known = [...folders]
    .map(({ kind, path }) => ({ kind, path: path.replace(/[\\/]+$/, "") }))
    .filter(({ path }) => path.length > 1)
    .sort((left, right) => right.path.length - left.path.length);

  return { text, json };

  function text(written: string, into?: MaskedToken[]): string {
    let masked = written;
    for (const pattern of own) masked = pattern.replaceAll(masked, "[masked]");
    for (const { kind, path } of known) masked = maskFolder(masked, path, kind, into);
    if (!MAYBE.test(masked)) return masked;
    return masked.replace(VOLATILE, (found, uuid, time, epoch, temp) => {
      const kind = uuid ? "uuid" : time ? "time" : epoch ? "epoch" : temp ? "temp" : "home";
      if (kind === "temp" && !isDrawn(found)) return found;
      into?.push({ kind, text: found });
      return `[${kind}]`;
    });
  }

  function json(value: Json, into?: MaskedToken[]): Json {
    if (typeof value === "string") return text(value, into);
    if (typeof value === "number") return number(value, into);
    if (Array.isArray(value)) {
      const masked = value.map((item: Json) => json(item, into));
      return masked.every((item, index) => item === value[index]) ? value : masked;
    }
    if (!isObject(value)) return value;
    const masked: Record<string, Json> = {};
    let changed = false;
    for (const key of Object.keys(value)) {
      const item = json(value[key]!, into);
      if (item !== value[key]) changed = true;
      setMember(masked, key, item);
    }
    return changed ? masked : value;
  }
}

/** A quick look: none of them is without a digit or a folder's name. */
const MAYBE = /\d{4}|[0-2]\d:[0-5]\d|[\\/](?:tmp|home|Users|root|folders)/;

const UUID = String.raw`(\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b)`;
const CLOCK = String.raw`(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?`;
const DAY = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;
const TIME = String.raw`(\b${DAY}(?:[T ]${CLOCK})?(?![\d-])|\b(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:[.,]\d{1,9})?(?![\d:]))`;
/** Seconds, milliseconds, microseconds or nanoseconds since 1970, from 2001 to 2033. */
const EPOCH = String.raw`(\b1\d{9}(?:\.\d{1,9}|\d{3}|\d{6}|\d{9})?\b)`;
const TEMP = String.raw`((?:\/private)?\/(?:var\/)?tmp\/[\w-]{6,80}|(?:\/private)?\/var\/folders\/[\w-]+\/[\w-]+\/T\/[\w-]{6,80}|[A-Za-z]:\\Users\\[^\\\s"]+\\AppData\\Local\\Temp\\[\w-]{6,80})(?![\w.])`;
const HOME = String.raw`(?:\/home\/[\w.-]+|\/Users\/[\w.-]+|[A-Za-z]:\\Users\\[\w.-]+|\/root)(?![\w.])`;
const VOLATILE = new RegExp([UUID, TIME, EPOCH, TEMP, HOME].join("|"), "g");

/** The name of a folder that was made for one run ends in drawn letters: `agent-x8GzQ1`, not `reports`. */
function isDrawn(path: string): boolean {
  return /[0-9A-Z]/.test(path.slice(-6));
}

function number(value: number, into: MaskedToken[] | undefined): Json {
  if (!Number.isFinite(value) || value < FIRST_SECOND) return value;
  const isEpoch = value < LAST_SECOND || (value >= FIRST_SECOND * 1_000 && value < LAST_SECOND * 1_000);
  if (!isEpoch) return value;
  into?.push({ kind: "epoch", text: String(value) });
  return "[epoch]";
}

const FIRST_SECOND = 1_000_000_000;
const LAST_SECOND = 2_000_000_000;

function maskFolder(text: string, path: string, kind: MaskedKind, into: MaskedToken[] | undefined): string {
  if (!text.includes(path)) return text;
  let masked = "";
  let from = 0;
  for (let at = text.indexOf(path); at >= 0; at = text.indexOf(path, from)) {
    const end = at + path.length;
    // `/work/agent` does not stand in `/work/agent-2`.
    const isWhole = !/[\w.-]/.test(text.charAt(end));
    masked += text.slice(from, at) + (isWhole ? `[${kind}]` : path);
    if (isWhole) into?.push({ kind, text: path });
    from = end;
  }
  return masked + text.slice(from);
}

function compileMask(source: string): Pattern {
  const compiled = compilePattern(source);
  if (typeof compiled === "string")
    throw new SpoorError("replay.bad-mask", `A mask is not valid: ${compiled}.`, {
      hint: "Masks are RE2 syntax: no lookaround, no back-references.",
    });
  if (compiled.test(""))
    throw new SpoorError(
      "replay.bad-mask",
      `The mask ${JSON.stringify(source)} matches the empty text, so it would match everywhere.`,
      {
        hint: "Use + where it says *.",
      },
    );
  return compiled;
}
