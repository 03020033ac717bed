/** A command twice in one process: tells what the second time takes, when everything is loaded and compiled (CPU seconds in a file). */
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const [bin, result, ...words] = process.argv.slice(2) as [string, string, ...string[]];
const loadBundle = createRequire(import.meta.url)(`${bin}/load-bundle.cjs`) as (name: string) => {
  exports: { main(words: readonly string[]): Promise<number> };
};
const { main } = loadBundle("cli").exports;
// What refuses to run would pass for fast.
if ((await main(words)) > 1) process.exit(2);
const before = process.cpuUsage();
await main(words);
const { user, system } = process.cpuUsage(before);
writeFileSync(result, String((user + system) / 1e6));
