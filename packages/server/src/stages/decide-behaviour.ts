/**
 * A person's word on one path of an agent: the approved baseline with this path known, or turned down, becomes the next generation, and counts at once. The
 * baseline is changed by the functions that `spoor accept` uses.
 */
import { SpoorError } from "@spoor/core/internal/errors";
import type { Baseline } from "@spoor/core/internal/fingerprint/baseline";
import { renderBaselineFile } from "@spoor/core/internal/fingerprint/baseline-json";
import { parseBaseline } from "@spoor/core/internal/fingerprint/parse-baseline";
import { acceptAsOwn, rememberRejection } from "@spoor/core/internal/fingerprint/record-decision";
import { type RunFacts, runFacts } from "@spoor/core/internal/fingerprint/run-facts";
import { version } from "spoor/internal/tool-info";
import type { BaselineRow, Behaviour, Store } from "../store/store.ts";
import { storedTraces } from "./stored-traces.ts";

export interface BehaviourDecision {
  readonly agent: string;
  readonly behaviour: Behaviour;
  readonly verb: "accept" | "reject";
  readonly by: string;
  readonly why: string;
  readonly now: number;
}

/** So many of its newest runs teach the baseline what is usual on the path. */
const TAUGHT_RUNS = 30;

export async function decideBehaviour(store: Store, projectId: number, asked: BehaviourDecision): Promise<BaselineRow> {
  const { agent, behaviour, verb, by, why, now } = asked;
  const approved = await store.baselines.approved(projectId, agent);
  if (approved === undefined)
    throw new SpoorError("request.conflict", `No baseline of ${agent} is approved, so no path can be known or not.`, {
      hint: "Propose a baseline of runs that are as they should be, and approve it.",
    });
  const file = `the baseline of ${agent}, generation ${approved.generation}`;
  const baseline = parseBaseline(approved.body, { file, toolVersion: version });
  const decision = { by, why, at: new Date(now).toISOString() };
  if (baseline.owners.has(behaviour.hash))
    throw new SpoorError("request.conflict", `${behaviour.hash} is a known path of ${agent} already.`, {
      hint: "Look at the paths again: somebody may have decided meanwhile.",
    });
  if (verb === "reject") rememberRejection(baseline, behaviour.hash, decision);
  else acceptAsOwn(baseline, await runsOf(store, projectId, asked, baseline), decision);
  baseline.generation += 1;
  const madeFrom = { source: verb, behaviour: behaviour.hash, generation: approved.generation };
  const proposed = await store.baselines.propose(projectId, agent, renderBaselineFile(baseline), madeFrom, now);
  const decided = await store.baselines.decide(projectId, agent, proposed.generation, {
    state: "approved",
    by,
    why,
    at: now,
    instead: approved.generation,
  });
  if (decided !== undefined) return decided;
  throw new SpoorError("request.conflict", `Another baseline of ${agent} was approved meanwhile.`, {
    consequence: `What you decided waits as generation ${proposed.generation} and does not count.`,
    hint: "Look at the paths again and decide once more.",
  });
}

/** The newest of its runs whose recordings are still there, as this baseline sees them. */
async function runsOf(
  store: Store,
  projectId: number,
  { agent, behaviour }: BehaviourDecision,
  baseline: Baseline,
): Promise<readonly RunFacts[]> {
  const rows = await store.runs.page(projectId, { agent, behaviour: behaviour.id }, undefined, TAUGHT_RUNS);
  const options = { mode: baseline.mode, modelAliases: baseline.modelAliases ?? {}, agent: baseline.agent };
  const facts = (await storedTraces(store, projectId, rows)).map((trace) => ({
    ...runFacts(trace, options),
    agent: baseline.agent,
  }));
  const runs = facts.filter(({ fingerprint }) => fingerprint.hash === behaviour.hash);
  if (runs.length > 0) return runs;
  throw new SpoorError("request.conflict", `No recording of ${behaviour.hash} is left to learn the path from.`, {
    hint: "Send a run that takes it again, or build a baseline with it: spoor baseline build.",
  });
}
