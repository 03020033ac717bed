/** Takes the key of a service's webhooks, which is made beside its store when there is none, and says which it is. */
import { readFileSync, writeSync } from "node:fs";
import { openSealer } from "@spoor/server/internal/hooks/seal";

try {
  await openSealer("store.db", {});
} catch (error) {
  writeSync(2, `${String(error)}\n`);
  process.exit(2);
}
writeSync(1, `kept ${JSON.stringify({ key: readFileSync("store.db.key", "utf8") })}\n`);
