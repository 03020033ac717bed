/** What a decision changes in a baseline: a hash accepted, a behaviour added, a rejection remembered; with who and why. */
import {
  acceptVariant,
  addIntent,
  addRun,
  type Baseline,
  createIntent,
  type Decision,
  type HistoryEntry,
  rejectHash,
} from "./baseline.ts";
import type { RunFacts } from "./run-facts.ts";

/** Accepts a hash as a variant and lets the runs that showed it count. Returns what changed, in words. */
export function acceptAsVariant(
  baseline: Baseline,
  intentHash: string,
  hash: string,
  runs: readonly RunFacts[],
  decision: Decision,
): string {
  acceptVariant(baseline, intentHash, hash, decision);
  for (const run of runs) addRun(baseline, run);
  const name = baseline.intents.get(intentHash)?.name ?? intentHash;
  return remember(baseline, "accept", `${hash} as a variant of ${name}`, decision);
}

/** Accepts a path as a new behaviour. A person's word also admits runs that the recorder called failed. */
export function acceptAsOwn(baseline: Baseline, runs: readonly RunFacts[], decision: Decision): string {
  const [first] = runs;
  if (first === undefined) throw new Error("a behaviour of its own needs a run that shows it");
  if (!baseline.owners.has(first.fingerprint.hash)) addIntent(baseline, createIntent(first));
  for (const run of runs) addRun(baseline, { ...run, success: true });
  baseline.rejected.delete(first.fingerprint.hash);
  return remember(baseline, "accept", `${first.fingerprint.hash} as a behaviour of its own`, decision);
}

export function rememberRejection(baseline: Baseline, hash: string, decision: Decision): void {
  rejectHash(baseline, hash, decision);
  remember(baseline, "reject", hash, decision);
}

function remember(baseline: Baseline, action: HistoryEntry["action"], change: string, decision: Decision): string {
  baseline.updatedAt = decision.at;
  baseline.history.push({ ...decision, generation: baseline.generation + 1, action, change });
  return change;
}
