/**
 * Families: behaviours that are nearly the same, so that statistics gather on agents that never act twice the same way.
 * The exact hash stays the identity of a behaviour; a family is a view over them.
 *
 * Behaviours whose tool paths are equal once loops are collapsed form one node. Nodes then join the most similar earlier
 * leader (composite similarity from 0.75 on) or lead a family of their own; leaders are taken by number of runs, then by
 * path, so the result does not depend on the order of the input. Cost: nodes · leaders, where most leaders are dismissed
 * by their tool set or length alone and the rest cost one bit-parallel subsequence.
 */
import { compareCodePoints } from "../canonical/canonical-json.ts";
import { Interner } from "../stats/intern.ts";
import { collapseLoops } from "./collapse-loops.ts";
import { isToolSegment } from "./segments.ts";
import { composite, defaultWeights, isVariant, type SimilarityWeights } from "./similarity.ts";

export interface FamilyMember {
  readonly hash: string;
  readonly segments: readonly string[];
  readonly errorPatterns: readonly string[];
  readonly runs: number;
}

export interface Family {
  /** Hash of the leading behaviour: the one with the most runs. */
  readonly id: string;
  /** The leader's collapsed path, as segments: `TOOL_CALL:search×n`. */
  readonly form: readonly string[];
  /** Hashes of the behaviours, most runs first. */
  readonly members: readonly string[];
  readonly runs: number;
}

interface Node {
  readonly form: readonly string[];
  readonly members: FamilyMember[];
  readonly tokens: Int32Array;
  readonly tools: Uint32Array;
  readonly errors: readonly string[];
  runs: number;
}

interface Leader extends Node {
  readonly joined: Node[];
}

/** A match this good is taken without looking further. */
const GOOD_ENOUGH = 0.95;

export function buildFamilies(members: readonly FamilyMember[], weights: SimilarityWeights = defaultWeights): Family[] {
  const nodes = collapseIntoNodes(members);
  const search = new LeaderSearch(weights);
  const leaders: Leader[] = [];
  for (const node of nodes) {
    const leader = search.closest(node);
    if (leader !== undefined) leader.joined.push(node);
    else {
      const own: Leader = { ...node, joined: [] };
      leaders.push(own);
      search.add(own);
    }
  }
  return leaders.map(familyOf).sort((left, right) => right.runs - left.runs || compareCodePoints(left.id, right.id));
}

/** The path a family is compared by: its tools, or all steps when it has none, with loops collapsed. */
export function collapsedForm(segments: readonly string[]): string[] {
  const tools = segments.filter(isToolSegment);
  return collapseLoops(tools.length === 0 ? segments : tools);
}

function collapseIntoNodes(members: readonly FamilyMember[]): Node[] {
  const tokens = new Interner<string>();
  const tools = new Interner<string>();
  const drafts = new Map<
    string,
    { form: string[]; members: FamilyMember[]; runs: number; errors: readonly string[] }
  >();
  for (const member of members) {
    const form = collapsedForm(member.segments);
    const key = `${form.join("|")}\u0000${member.errorPatterns.join("|")}`;
    const draft = drafts.get(key);
    if (draft === undefined)
      drafts.set(key, { form, members: [member], runs: member.runs, errors: member.errorPatterns });
    else {
      draft.members.push(member);
      draft.runs += member.runs;
    }
  }
  const ordered = [...drafts].sort(
    ([one, left], [other, right]) => right.runs - left.runs || compareCodePoints(one, other),
  );
  const sets = ordered.map(([, draft]) =>
    [...new Set(comparedTools(draft.members[0]!))].map((tool) => tools.intern(tool)),
  );
  const words = (tools.size + 31) >>> 5;
  return ordered.map(([, draft], index) => ({
    ...draft,
    tokens: tokens.internAll(draft.form),
    tools: bitSet(sets[index]!, words),
  }));
}

function comparedTools(member: FamilyMember): readonly string[] {
  const tools = member.segments.filter(isToolSegment);
  return tools.length === 0 ? member.segments : tools;
}

function bitSet(items: readonly number[], words: number): Uint32Array {
  const bits = new Uint32Array(words);
  for (const item of items) bits[item >>> 5]! |= 1 << (item & 31);
  return bits;
}

/** Leaders by tool set: one comparison of sets dismisses all leaders that share it. */
class LeaderSearch {
  private readonly buckets = new Map<string, { tools: Uint32Array; leaders: Leader[] }>();
  private readonly weights: SimilarityWeights;
  private equal = new Int32Array(64);

  constructor(weights: SimilarityWeights) {
    this.weights = weights;
  }

  add(leader: Leader): void {
    const key = leader.tools.join(",");
    const bucket = this.buckets.get(key);
    if (bucket === undefined) this.buckets.set(key, { tools: leader.tools, leaders: [leader] });
    else bucket.leaders.push(leader);
  }

  closest(node: Node): Leader | undefined {
    let best: Leader | undefined;
    let bestValue = 0;
    for (const bucket of this.buckets.values()) {
      const tools = jaccardOfBits(node.tools, bucket.tools);
      if (!isVariant(composite(tools, 1, 1, this.weights))) continue;
      for (const leader of bucket.leaders) {
        const shorter = Math.min(node.tokens.length, leader.tokens.length);
        const longer = Math.max(node.tokens.length, leader.tokens.length);
        const errors = jaccardOfLists(node.errors, leader.errors);
        const bound = composite(tools, longer === 0 ? 1 : shorter / longer, errors, this.weights);
        if (!isVariant(bound) || bound <= bestValue) continue;
        const order = longer === 0 ? 1 : this.lcs(node.tokens, leader.tokens) / longer;
        const value = composite(tools, order, errors, this.weights);
        if (!isVariant(value) || value <= bestValue) continue;
        best = leader;
        bestValue = value;
        if (value >= GOOD_ENOUGH) return best;
      }
    }
    return best;
  }

  /** Bit-parallel length of the common subsequence over interned tokens, in strips of 32 (see stats/lcs.ts). */
  private lcs(down: Int32Array, across: Int32Array): number {
    this.makeRoom(down, across);
    const carries = down.length > 32 ? new Uint8Array(across.length) : undefined;
    let length = 0;
    for (let top = 0; top < down.length; top += 32) {
      const height = Math.min(32, down.length - top);
      for (let row = 0; row < height; row++) this.equal[down[top + row]!]! |= 1 << row;
      let open = 0xffffffff;
      for (let column = 0; column < across.length; column++) {
        const taken = (open & this.equal[across[column]!]!) >>> 0;
        const sum = open + taken + (carries === undefined ? 0 : carries[column]!);
        if (carries !== undefined) carries[column] = sum >= 4294967296 ? 1 : 0;
        open = (sum | 0 | (open - taken)) >>> 0;
      }
      for (let row = 0; row < height; row++) {
        if (((open >>> row) & 1) === 0) length++;
        this.equal[down[top + row]!] = 0;
      }
    }
    return length;
  }

  private makeRoom(down: Int32Array, across: Int32Array): void {
    let largest = 0;
    for (const token of down) if (token > largest) largest = token;
    for (const token of across) if (token > largest) largest = token;
    if (largest >= this.equal.length) this.equal = new Int32Array(2 * (largest + 1));
  }
}

function jaccardOfBits(left: Uint32Array, right: Uint32Array): number {
  let common = 0;
  let all = 0;
  for (let word = 0; word < left.length; word++) {
    common += bitCount(left[word]! & right[word]!);
    all += bitCount(left[word]! | right[word]!);
  }
  return all === 0 ? 1 : common / all;
}

function bitCount(bits: number): number {
  let value = bits - ((bits >>> 1) & 0x55555555);
  value = (value & 0x33333333) + ((value >>> 2) & 0x33333333);
  return (((value + (value >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

function jaccardOfLists(left: readonly string[], right: readonly string[]): number {
  if (left.length === 0 && right.length === 0) return 1;
  const common = left.filter((item) => right.includes(item)).length;
  return common / (left.length + right.length - common);
}

function familyOf(leader: Leader): Family {
  const members = [leader, ...leader.joined]
    .flatMap((node) => node.members)
    .sort((left, right) => right.runs - left.runs || compareCodePoints(left.hash, right.hash));
  return {
    id: members[0]!.hash,
    form: leader.form,
    members: members.map((member) => member.hash),
    runs: members.reduce((sum, member) => sum + member.runs, 0),
  };
}
