/** The places of a JSON document, and what can be done at one of them. */
import type { Json } from "@spoor/core";
import { setMember } from "@spoor/core/internal/trace/json";

/** A value inside a document that may be changed in place. */
export interface JsonNode {
  readonly parent: Json[] | Record<string, Json>;
  readonly key: number | string;
}

/** Every value below the root, parents before their children. */
export function listNodes(root: Json): JsonNode[] {
  const nodes: JsonNode[] = [];
  const open: Json[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== "object" || value === null) continue;
    const parent = value as Json[] | Record<string, Json>;
    for (const key of Object.keys(parent)) {
      nodes.push({ parent, key: Array.isArray(parent) ? Number(key) : key });
      open.push((parent as Record<string, Json>)[key]!);
    }
  }
  return nodes;
}

export function valueAt({ parent, key }: JsonNode): Json {
  return (parent as Record<string, Json>)[key]!;
}

export function replaceAt({ parent, key }: JsonNode, value: Json): void {
  if (Array.isArray(parent)) parent[key as number] = value;
  else setMember(parent, key as string, value);
}

export function deleteAt({ parent, key }: JsonNode): void {
  if (Array.isArray(parent)) parent.splice(key as number, 1);
  else delete parent[key as string];
}

/** A list gets the value once more; an object gets it under another name. */
export function repeatAt(node: JsonNode): void {
  const copy = copyJson(valueAt(node));
  if (Array.isArray(node.parent)) node.parent.splice(node.key as number, 0, copy);
  else setMember(node.parent, `${node.key}_2`, copy);
}

/** How many steps lead from the root to the deepest value. */
export function depthOf(root: Json): number {
  let depth = 0;
  for (let level: Json[] = [root]; level.length > 0; depth++)
    level = level.flatMap((value) => (typeof value === "object" && value !== null ? Object.values(value) : []));
  return depth - 1;
}

/** Whether it has more values than this; those that stand at several places count at each, as they are written. */
export function hasMoreThan(root: Json, most: number): boolean {
  let seen = 0;
  const open: Json[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (++seen > most) return true;
    if (typeof value === "object" && value !== null) for (const child of Object.values(value)) open.push(child as Json);
  }
  return false;
}

/** A copy, made level by level and not by recursion: an earlier damage may have nested it deeper than any stack. */
export function copyJson(value: Json): Json {
  const root: Json[] = [value];
  const open: (Json[] | Record<string, Json>)[] = [root];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    for (const key of Object.keys(parent)) {
      const child = (parent as Record<string, Json>)[key]!;
      if (typeof child !== "object" || child === null) continue;
      const own = (Array.isArray(child) ? [...child] : { ...child }) as Json[] | Record<string, Json>;
      (parent as Record<string, Json>)[key] = own;
      open.push(own);
    }
  }
  return root[0]!;
}

/** The same value under another name; elements of lists have none. */
export function renameAt(node: JsonNode, name: string): void {
  if (Array.isArray(node.parent)) return;
  const value = valueAt(node);
  delete node.parent[node.key as string];
  setMember(node.parent, name, value);
}
