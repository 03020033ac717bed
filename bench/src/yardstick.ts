/**
 * A fixed piece of plain work, for promises about work that has no floor of its own: additions of long rows, words found in a table,
 * numbers sorted. It uses nothing of Spoor, so it gets neither faster nor slower with it; on a machine that is slow today it is slow, too.
 */
export function yardstick(): number {
  return addRows() + countWords() + sortNumbers();
}

const WIDTH = 300;
const ROWS = 512;

function addRows(): number {
  const rows = Float64Array.from({ length: WIDTH * ROWS }, (_, index) => ((index * 7919) % 1000) / 1000 - 0.5);
  const sums = new Float64Array(WIDTH);
  for (let round = 0; round < 300; round++) {
    for (let row = 0; row < ROWS; row++) {
      const sign = (row * 31 + round) % 2 === 0 ? 1 : -1;
      for (let at = 0; at < WIDTH; at++) sums[at]! += sign * rows[row * WIDTH + at]!;
    }
  }
  return sums[0]!;
}

function countWords(): number {
  const words = Array.from({ length: 900 }, (_, index) => `${index.toString(36)}word`);
  const text = Array.from({ length: 200_000 }, (_, index) => words[(index * index) % words.length]!).join(" ");
  const counts = new Map<string, number>();
  for (const word of text.split(" ")) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts.size;
}

function sortNumbers(): number {
  let total = 0;
  for (let round = 0; round < 100; round++) {
    const numbers = Float64Array.from({ length: 2000 }, (_, index) => ((index * 7919 + round) % 2003) / 2003);
    total += numbers.sort()[round]!;
  }
  return total;
}
