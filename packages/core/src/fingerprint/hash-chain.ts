/**
 * The hash chain of a content-blind trace. Each record carries the hash of its own payload and a signature over its id,
 * place, type, payload hash and the signature before it, so that every link covers all earlier ones; the header carries
 * the number of links and the last signature, so that a cut tail shows too.
 *
 * A chain without a secret proves that a file is consistent, not who wrote it: whoever edits a file can rebuild the chain.
 */
import { canonicalJson } from "../canonical/canonical-json.ts";
import { digestText } from "../canonical/digest.ts";
import { isObject, type Json, type JsonObject, member, scalarText, stringMember } from "../trace/json.ts";

export const BLIND_FORMAT = "spoor.blind/1";

/** The members that make the chain; everything else of a record is its payload. */
const CHAIN_MEMBERS: ReadonlySet<string> = new Set(["id", "payload_hash", "prev_hash", "signature"]);

export interface ChainReport {
  readonly valid: boolean;
  /** Links that were checked before the first broken one, or all of them. */
  readonly links: number;
  /** The last good signature; null when there is no link. */
  readonly chainHash: string | null;
  readonly broken?: BrokenLink;
}

export interface BrokenLink {
  /** Place among the records of the file, the header being 0; line `index + 1` of the file. */
  readonly index: number;
  readonly code: "not_a_record" | "payload" | "order" | "previous" | "signature" | "header" | "count" | "chain_hash";
  /** What it means, in words. */
  readonly message: string;
}

export function signInteraction(interaction: JsonObject, previous: string | null): JsonObject {
  const payloadHash = hashPayload(interaction);
  return {
    ...interaction,
    payload_hash: payloadHash,
    prev_hash: previous,
    signature: signature(interaction, payloadHash, previous),
  };
}

export function signHeader(header: JsonObject, interactions: readonly JsonObject[]): JsonObject {
  const chainHash = interactions.length === 0 ? null : (stringMember(interactions.at(-1), "signature") ?? null);
  const complete = { ...header, interaction_count: interactions.length, chain_hash: chainHash };
  return { ...complete, header_hash: digestText(canonicalJson(complete)) };
}

/**
 * Recomputes every link and reports the first broken one: edits, reordering, insertions and removals all show. A file may
 * hold several traces one after the other; each header begins a chain of its own.
 */
export function verifyChain(records: readonly Json[]): ChainReport {
  let links = 0;
  let chainHash: string | null = null;
  for (let from = 0; from < records.length; ) {
    const end = endOfTrace(records, from);
    const checked = verifyTrace(records.slice(from, end), from);
    links += checked.links;
    chainHash = checked.chainHash;
    if (!checked.valid) return { ...checked, links };
    from = end;
  }
  return { valid: true, links, chainHash };
}

function endOfTrace(records: readonly Json[], from: number): number {
  for (let index = from + 1; index < records.length; index++) if (isHeader(records[index])) return index;
  return records.length;
}

function isHeader(record: Json | undefined): boolean {
  return member(record, "format") === BLIND_FORMAT;
}

function verifyTrace(records: readonly Json[], offset: number): ChainReport {
  const header = isHeader(records[0]) ? (records[0] as JsonObject) : undefined;
  const first = header === undefined ? 0 : 1;
  let previous: string | null = null;
  for (let index = first; index < records.length; index++) {
    const broken = checkLink(records[index], offset + index, index - first, previous);
    if (broken !== undefined) return { valid: false, links: index - first, chainHash: previous, broken };
    previous = stringMember(records[index], "signature")!;
  }
  const links = records.length - first;
  const broken = header === undefined ? undefined : checkHeader(header, offset, links, previous);
  return { valid: broken === undefined, links, chainHash: previous, ...(broken === undefined ? {} : { broken }) };
}

function checkLink(
  record: Json | undefined,
  index: number,
  place: number,
  previous: string | null,
): BrokenLink | undefined {
  if (!isObject(record)) return { index, code: "not_a_record", message: "is not a record" };
  if (hashPayload(record) !== member(record, "payload_hash")) {
    return { index, code: "payload", message: "was edited: its payload no longer has the recorded hash" };
  }
  if (Number(member(record, "sequence")) !== place) {
    return { index, code: "order", message: `is out of order: step ${place + 1} is expected here` };
  }
  if (member(record, "prev_hash") !== previous) {
    return {
      index,
      code: "previous",
      message: "does not follow the record before it: one was moved, added or removed",
    };
  }
  if (signature(record, hashPayload(record), previous) !== member(record, "signature")) {
    return { index, code: "signature", message: "has a signature that does not belong to it" };
  }
  return undefined;
}

function checkHeader(header: JsonObject, index: number, links: number, last: string | null): BrokenLink | undefined {
  const { header_hash: recorded, ...complete } = header;
  const expected = scalarText(member(header, "interaction_count"));
  if (Number(expected) !== links) {
    return { index, code: "count", message: `announces ${expected} steps, the file holds ${links}` };
  }
  if (member(header, "chain_hash") !== last) {
    return { index, code: "chain_hash", message: "names another last signature than the chain has" };
  }
  if (digestText(canonicalJson(complete)) !== recorded) {
    return { index, code: "header", message: "was edited: it no longer has the recorded hash" };
  }
  return undefined;
}

function hashPayload(interaction: JsonObject): string {
  const payload = Object.fromEntries(Object.entries(interaction).filter(([key]) => !CHAIN_MEMBERS.has(key)));
  return digestText(canonicalJson(payload));
}

function signature(interaction: JsonObject, payloadHash: string, previous: string | null): string {
  const { id, sequence, type } = interaction;
  return digestText(canonicalJson([id ?? null, sequence ?? null, type ?? null, payloadHash, previous]));
}
