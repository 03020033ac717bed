/**
 * The last word on an agent, with the sentences that were made for it: reports may be large, and the overview asks for all agents at once. Events say
 * the same and are gone after a day.
 */
import type { Json } from "@spoor/core";
import type { GateReport } from "@spoor/core/internal/gate/gate-report";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import { type AgentVerdict, verdictWords } from "spoor/internal/describe/service/overview";
import type { Store } from "../store/store.ts";

export interface KeptVerdict extends AgentVerdict {
  /** The number of the report. */
  readonly report: number;
  readonly at: number;
}

const KIND = "verdict";

export async function keepVerdict(
  store: Store,
  projectId: number,
  judged: Omit<KeptVerdict, "word" | "headline" | "detail"> & { readonly agent: string },
  report: GateReport,
): Promise<void> {
  const { agent, ...verdict } = judged;
  const body = stringifyJson({ ...verdict, ...verdictWords(report) } as unknown as Json);
  await store.configs.put(projectId, KIND, agent, body, judged.at);
}

export async function lastVerdict(store: Store, projectId: number, agent: string): Promise<KeptVerdict | undefined> {
  const kept = await store.configs.current(projectId, KIND, agent);
  return kept && (JSON.parse(kept.body) as KeptVerdict);
}
