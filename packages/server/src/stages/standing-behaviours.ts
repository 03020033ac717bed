/** The paths of an agent as they stand now: what was new when it was first seen may have been approved since. */

import { pathSteps } from "@spoor/core/internal/fingerprint/behaviour-path";
import { collapseLoops } from "@spoor/core/internal/fingerprint/collapse-loops";
import type { SeenBehaviour } from "spoor/internal/describe/service/behaviours";
import type { Behaviour, Store } from "../store/store.ts";
import { createProjectRules } from "./project-rules.ts";

export type StandingBehaviour = Behaviour & SeenBehaviour;

export interface StandingBehaviours {
  readonly behaviours: readonly StandingBehaviour[];
  /** Of the approved baseline. */
  readonly generation?: number;
}

export async function standingBehaviours(store: Store, projectId: number, agent: string): Promise<StandingBehaviours> {
  const known = await createProjectRules(store).known(projectId, agent);
  const seen = await store.agents.behaviours(projectId, agent);
  const standingOf = (hash: string): SeenBehaviour["standing"] => {
    if (known === undefined) return "no_baseline";
    if (known.baseline.rejected.has(hash)) return "rejected";
    return known.baseline.owners.has(hash) ? "approved" : "unknown";
  };
  const behaviours = seen.map((behaviour) => ({
    ...behaviour,
    steps: collapseLoops(pathSteps(behaviour.path)),
    standing: standingOf(behaviour.hash),
  }));
  return known === undefined ? { behaviours } : { behaviours, generation: known.generation };
}
