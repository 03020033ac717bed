/**
 * Paths as bands that run from step to step: each column is a place in the path, each node a tool at that place, as high as runs pass through it. A plain
 * layout that needs no iteration: paths are few, and the same steps at the same place share a node. Columns share the width there is; what has no room goes
 * on in a row below, which begins with the column that the row above ended in.
 */
import { foldName } from "@spoor/core/internal/text/columns";

export interface LaidPath {
  readonly id: number;
  readonly seen: number;
  readonly steps: readonly string[];
}

interface LaidNode {
  readonly name: string;
  /** The name above the node, from top to bottom. */
  readonly lines: readonly string[];
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

interface PathLayout {
  readonly nodes: readonly LaidNode[];
  readonly bands: readonly LaidBand[];
  readonly height: number;
}

export const NODE = 9;
export const LINE = 16;
/** Between a name and its node. */
export const UNDER_NAME = 8;
const TOP = 4;
const GAP = 20;
const BETWEEN_ROWS = 14;
const FULL = 150;
const LEAST = 2;
const LEAST_COLUMN = 150;
/** Of a letter of the names, whatever the reader's monospaced font is. */
const LETTER = 8;

export function layPaths(paths: readonly LaidPath[], width: number): PathLayout {
  const all = paths.reduce((sum, { seen }) => sum + seen, 0);
  const heightOf = ({ seen }: LaidPath) => Math.max(LEAST, (seen / Math.max(1, all)) * FULL);
  const steps = paths.reduce((most, path) => Math.max(most, path.steps.length), 0);
  const columns = columnsOfRow(steps, width);
  const nodes: LaidNode[] = [];
  const bands: LaidBand[] = [];
  let height = 0;
  for (let first = 0; first === 0 || first < steps - 1; first += columns - 1) {
    const through = first === 0 ? paths : paths.filter((path) => path.steps.length > first + 1);
    const row = layRow(through, { first, columns, column: width / columns, top: height + TOP, heightOf });
    nodes.push(...row.nodes);
    bands.push(...row.bands);
    height = row.height + BETWEEN_ROWS;
    if (columns < 2) break;
  }
  return { nodes, bands, height };
}

/** As many as have room, two at least; rows are about equally long. */
function columnsOfRow(steps: number, width: number): number {
  if (steps < 2) return 1;
  const most = Math.max(2, Math.floor(width / LEAST_COLUMN));
  const rows = Math.ceil((steps - 1) / (most - 1));
  return Math.ceil((steps - 1) / rows) + 1;
}

interface Row {
  /** The step in its first column. */
  readonly first: number;
  readonly columns: number;
  /** How wide one is. */
  readonly column: number;
  readonly top: number;
  readonly heightOf: (path: LaidPath) => number;
}

function layRow(paths: readonly LaidPath[], { first, columns, column, top, heightOf }: Row): PathLayout {
  const letters = Math.floor((column - LETTER) / LETTER);
  const nodes: LaidNode[] = [];
  const bands: LaidBand[] = [];
  let height = top;
  /** Where each path left the column before. */
  let left = new Map<LaidPath, number>();
  for (let at = 0; at < columns; at++) {
    const x = at * column;
    const byName = new Map<string, LaidPath[]>();
    for (const path of paths) {
      const step = path.steps[first + at];
      if (step !== undefined) byName.set(step, [...(byName.get(step) ?? []), path]);
    }
    const reached = new Map<LaidPath, number>();
    let y = top;
    for (const [name, through] of byName) {
      const lines = foldName(name, letters);
      y += lines.length * LINE + UNDER_NAME;
      const runs = through.reduce((sum, { seen }) => sum + seen, 0);
      const begin = y;
      for (const path of through) {
        const high = heightOf(path);
        const from = left.get(path);
        if (from !== undefined)
          bands.push({ path: path.id, x1: x - column + NODE, y1: from, x2: x, y2: y, height: high });
        // A path keeps its place inside a node on both sides of it.
        reached.set(path, y);
        y += high;
      }
      nodes.push({ name, lines, x, y: begin, height: y - begin, runs });
      y += GAP;
    }
    left = reached;
    height = Math.max(height, y);
  }
  return { nodes, bands, height };
}
