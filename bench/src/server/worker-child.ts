/** A worker in a process of its own: evaluates what waits when it is told to, and says when nothing waits any more and what CPU it took. */
import { startEvaluator } from "@spoor/server/internal/stages/evaluator";
import { openStore } from "@spoor/server/internal/store/open-store";

const store = await openStore(process.argv[2]!);
process.send!("ready");
process.on("message", async () => {
  const before = process.cpuUsage();
  const evaluator = startEvaluator(store, { onError: (error) => console.error(error) });
  await evaluator.idle();
  await evaluator.stop();
  const { user, system } = process.cpuUsage(before);
  process.send!({ seconds: (user + system) / 1e6 });
});
process.on("disconnect", () => process.exit(0));
