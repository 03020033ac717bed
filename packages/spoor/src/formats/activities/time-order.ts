/**
 * The order in which things were done: by the source's own numbers where it has them, else by clock.
 *
 * Clocks are coarse, so that a thing may start in the very moment in which what caused it does: what stands inside another, or
 * was asked for by it, then follows it. Where a clock is missing that matters, the order is that of the tree: each thing before
 * what stands inside it, siblings as the file has them.
 */
import type { Node } from "./tree.ts";

/** `askedBy`: the model call that a tool run carries out. */
export function timeOrder(
  nodes: readonly Node[],
  askedBy: ReadonlyMap<Node, Node> = new Map(),
): (left: Node, right: Node) => number {
  const acting = nodes.filter(isActing);
  if (acting.every((node) => node.activity.sequence !== undefined)) {
    return (left, right) => left.activity.sequence! - right.activity.sequence!;
  }
  if (acting.some((node) => node.activity.start === undefined)) {
    const rank = treeOrder(nodes);
    return (left, right) => rank.get(left)! - rank.get(right)!;
  }
  const levels = new Levels(askedBy);
  return (left, right) =>
    compareTimes(left.activity.start!, right.activity.start!) ||
    levels.of(left) - levels.of(right) ||
    compareTimes(endOf(left), endOf(right)) ||
    left.order - right.order;
}

const MILLISECOND = 1_000_000n;

/**
 * The end, for things that start at the same time. Where the start is a whole millisecond, the source may have added a fine duration to a coarse
 * start, as the JavaScript SDK of OpenTelemetry does: of two calls one after the other in one millisecond the first would seem to end last. Then no more
 * than the millisecond is believed, and the order of the file decides.
 */
function endOf({ activity: { start, end = start } }: Node): bigint {
  return start! % MILLISECOND === 0n ? end! / MILLISECOND : end!;
}

export function compareTimes(left: bigint, right: bigint): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function isActing({ activity }: Node): boolean {
  return activity.did.kind !== "around" && activity.did.kind !== "agent";
}

/** How many causes a node has that start in the same moment: a number, so that the order stays one for all pairs. */
class Levels {
  private readonly known = new Map<Node, number>();
  private readonly askedBy: ReadonlyMap<Node, Node>;

  constructor(askedBy: ReadonlyMap<Node, Node>) {
    this.askedBy = askedBy;
  }

  of(node: Node): number {
    const known = this.known.get(node);
    if (known !== undefined) return known;
    // Stands while the causes are looked at: a circle of them ends here.
    this.known.set(node, 0);
    let level = 0;
    for (const cause of [outerActing(node), this.askedBy.get(node)]) {
      if (cause !== undefined && cause.activity.start === node.activity.start)
        level = Math.max(level, this.of(cause) + 1);
    }
    this.known.set(node, level);
    return level;
  }
}

function outerActing(node: Node): Node | undefined {
  let outer = node.parent;
  while (outer !== undefined && !isActing(outer)) outer = outer.parent;
  return outer;
}

/** Depth first. */
function treeOrder(nodes: readonly Node[]): ReadonlyMap<Node, number> {
  const inside = new Map<Node | undefined, Node[]>();
  for (const node of nodes) {
    const siblings = inside.get(node.parent);
    if (siblings === undefined) inside.set(node.parent, [node]);
    else siblings.push(node);
  }
  for (const siblings of inside.values()) siblings.sort((left, right) => right.order - left.order);
  const rank = new Map<Node, number>();
  const open = [...(inside.get(undefined) ?? [])];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    rank.set(node, rank.size);
    open.push(...(inside.get(node) ?? []));
  }
  return rank;
}
