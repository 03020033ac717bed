/** A series as one character per value, lowest to highest; a gap where there is no data. */
const BLOCKS = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
const ASCII = ["_", ".", "-", "=", "+", "*", "%", "#"];

export function sparkline(values: readonly (number | null)[], ascii: boolean): string {
  const marks = ascii ? ASCII : BLOCKS;
  const present = values.filter((value) => value !== null);
  const low = Math.min(...present);
  const high = Math.max(...present);
  return values
    .map((value) => {
      if (value === null) return " ";
      if (high === low) return marks[3]!;
      return marks[Math.round(((value - low) / (high - low)) * (marks.length - 1))]!;
    })
    .join("");
}
