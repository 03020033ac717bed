/** Keeps sessions as a guard does, and says of each when it is kept. */
import { writeSync } from "node:fs";
import { createFileStore } from "@spoor/record/internal/node/file-store";

const store = createFileStore("sessions");
for (const id of ["a", "b", "a"]) {
  const text = store.update(id, (saved) => {
    const next = JSON.stringify({
      id,
      count: (saved === undefined ? 0 : (JSON.parse(saved) as { count: number }).count) + 1,
    });
    return { saved: next, result: next };
  });
  writeSync(1, `kept ${text}\n`);
}
