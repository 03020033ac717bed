/** The program of warden.ts: listens until whoever started it is gone, then puts away what is left. */
import { rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { endOrphans } from "./end-process-tree.ts";
import type { WardenWord } from "./warden.ts";

const processes = new Map<string, number | undefined>();
const folders = new Set<string>();
// What ends a whole terminal must not end the one who cleans up after it.
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => undefined);

for await (const line of createInterface({ input: process.stdin })) {
  const word = JSON.parse(line) as WardenWord;
  if ("folder" in word) {
    if (word.remove === true) folders.add(word.folder);
    else folders.delete(word.folder);
  } else if (word.runs === true) processes.set(word.mark, word.pid);
  else processes.delete(word.mark);
}
if (processes.size > 0) await endOrphans(processes);
for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
