/**
 * The parts of one response against the parts of another: texts, calls, results, and why it ended. Short lists are compared place by
 * place, longer ones are aligned first, so that one inserted part does not make every later one look changed.
 */
import { type Json, type JsonObject, jsonEqual, member } from "../../trace/json.ts";
import type { Exchange } from "../../trace/trace.ts";

export type SpanChangeKind =
  | "text_block_changed"
  | "tool_use_args_changed"
  | "tool_result_changed"
  | "unknown_block_changed"
  | "block_type_changed"
  | "tool_use_added"
  | "tool_use_removed"
  | "tool_result_added"
  | "tool_result_removed"
  | "text_block_added"
  | "text_block_removed"
  | "block_added"
  | "block_removed"
  | "stop_reason_changed";

export interface SpanChange {
  readonly kind: SpanChangeKind;
  /** Position of the part: the baseline's for changes and removals, the candidate's for additions; -1 for the end of the turn. */
  readonly blockIndex: number;
}

type Said = Pick<Exchange, "parts" | "stopReason">;

const BY_PLACE = 5;
/** Table cells up to which parts are aligned exactly; beyond, equal ends are set aside first. */
const MOST_CELLS = 1_000_000;
const GAP = 1;
const SAME_TYPE = 0.5;
const OTHER_TYPE = 1.5;

export function diffSpans(baseline: Said, candidate: Said): SpanChange[] {
  const before = baseline.parts;
  const after = candidate.parts;
  const short = before.length <= BY_PLACE && after.length <= BY_PLACE;
  const changes = (short ? pairByPlace(before, after) : pairParts(before, after)).flatMap(([left, right]) =>
    compareParts(before, after, left, right),
  );
  if (baseline.stopReason !== candidate.stopReason) changes.push({ kind: "stop_reason_changed", blockIndex: -1 });
  return changes;
}

/** Positions on either side; undefined where a side has no part. */
type PartPair = readonly [number | undefined, number | undefined];

function pairByPlace(before: readonly JsonObject[], after: readonly JsonObject[]): PartPair[] {
  return Array.from({ length: Math.max(before.length, after.length) }, (_, index) => [
    index < before.length ? index : undefined,
    index < after.length ? index : undefined,
  ]);
}

/**
 * Alignment costs parts × parts. A response with thousands of calls is aligned between its equal ends, and place by place
 * where even that is too much: slower would be no truer, for nobody reads ten thousand shifted parts.
 */
function pairParts(before: readonly JsonObject[], after: readonly JsonObject[]): PartPair[] {
  if (before.length * after.length <= MOST_CELLS) return alignParts(before, after);
  const shortest = Math.min(before.length, after.length);
  let start = 0;
  while (start < shortest && sameContent(before[start]!, after[start]!)) start++;
  let end = 0;
  while (end < shortest - start && sameContent(before.at(-1 - end)!, after.at(-1 - end)!)) end++;
  const left = before.slice(start, before.length - end);
  const right = after.slice(start, after.length - end);
  const middle = left.length * right.length <= MOST_CELLS ? alignParts(left, right) : pairByPlace(left, right);
  const shifted = middle.map(
    ([one, other]): PartPair => [
      one === undefined ? undefined : one + start,
      other === undefined ? undefined : other + start,
    ],
  );
  const equal = (count: number, at: number, beside: number) =>
    Array.from({ length: count }, (_, index): PartPair => [at + index, beside + index]);
  return [...equal(start, 0, 0), ...shifted, ...equal(end, before.length - end, after.length - end)];
}

function alignParts(before: readonly JsonObject[], after: readonly JsonObject[]): PartPair[] {
  const width = after.length + 1;
  const costs = new Float64Array((before.length + 1) * width);
  for (let row = 0; row <= before.length; row++) costs[row * width] = row * GAP;
  for (let column = 0; column < width; column++) costs[column] = column * GAP;
  for (let row = 1; row <= before.length; row++) {
    for (let column = 1; column < width; column++) {
      const cell = row * width + column;
      costs[cell] = Math.min(
        costs[cell - width - 1]! + partCost(before[row - 1]!, after[column - 1]!),
        costs[cell - 1]! + GAP,
        costs[cell - width]! + GAP,
      );
    }
  }
  const pairs: PartPair[] = [];
  let row = before.length;
  let column = after.length;
  while (row > 0 || column > 0) {
    const cell = row * width + column;
    const matched =
      row > 0 &&
      column > 0 &&
      costs[cell] === costs[cell - width - 1]! + partCost(before[row - 1]!, after[column - 1]!);
    if (matched) pairs.push([--row, --column]);
    else if (column > 0 && costs[cell] === costs[cell - 1]! + GAP) pairs.push([undefined, --column]);
    else pairs.push([--row, undefined]);
  }
  return pairs.reverse();
}

function partCost(left: JsonObject, right: JsonObject): number {
  if (sameContent(left, right)) return 0;
  return jsonEqual(member(left, "type"), member(right, "type")) ? SAME_TYPE : OTHER_TYPE;
}

function compareParts(
  before: readonly JsonObject[],
  after: readonly JsonObject[],
  left: number | undefined,
  right: number | undefined,
): SpanChange[] {
  if (left === undefined) return [{ kind: `${nameOf(after[right!]!)}_added`, blockIndex: right! }];
  if (right === undefined) return [{ kind: `${nameOf(before[left]!)}_removed`, blockIndex: left }];
  const one = before[left]!;
  const other = after[right]!;
  if (!jsonEqual(member(one, "type"), member(other, "type"))) return [{ kind: "block_type_changed", blockIndex: left }];
  return sameContent(one, other) ? [] : [{ kind: changedKind(one), blockIndex: left }];
}

/** What counts as the content of a part: an id alone is no change. */
function sameContent(left: JsonObject, right: JsonObject): boolean {
  const type = member(left, "type");
  if (!jsonEqual(type, member(right, "type"))) return false;
  const same = (key: string) => jsonEqual(member(left, key), member(right, key));
  switch (type) {
    case "text":
      return same("text");
    case "tool_use":
      return same("name") && same("input");
    case "tool_result":
      return same("content") && same("is_error");
    default:
      return jsonEqual(left, right);
  }
}

function nameOf(part: JsonObject): "tool_use" | "tool_result" | "text_block" | "block" {
  const type: Json | undefined = member(part, "type");
  if (type === "tool_use" || type === "tool_result") return type;
  return type === "text" ? "text_block" : "block";
}

function changedKind(part: JsonObject): SpanChangeKind {
  switch (member(part, "type")) {
    case "text":
      return "text_block_changed";
    case "tool_use":
      return "tool_use_args_changed";
    case "tool_result":
      return "tool_result_changed";
    default:
      return "unknown_block_changed";
  }
}
