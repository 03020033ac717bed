/** Appends lines as a recorder and a decision log do, and says of each when it is kept. */
import { mkdirSync, writeSync } from "node:fs";
import { openAppendFile } from "@spoor/record/internal/node/append-file";
import { createDecisionLog } from "@spoor/record/internal/node/decision-log";

mkdirSync("recordings", { recursive: true });
const file = openAppendFile(`recordings/${process.pid}.jsonl`);
const log = createDecisionLog("recordings/decisions.jsonl");
for (let line = 0; line < 3; line++) {
  attempt(() => file.append(`${JSON.stringify({ line, pid: process.pid })}\n`), { line, pid: process.pid });
  attempt(() => log({ decision: line, pid: process.pid }), { decision: line, pid: process.pid });
}
file.syncNow();
file.close();

/** A program that is recorded goes on when its recorder cannot write. */
function attempt(write: () => void, what: object): void {
  try {
    write();
    writeSync(1, `kept ${JSON.stringify(what)}\n`);
  } catch {
    writeSync(2, `not kept ${JSON.stringify(what)}\n`);
  }
}
