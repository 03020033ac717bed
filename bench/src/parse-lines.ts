/** The floor of every lens: bare JSON.parse of every line of a file, its values held. */
import { readFileSync } from "node:fs";

export function parseLines(file: string): unknown[] {
  const kept: unknown[] = [];
  const bytes = readFileSync(file);
  let from = 0;
  while (from < bytes.length) {
    const end = bytes.indexOf(10, from);
    kept.push(JSON.parse(bytes.toString("utf8", from, end)));
    from = end + 1;
  }
  return kept;
}
