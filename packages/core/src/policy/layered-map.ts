/**
 * A table of what was committed, and in front of it the changes of a step that may still be dropped. Steps of rules are pure
 * (rule.ts); copying a table of all orders at every call would not be cheap.
 */
export interface LayeredMap<V> {
  readonly table: Map<string, V>;
  readonly changes: Changes<V> | undefined;
}

/** The latest first. */
interface Changes<V> {
  readonly key: string;
  readonly value: V;
  readonly before: Changes<V> | undefined;
  readonly size: number;
}

export function emptyLayers<V>(): LayeredMap<V> {
  return { table: new Map(), changes: undefined };
}

export function lookUp<V>({ table, changes }: LayeredMap<V>, key: string): V | undefined {
  for (let change = changes; change !== undefined; change = change.before) if (change.key === key) return change.value;
  return table.get(key);
}

export function withEntry<V>({ table, changes }: LayeredMap<V>, key: string, value: V): LayeredMap<V> {
  return { table, changes: { key, value, before: changes, size: (changes?.size ?? 0) + 1 } };
}

/** So much is remembered of one session and no more: what may run for months must not grow for months. */
export const MAX_REMEMBERED = 100_000;

/** Whether this entry would be one too many. What cannot be remembered cannot be judged later, and is not let through now. */
export function isBeyond<V>(layers: LayeredMap<V>, key: string): boolean {
  return layers.table.size + (layers.changes?.size ?? 0) >= MAX_REMEMBERED && lookUp(layers, key) === undefined;
}

/** `more than 100000 different values, which cannot all be remembered` */
export function tooMany(what: string): string {
  return `more than ${MAX_REMEMBERED} different ${what}, which cannot all be remembered`;
}

/** The changes have been kept: they become part of the table. */
export function settleLayers<V>({ table, changes }: LayeredMap<V>): LayeredMap<V> {
  const inOrder: Changes<V>[] = [];
  for (let change = changes; change !== undefined; change = change.before) inOrder.push(change);
  // The latest of a key is the one that stays.
  for (let at = inOrder.length - 1; at >= 0; at--) table.set(inOrder[at]!.key, inOrder[at]!.value);
  return { table, changes: undefined };
}
