/**
 * The floor of `spoor eval` over many cases: a bare program that reads the same cases and the results of an earlier run, and writes every result
 * as one line again, by itself, as the runner must. Five times over, because once is hardly more than the start of Node.
 */
import { createHash } from "node:crypto";
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";

const [casesFile, resultsFile, outFile] = process.argv.slice(2) as [string, string, string];
const ROUNDS = 5;

for (let round = 0; round < ROUNDS; round++) {
  const cases = linesOf(casesFile);
  const results = linesOf(resultsFile);
  const out = openSync(outFile, "w");
  for (const [index, line] of cases.entries()) {
    const asked = JSON.parse(line) as object;
    const key = createHash("sha256").update(JSON.stringify(asked)).digest("hex").slice(0, 16);
    const result = JSON.parse(results[index]!) as object;
    writeSync(out, Buffer.from(`${JSON.stringify({ key, ...result })}\n`));
  }
  closeSync(out);
}

function linesOf(file: string): string[] {
  return readFileSync(file, "utf8").trimEnd().split("\n");
}
