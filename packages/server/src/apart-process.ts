/** One suspect, evaluated alone. Started by `evaluate-apart.ts`; ends with its answer, or when nobody waits for it any more. */
import { messageOf } from "@spoor/core/internal/errors";
import type { ApartAnswer, ApartQuestion } from "./apart-messages.ts";
import { evaluateArrival } from "./stages/evaluate-arrival.ts";
import { createProjectRules } from "./stages/project-rules.ts";
import { openStore } from "./store/open-store.ts";

process.on("disconnect", () => process.exit(1));
process.once("message", async (question: ApartQuestion) => {
  const answer = await answerTo(question).catch((error: unknown): ApartAnswer => {
    const stack = (error instanceof Error && error.stack) || "";
    return { error: { message: messageOf(error), stack } };
  });
  process.send!(answer, () => process.exit(0));
});

async function answerTo({ address, arrival, today }: ApartQuestion): Promise<ApartAnswer> {
  // Only its rules are asked of the store; whoever asked writes what comes of it.
  const store = await openStore(address, { lock: false, migrate: false, connections: { questions: 1, claims: 1 } });
  const rules = createProjectRules(store);
  return { outcome: await evaluateArrival(arrival, (agent) => rules.rulesFor(arrival.projectId, agent, today)) };
}
