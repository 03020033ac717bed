/** What decisions change in the baselines of agents: new paths become known, or are remembered as turned down. */
import { resolve } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import type { Baseline, Decision } from "@spoor/core/internal/fingerprint/baseline";
import { acceptAsOwn, acceptAsVariant, rememberRejection } from "@spoor/core/internal/fingerprint/record-decision";
import { runFacts } from "@spoor/core/internal/fingerprint/run-facts";
import { resolveConfigPath } from "../config/config-paths.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import type { GateRun } from "../gate/run-gate.ts";
import { type BaselineStore, createFileStore } from "../store/baseline-store.ts";
import type { FileChange } from "../store/write-together.ts";
import { version } from "../tool-info.ts";
import type { DecidedCard, DecideOptions } from "./decision.ts";

/** `write` is called once, with the files of all baselines that change, while nobody else may write them. */
export async function changeBaselines(
  decided: readonly DecidedCard[],
  run: GateRun,
  loaded: LoadedConfig,
  { cwd, decision }: DecideOptions,
  write: (changes: readonly FileChange[]) => Promise<void>,
): Promise<void> {
  const settings = loaded.config.baseline;
  const agents = [...new Set(decided.flatMap(({ card }) => card.behaviours.map(({ agent }) => agent)))];
  if (settings === undefined || agents.length === 0) return write([]);
  const store = createFileStore(resolve(cwd, resolveConfigPath(loaded, settings.file, cwd)), { toolVersion: version });
  await updateAll(store, agents, (baseline, agent) => change(baseline, agent, decided, run, decision), write);
}

/** Baseline after baseline, each under its lock, until all are held; then everything is written at once. */
async function updateAll(
  store: BaselineStore,
  [agent, ...others]: readonly string[],
  edit: (baseline: Baseline, agent: string) => void,
  write: (changes: readonly FileChange[]) => Promise<void>,
): Promise<void> {
  if (agent === undefined) return write([]);
  await store.update(
    agent,
    (baseline) => {
      if (baseline === undefined) throw new SpoorError("baseline.missing", `The baseline of ${agent} is gone.`);
      edit(baseline, agent);
      return baseline;
    },
    { write: (own) => updateAll(store, others, edit, (rest) => write([...own, ...rest])) },
  );
}

function change(
  baseline: Baseline,
  agent: string,
  decided: readonly DecidedCard[],
  { candidate }: GateRun,
  decision: Decision,
): void {
  const options = { mode: baseline.mode, modelAliases: baseline.modelAliases ?? {}, agent: baseline.agent };
  for (const { card, decision: how } of decided) {
    const keys = new Set(card.runs.map(({ key }) => key));
    const traces = candidate.filter(({ key }) => keys.has(key));
    const facts = traces.map((trace) => ({ ...runFacts(trace, options), agent: baseline.agent }));
    for (const { hash, closest } of card.behaviours.filter((one) => one.agent === agent)) {
      const runs = facts.filter(({ fingerprint }) => fingerprint.hash === hash);
      if (how === "reject") rememberRejection(baseline, hash, decision);
      // Two cards may show one path: it is known after the first of them.
      else if (baseline.owners.has(hash)) continue;
      else if (closest === undefined || how === "accept_own") acceptAsOwn(baseline, runs, decision);
      else acceptAsVariant(baseline, closest.hash, hash, runs, decision);
    }
  }
}
