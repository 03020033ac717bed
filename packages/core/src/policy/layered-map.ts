/**
 * A table of what was committed, and in front of it the changes of a step that may still be dropped. Steps of rules are pure
 * (rule.ts); copying a table of all orders at every call would not be cheap.
 */
export interface LayeredMap<V> {
  readonly table: Map<string, V>;
  readonly changes: ReadonlyMap<string, V>;
}

const NO_CHANGES: ReadonlyMap<string, never> = new Map<string, never>();

export function emptyLayers<V>(): LayeredMap<V> {
  return { table: new Map(), changes: NO_CHANGES };
}

export function lookUp<V>({ table, changes }: LayeredMap<V>, key: string): V | undefined {
  return changes.get(key) ?? table.get(key);
}

export function withEntry<V>({ table, changes }: LayeredMap<V>, key: string, value: V): LayeredMap<V> {
  return { table, changes: new Map([...changes, [key, value]]) };
}

/** So much is remembered of one session and no more: what may run for months must not grow for months. */
export const MAX_REMEMBERED = 100_000;

/** Whether this entry would be one too many. What cannot be remembered cannot be judged later, and is not let through now. */
export function isBeyond<V>(layers: LayeredMap<V>, key: string): boolean {
  return layers.table.size + layers.changes.size >= MAX_REMEMBERED && lookUp(layers, key) === undefined;
}

/** `more than 100000 different values, which cannot all be remembered` */
export function tooMany(what: string): string {
  return `more than ${MAX_REMEMBERED} different ${what}, which cannot all be remembered`;
}

/** The changes have been kept: they become part of the table. */
export function settleLayers<V>(layers: LayeredMap<V>): LayeredMap<V> {
  if (layers.changes.size === 0) return layers;
  for (const [key, value] of layers.changes) layers.table.set(key, value);
  return { table: layers.table, changes: NO_CHANGES };
}
