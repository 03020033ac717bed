/** Runs of a release as the cohort lens keeps them: made of their recordings once, and read again without them for as long as the service lives. */
import { buildRun } from "@spoor/core/internal/cohort/build-run";
import { KEPT_RUN_VERSION, type KeptRun, keepRun } from "@spoor/core/internal/cohort/kept-run";
import type { CohortRun } from "@spoor/core/internal/cohort/run";
import { coverageOf } from "@spoor/core/internal/report/coverage";
import type { Coverage } from "@spoor/core/internal/report/report";
import { contentOf } from "@spoor/core/internal/trace/comparable-content";
import type { Json } from "@spoor/core/internal/trace/json";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import { worldOf } from "@spoor/core/internal/trace/one-world";
import type { CohortArrival, Store } from "../store/store.ts";
import { traceOfRun } from "./stored-traces.ts";

export interface KeptArrival {
  readonly arrival: CohortArrival;
  readonly run: KeptRun;
  readonly content: string;
  readonly world: string;
  readonly coverage: Coverage;
}

type Detail = Omit<KeptArrival, "arrival">;

/** Written together, so that a release of many runs is not as many waits for the disk. */
const AT_ONCE = 100;

/** In the order given. A recording that went before it was reduced is an error: leaving a run out would compare another release. */
export async function keptArrivals(
  store: Store,
  projectId: number,
  arrivals: readonly CohortArrival[],
): Promise<readonly KeptArrival[]> {
  const known = await store.cohorts.details(
    projectId,
    arrivals.map(({ id }) => id),
    KEPT_RUN_VERSION,
  );
  const kept: KeptArrival[] = [];
  let made: { id: number; detail: string }[] = [];
  const keep = async () => {
    await store.cohorts.keepDetails(projectId, KEPT_RUN_VERSION, made);
    made = [];
  };
  for (const arrival of arrivals) {
    const text = known.get(arrival.id);
    if (text !== undefined) {
      kept.push({ arrival, ...(JSON.parse(text) as Detail) });
      continue;
    }
    const detail = await reduced(store, projectId, arrival);
    made.push({ id: arrival.id, detail: stringifyJson(detail as unknown as Json) });
    kept.push({ arrival, ...detail });
    if (made.length === AT_ONCE) await keep();
  }
  if (made.length > 0) await keep();
  return kept;
}

/** What a run said, for the words that illustrate a change; empty when that is not kept any more. */
export async function textsOf(store: Store, projectId: number, arrival: CohortArrival): Promise<readonly string[]> {
  if ((await store.runs.body(projectId, arrival.id)) === undefined) return [];
  return buildRun(await traceOfRun(store, projectId, arrival), "baseline").texts;
}

async function reduced(store: Store, projectId: number, arrival: CohortArrival): Promise<Detail> {
  const trace = await traceOfRun(store, projectId, arrival);
  const { side: _, ...run }: CohortRun = buildRun(trace, "baseline");
  return { run: keepRun(run), content: contentOf(trace), world: worldOf(trace), coverage: coverageOf([trace]) };
}
