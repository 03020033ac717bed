/**
 * Paths as bands that run from step to step: each column is a place in the path, each node a tool at that place, as high as runs pass through it. A plain
 * layout that needs no iteration: paths are few, and the same steps at the same place share a node.
 */
export interface LaidPath {
  readonly id: number;
  readonly seen: number;
  readonly steps: readonly string[];
}

interface LaidNode {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly height: number;
  readonly runs: number;
}

export interface LaidBand {
  readonly path: number;
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  readonly height: number;
}

export interface PathLayout {
  readonly nodes: readonly LaidNode[];
  readonly bands: readonly LaidBand[];
  readonly width: number;
  readonly height: number;
}

export const COLUMN = 190;
export const NODE = 9;
const TOP = 26;
const GAP = 44;
const FULL = 150;
const LEAST = 2;

export function layPaths(paths: readonly LaidPath[]): PathLayout {
  const all = paths.reduce((sum, { seen }) => sum + seen, 0);
  const heightOf = (runs: number) => Math.max(LEAST, (runs / Math.max(1, all)) * FULL);
  const columns = paths.reduce((most, { steps }) => Math.max(most, steps.length), 0);
  const nodes: LaidNode[] = [];
  /** Where the next band of a path begins in the node it has reached. */
  const places = new Map<string, { node: LaidNode; used: number }>();
  let height = 0;
  for (let column = 0; column < columns; column++) {
    const byName = new Map<string, LaidPath[]>();
    for (const path of paths) {
      const step = path.steps[column];
      if (step !== undefined) byName.set(step, [...(byName.get(step) ?? []), path]);
    }
    let y = TOP;
    for (const [name, through] of byName) {
      const runs = through.reduce((sum, { seen }) => sum + seen, 0);
      const high = through.reduce((sum, { seen }) => sum + heightOf(seen), 0);
      const node = { name, x: column * COLUMN, y, height: high, runs };
      nodes.push(node);
      places.set(`${column} ${name}`, { node, used: 0 });
      y += high + GAP;
    }
    height = Math.max(height, y);
  }
  const bands: LaidBand[] = [];
  const taken = new Map<string, number>();
  for (const path of paths) {
    const high = heightOf(path.seen);
    // A path keeps its place inside a node on both sides of it.
    const ys = path.steps.map((step, column) => {
      const key = `${column} ${step}`;
      const used = taken.get(key) ?? 0;
      taken.set(key, used + high);
      return places.get(key)!.node.y + used;
    });
    for (const [column, y] of ys.slice(0, -1).entries())
      bands.push({
        path: path.id,
        x1: column * COLUMN + NODE,
        y1: y,
        x2: (column + 1) * COLUMN,
        y2: ys[column + 1]!,
        height: high,
      });
  }
  return { nodes, bands, width: Math.max(1, columns) * COLUMN, height };
}
