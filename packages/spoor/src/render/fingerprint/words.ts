import type { AgentFamilies } from "@spoor/core/fingerprint/fingerprint-report";
import { count } from "../../document/words.ts";

/** `support: 100 runs, 93 distinct behaviours, which fall into 21 families` */
export function agentSentence(agent: AgentFamilies, quote: (name: string) => string): string {
  const runs = count(agent.runs, "run");
  const empty = agent.emptyRuns === 0 ? "" : ` (${agent.emptyRuns} without a step)`;
  const behaviours = count(agent.intents, "distinct behaviour");
  const families =
    agent.families.length === agent.intents
      ? ", none alike"
      : `, in ${count(agent.families.length, "family", "families")} of alike ones`;
  return `${quote(agent.agent)}: ${runs}${empty}, ${behaviours}${agent.intents < 2 ? "" : families}`;
}
