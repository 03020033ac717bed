/** An agent with a guard whose sessions are at the service: pays until it may no longer, and says each time that it did. */
import { createGuard, parsePolicy } from "../../record/dist/bundled/index.js";
import { createServiceStore } from "../../record/dist/bundled/service-store.js";

const [url, session] = process.argv.slice(2);
const rules = [{ id: "limit", kind: "max_calls", params: { tool: "pay", limit: 40 } }];
const guard = createGuard(parsePolicy(JSON.stringify(rules), { file: "p.json" }), {
  store: createServiceStore({ url, timeoutMs: 120_000 }),
});
while (guard.session(session).judgeCall("pay", {}).allowed) process.stdout.write("paid\n");
process.stdout.write("refused\n");
