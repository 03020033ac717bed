/** Writes records without end and says how many were written, until it is killed. */
import { writeSync } from "node:fs";
import { openRecordingFiles } from "@spoor/record/internal/node/recording-files";

const [folder = ".", size = "200"] = process.argv.slice(2);
const files = openRecordingFiles(folder);
const payload = { text: "x".repeat(Number(size)) };
for (let count = 1; ; count++) {
  files.write(
    { key: "k", traceId: "t" },
    { kind: "tool_result", version: "0.1", id: "sha256:0", ts: "", parent: null, payload },
  );
  if (count % 50 === 0) writeSync(1, `${count}\n`);
}
