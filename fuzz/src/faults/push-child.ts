/** Pushes recordings to a service on this machine. It writes no file; what may go wrong is that it says of a recording it could not read that it was sent. */
import { writeSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { runInMemory } from "spoor/internal/cli/run-in-memory";

const RECORDINGS = 5;

let received = 0;
const server = createServer((asked, answer) => {
  asked.resume();
  asked.on("end", () => {
    received++;
    answer.writeHead(202, { "content-type": "application/json" });
    answer.end(JSON.stringify({ id: `run-${received}`, created: true }));
  });
});
await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
const { port } = server.address() as AddressInfo;
const words = ["push", "candidate", "--server", `http://127.0.0.1:${port}`, "--token", "t"];
const run = await runInMemory(words, { cwd: process.cwd(), env: { HOME: process.env["HOME"] ?? "" } });
writeSync(2, run.err);
if (run.code === 0 && received < RECORDINGS) {
  writeSync(2, `this is a bug: ${received} of ${RECORDINGS} recordings were sent, and it says that all were\n`);
  process.exit(3);
}
process.exit(run.code);
