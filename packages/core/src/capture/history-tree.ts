/**
 * Histories as a tree: one edge per message, so that the prefixes of a request are found by walking down once, and equal beginnings
 * are kept once. At a node stand the turns whose request was exactly the messages on the way to it.
 */
export interface TreeNode<T> {
  readonly parent: TreeNode<T> | undefined;
  readonly edge: string;
  readonly children: Map<string, TreeNode<T>>;
  readonly groups: Map<string, Group<T>>;
  /** What was answered here, by what the answer is known by. */
  readonly answers: Map<string, T>;
  /** The latest that failed here: an equal request tries again. */
  failed: T | undefined;
}

/** Turns with equal histories and equal instructions. */
interface Group<T> {
  /** Those that nobody continued, oldest first. */
  readonly waiting: Set<T>;
  readonly all: Set<T>;
}

export class HistoryTree<T> {
  private readonly root = newNode<T>(undefined, "");

  /** The nodes on the way: that after n messages stands at place n. */
  walk(edges: readonly string[]): readonly TreeNode<T>[] {
    const path = [this.root];
    let node = this.root;
    for (const edge of edges) {
      let next = node.children.get(edge);
      if (next === undefined) {
        next = newNode(node, edge);
        node.children.set(edge, next);
      }
      path.push(next);
      node = next;
    }
    return path;
  }

  /** The oldest turn of a group that nobody continued, else the oldest. */
  find(node: TreeNode<T>, group: string): T | undefined {
    const found = node.groups.get(group);
    return found === undefined ? undefined : (first(found.waiting) ?? first(found.all));
  }

  add(node: TreeNode<T>, group: string, turn: T): void {
    const known = node.groups.get(group);
    if (known === undefined) node.groups.set(group, { waiting: new Set([turn]), all: new Set([turn]) });
    else {
      known.waiting.add(turn);
      known.all.add(turn);
    }
  }

  setWaiting(node: TreeNode<T>, group: string, turn: T, isWaiting: boolean): void {
    const waiting = node.groups.get(group)?.waiting;
    if (isWaiting) waiting?.add(turn);
    else waiting?.delete(turn);
  }

  remove(node: TreeNode<T>, group: string, turn: T, answer: string | undefined): void {
    if (answer !== undefined && node.answers.get(answer) === turn) node.answers.delete(answer);
    const known = node.groups.get(group);
    known?.waiting.delete(turn);
    known?.all.delete(turn);
    if (known?.all.size === 0) node.groups.delete(group);
    if (node.failed === turn) node.failed = undefined;
    this.prune(node);
  }

  /** Forgets a way that leads to nothing. */
  private prune(leaf: TreeNode<T>): void {
    let node = leaf;
    while (node.parent !== undefined && node.children.size === 0 && node.groups.size === 0) {
      node.parent.children.delete(node.edge);
      node = node.parent;
    }
  }
}

function newNode<T>(parent: TreeNode<T> | undefined, edge: string): TreeNode<T> {
  return { parent, edge, children: new Map(), groups: new Map(), answers: new Map(), failed: undefined };
}

function first<T>(turns: ReadonlySet<T>): T | undefined {
  return turns.values().next().value;
}
