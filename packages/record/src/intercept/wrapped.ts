/** What has been wrapped, and by whom: the same owner wraps a thing once, however often it is asked to. */
const owners = new WeakMap<object, Set<object>>();

export function isWrappedBy(value: object, owner: object): boolean {
  return owners.get(value)?.has(owner) === true;
}

/** `original` is what stands inside: whoever wrapped that has wrapped this. */
export function markWrapped<T extends object>(wrapped: T, owner: object, original?: object): T {
  owners.set(wrapped, new Set([...(original === undefined ? [] : (owners.get(original) ?? [])), owner]));
  return wrapped;
}

/** What was changed in place by a guard: another one would be judged inside the first, and see only what that lets through. */
const guarded = new WeakSet<object>();

export function isGuarded(value: object): boolean {
  return guarded.has(value);
}

export function markGuarded(value: object): void {
  guarded.add(value);
}
