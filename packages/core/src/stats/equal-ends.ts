/** How many leading and (not overlapping) trailing items of two sequences are equal. */
export interface EqualEnds {
  readonly start: number;
  readonly end: number;
}

/** Most compared sequences share most of themselves: what stands between the equal ends is all that costs anything. */
export function equalEnds<T>(left: ArrayLike<T>, right: ArrayLike<T>): EqualEnds {
  const shortest = Math.min(left.length, right.length);
  let start = 0;
  while (start < shortest && left[start] === right[start]) start++;
  let end = 0;
  while (end < shortest - start && left[left.length - 1 - end] === right[right.length - 1 - end]) end++;
  return { start, end };
}
