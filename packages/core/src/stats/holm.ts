/**
 * Corrects p-values for asking several questions at once, so that the chance of even one false alarm stays at the chosen
 * level: Holm (1979), "A simple sequentially rejective multiple test procedure". O(n log n); keeps the input's order.
 */
export function holm(pValues: readonly number[]): number[] {
  const order = pValues.map((_, index) => index).sort((left, right) => pValues[left]! - pValues[right]!);
  const corrected = new Array<number>(pValues.length).fill(1);
  let highest = 0;
  order.forEach((index, position) => {
    highest = Math.max(highest, Math.min(1, pValues[index]! * (pValues.length - position)));
    corrected[index] = highest;
  });
  return corrected;
}
