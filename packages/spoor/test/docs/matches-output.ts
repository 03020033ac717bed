/** Whether a command printed what a page shows: line by line; a line that is only `…` stands for any number of lines. */
export function matchesOutput(printed: string, shown: string): boolean {
  return matchLines(outputLines(printed), outputLines(shown));
}

function matchLines(got: readonly string[], wanted: readonly string[]): boolean {
  const [first, ...rest] = wanted;
  if (first === undefined) return got.length === 0;
  if (first.trim() !== "…") return got.length > 0 && got[0] === first && matchLines(got.slice(1), rest);
  return Array.from({ length: got.length + 1 }, (_, skip) => got.slice(skip)).some((tail) => matchLines(tail, rest));
}

/** Without spaces at the ends of lines, and without blank lines at both ends. */
export function outputLines(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trimEnd());
  while (lines[0] === "") lines.shift();
  while (lines.at(-1) === "") lines.pop();
  return lines;
}
