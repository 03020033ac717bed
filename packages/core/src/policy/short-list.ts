/** Lists that hold next to nothing, nearly always: what is open at this moment. Steps are pure, so a change is a new list. */
const NOTHING: readonly never[] = [];

/** With one more at the end, and no more than the latest `max`. */
export function withLast<T>(list: readonly T[], item: T, max: number): readonly T[] {
  return list.length === 0 ? [item] : [...list, item].slice(-max);
}

/** The list itself where nothing is taken out. */
export function without<T>(list: readonly T[], isGone: (item: T) => boolean): readonly T[] {
  if (list.length === 0) return list;
  const left = list.filter((item) => !isGone(item));
  if (left.length === list.length) return list;
  return left.length === 0 ? NOTHING : left;
}

/** For what is no state: a list that most never need, with one more. It is the same list, once there is one. */
export function withOne<T>(list: readonly T[], item: T): readonly T[] {
  if (list.length === 0) return [item];
  (list as T[]).push(item);
  return list;
}
