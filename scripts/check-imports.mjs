// Draws the house from its imports, types included, and says where it is not what `rooms.mjs` says it is:
// files that import each other in a circle, and rooms that import a room above them.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { floors } from "./rooms.mjs";

const IMPORT = /(?:\bfrom\s+|\bimport\s*\(?\s*)"([^"]+)"/g;

/** Every source file below `packages/`, with the source files it imports. Tests are not part of the house. */
export function readImports(root) {
  const graph = new Map();
  for (const name of readdirSync(join(root, "packages")).sort()) {
    const folder = join(root, "packages", name, "src");
    for (const path of readdirSync(folder, { recursive: true }).sort()) {
      if (!/\.tsx?$/.test(path) || /\.(test|d)\.tsx?$/.test(path)) continue;
      graph.set(relative(root, join(folder, path)).replaceAll("\\", "/"), []);
    }
  }
  for (const [file, targets] of graph) {
    const text = readFileSync(join(root, file), "utf8").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
    for (const [, specifier] of text.matchAll(IMPORT)) {
      const target = resolveImport(file, specifier, graph);
      if (target !== undefined && !targets.includes(target)) targets.push(target);
    }
  }
  return graph;
}

function resolveImport(file, specifier, graph) {
  if (specifier.startsWith(".")) return known(join(dirname(file), specifier).replaceAll("\\", "/"), graph);
  const [, name, path = "index"] = /^(?:@spoor\/)?(core|record|spoor)(?:\/(.+))?$/.exec(specifier) ?? [];
  if (name === undefined) return undefined;
  const source = `packages/${name}/src/`;
  if (path.startsWith("internal/")) return known(`${source}${path.slice("internal/".length)}.ts`, graph);
  return known(`${source}public/${path}.ts`, graph) ?? known(`${source}${path}.ts`, graph);
}

function known(path, graph) {
  return graph.has(path) ? path : undefined;
}

/** Groups of files of which each can be reached from each other (Tarjan, 1972). */
export function findCircles(graph) {
  const numbers = new Map();
  const lowest = new Map();
  const open = [];
  const circles = [];
  const visit = (file) => {
    numbers.set(file, numbers.size);
    lowest.set(file, numbers.get(file));
    open.push(file);
    for (const next of graph.get(file)) {
      if (!numbers.has(next)) visit(next);
      if (open.includes(next)) lowest.set(file, Math.min(lowest.get(file), lowest.get(next)));
    }
    if (lowest.get(file) !== numbers.get(file)) return;
    const circle = open.splice(open.indexOf(file));
    if (circle.length > 1 || graph.get(file).includes(file)) circles.push(circle.sort());
  };
  for (const file of graph.keys()) if (!numbers.has(file)) visit(file);
  return circles;
}

/** Imports from a room into one beside it or above it. */
export function findForbidden(graph, house = floors) {
  const found = [];
  for (const [file, targets] of graph) {
    const from = placeOf(file, house);
    if (from === undefined) found.push(`${file} stands in no room of scripts/rooms.mjs`);
    for (const target of targets) {
      const to = placeOf(target, house);
      if (from !== undefined && to !== undefined && to.room !== from.room && to.floor >= from.floor)
        found.push(`${file} imports ${target}: ${to.room} is not below ${from.room}`);
    }
  }
  return found;
}

/** The innermost room a file stands in, and its floor. */
function placeOf(file, house) {
  let best;
  for (const [floor, rooms] of house.entries()) {
    for (const room of rooms) {
      const isIn = file.startsWith(`packages/${room}/`) || file === `packages/${room}.ts`;
      if (isIn && room.length > (best?.room.length ?? 0)) best = { room, floor };
    }
  }
  return best;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const graph = readImports(join(import.meta.dirname, ".."));
  const problems = [...findCircles(graph).map((circle) => `circle: ${circle.join(" ↔ ")}`), ...findForbidden(graph)];
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exit(1);
}
