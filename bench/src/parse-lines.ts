/** The floor of every lens: bare JSON.parse of every line of a file; the values are held unless `keeps` is false. */
import { readFileSync } from "node:fs";

export function parseLines(file: string, keeps = true): unknown[] {
  const kept: unknown[] = [];
  const bytes = readFileSync(file);
  let from = 0;
  while (from < bytes.length) {
    const end = bytes.indexOf(10, from);
    const value: unknown = JSON.parse(bytes.toString("utf8", from, end));
    if (keeps) kept.push(value);
    from = end + 1;
  }
  return kept;
}
