export function readImports(root: string): Map<string, string[]>;
export function findCircles(graph: ReadonlyMap<string, readonly string[]>): string[][];
export function findForbidden(
  graph: ReadonlyMap<string, readonly string[]>,
  house?: readonly (readonly string[])[],
): string[];
