/** What stands where a value was, in a recording without anything anyone said. */
export const REMOVED = "[removed]";

/** With the hash of the value, so that equal ones stay recognisable as equal, which is all that repeated calls are about. */
export function removedValue(hash: string | undefined): string {
  return hash === undefined ? REMOVED : `[removed ${hash.slice(0, 12)}]`;
}

/** The same without the hash, where hashes of several keys would stand beside each other; another text stays as it is. */
export function withoutHash(text: string): string {
  return /^\[removed [0-9a-f]+\]$/.test(text) ? REMOVED : text;
}
