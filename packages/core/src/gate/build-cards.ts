/** The reports of the lenses → cards: what each says about a run is gathered by key, then runs that changed alike are put together. */
import type { DiffReport, TraceSide } from "../diff/diff-report.ts";
import type { RunChange } from "../diff/run-change.ts";
import { isKnown } from "../fingerprint/classify.ts";
import type { ClosestBehaviour } from "../fingerprint/comparison.ts";
import { present } from "../trace/present.ts";
import type { CardBehaviour, CardChange, CardRule, CardRun, ChangeCard } from "./change-card.ts";
import type { GateCheck, LensReports } from "./gate-report.ts";

interface RunFindings {
  readonly run: CardRun;
  readonly change: CardChange;
  readonly rules: readonly string[];
  readonly behaviour?: CardBehaviour;
  readonly blocks: boolean;
}

/** Cards of what changed; those that block first, then those of more runs. */
export function buildCards(
  reports: LensReports,
  checks: readonly GateCheck[],
  pathOf: (key: string) => string | undefined,
): ChangeCard[] {
  const groups = new Map<string, RunFindings[]>();
  for (const findings of findingsOf(reports, checks, pathOf)) {
    const key = JSON.stringify(findings.change);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [findings]);
    else group.push(findings);
  }
  const cards = [...groups.values()].map((group) => cardOf(group, reports, checks));
  return cards.sort((one, other) => Number(other.blocks) - Number(one.blocks) || other.runs.length - one.runs.length);
}

function cardOf(group: readonly RunFindings[], reports: LensReports, checks: readonly GateCheck[]): ChangeCard {
  const rules = new Map<string, number>();
  for (const { rules: broken } of group) for (const id of broken) rules.set(id, (rules.get(id) ?? 0) + 1);
  const behaviours = new Map<string, CardBehaviour>();
  for (const { behaviour } of group) {
    if (behaviour === undefined) continue;
    const runs = (behaviours.get(behaviour.hash)?.runs ?? 0) + 1;
    behaviours.set(behaviour.hash, { ...behaviour, runs });
  }
  return {
    change: group[0]!.change,
    runs: group.map(({ run }) => run),
    rules: [...rules].map(([id, runs]) => cardRule(id, runs, reports, checks)).sort(blockingFirst),
    behaviours: [...behaviours.values()],
    blocks: group.some(({ blocks }) => blocks),
  };
}

function blockingFirst(one: CardRule, other: CardRule): number {
  return Number(other.blocks) - Number(one.blocks);
}

function cardRule(id: string, runs: number, { policy }: LensReports, checks: readonly GateCheck[]): CardRule {
  const rule = policy!.rules.find((one) => one.id === id)!;
  const check = checks.find((one) => one.lens === "policy" && one.name === id);
  const { file, line } = rule.at;
  return {
    id,
    headline: rule.headline,
    severity: rule.severity,
    blocks: check?.status === "failed",
    runs,
    ...(file === undefined ? {} : { at: present({ file, line }) }),
  };
}

/** What the lenses say about each run of the candidate, where they say anything. */
function findingsOf(
  reports: LensReports,
  checks: readonly GateCheck[],
  pathOf: (key: string) => string | undefined,
): RunFindings[] {
  const found: RunFindings[] = [];
  const seen = brokenRules(checks);
  const unknown = unknownBehaviours(reports);
  for (const { run: named, change } of candidateRuns(reports)) {
    const path = named.candidate === undefined ? pathOf(named.key) : undefined;
    const run = path === undefined ? named : { ...named, candidate: { path } };
    const rules = [...(seen.get(run.key) ?? [])];
    const behaviour = unknown.get(run.key);
    const failing = rules.filter((id) =>
      checks.some((one) => isFailing(one) && one.lens === "policy" && one.name === id),
    );
    // What only warns and did not change needs nobody's word.
    const what = change ?? withoutDiff(failing, behaviour);
    if (what === undefined) continue;
    const blocks = failing.length > 0 || blocksOtherwise(behaviour, change !== undefined, checks);
    found.push({ run, change: what, rules, ...(behaviour === undefined ? {} : { behaviour }), blocks });
  }
  return found;
}

function blocksOtherwise(
  behaviour: CardBehaviour | undefined,
  changed: boolean,
  checks: readonly GateCheck[],
): boolean {
  return checks.filter(isFailing).some(({ lens, places }) => {
    // The diff blocks because of what changed, whichever run it was.
    if (lens === "diff") return changed;
    return lens === "baseline" && places.some(({ fingerprint }) => fingerprint === behaviour?.hash);
  });
}

function isFailing({ status }: GateCheck): boolean {
  return status === "failed";
}

function withoutDiff(rules: readonly string[], behaviour: CardBehaviour | undefined): CardChange | undefined {
  if (rules.length > 0) return { code: "rules", rules: [...rules].sort() };
  return behaviour === undefined ? undefined : { code: "path", hash: behaviour.hash };
}

interface CandidateRun {
  readonly run: CardRun;
  readonly change?: CardChange;
}

/** Every run of the candidate that a lens names, with what the diff says of it. */
function candidateRuns({ diff, policy, baseline }: LensReports): CandidateRun[] {
  if (diff !== undefined) return [...diff.traces.map(pairedRun), ...newRuns(diff)];
  if (policy !== undefined) {
    return policy.traces.map(({ key, name, path, entry }) => {
      const file = path === null ? undefined : present({ path, entry: entry ?? undefined });
      return { run: { key, name, ...(file === undefined ? {} : { candidate: file }) } };
    });
  }
  return (baseline?.agents ?? []).flatMap(({ runs }) => runs.map(({ key, run }) => ({ run: { key, name: run } })));
}

function pairedRun(pair: DiffReport["traces"][number]): CandidateRun {
  const { name, change, firstDivergence: first } = pair;
  const ended = first !== null && first.candidateTurn >= pair.candidate.turns;
  const run: CardRun = {
    key: pair.candidate.key,
    name,
    ...taskOf(pair.task),
    ...fileOf("candidate", pair.candidate),
    ...present({ offPathFrom: pair.candidate.offPathFrom }),
    ...fileOf("baseline", pair.baseline),
    ...(first === null || ended || change === undefined ? {} : { turnIndex: first.candidateTurn }),
  };
  return change === undefined ? { run } : { run, change: cardChange(change) };
}

function fileOf(side: "baseline" | "candidate", { path, entry }: TraceSide): Partial<Pick<CardRun, typeof side>> {
  return path === undefined ? {} : { [side]: present({ path, entry }) };
}

/**
 * Runs without a partner. A further repeat of a scenario that has partners is no news by itself: it goes where most of the others go,
 * and where they stayed as they were nothing changed.
 */
function newRuns({ matching, traces }: DiffReport): CandidateRun[] {
  const changes = new Map<string, (CardChange | undefined)[]>();
  for (const { task, change } of traces) {
    if (task === undefined) continue;
    const known = changes.get(task) ?? [];
    changes.set(task, known);
    known.push(change === undefined ? undefined : cardChange(change));
  }
  return matching.onlyCandidate.map(({ key, name, path, entry, task }) => {
    const run = { key, name, ...(path === undefined ? {} : { candidate: present({ path, entry }) }), ...taskOf(task) };
    const others = task === undefined ? undefined : changes.get(task);
    if (others === undefined) return { run, change: { code: "new_run" } };
    const change = mostOften(others);
    return change === undefined ? { run } : { run, change };
  });
}

function taskOf(task: string | undefined): { readonly task?: string } {
  return task === undefined ? {} : { task };
}

/** The first of those that come most often. */
function mostOften(changes: readonly (CardChange | undefined)[]): CardChange | undefined {
  const words = changes.map((change) => JSON.stringify(change));
  const timesOf = (at: number) => words.filter((word) => word === words[at]).length;
  let most = 0;
  for (const at of words.keys()) if (timesOf(at) > timesOf(most)) most = at;
  return changes[most];
}

/** What matters most about a change: other calls, another order, other arguments, another end. */
function cardChange({ dropped, added, reordered, arguments: changed, stopReason }: RunChange): CardChange {
  if (dropped.length > 0 || added.length > 0) return { code: "calls", dropped, added };
  if (reordered) return { code: "order" };
  if (changed.length > 0) return { code: "arguments", arguments: changed };
  return { code: stopReason ? "stop_reason" : "turns" };
}

/** Trace → rules it breaks, as far as the gate counts them. */
export function brokenRules(checks: readonly GateCheck[]): Map<string, Set<string>> {
  const broken = new Map<string, Set<string>>();
  for (const { lens, name, status, places } of checks) {
    if (lens !== "policy" || (status !== "failed" && status !== "warned")) continue;
    for (const { key } of places) broken.set(key, (broken.get(key) ?? new Set()).add(name));
  }
  return broken;
}

function unknownBehaviours({ baseline }: LensReports): Map<string, CardBehaviour> {
  const unknown = new Map<string, CardBehaviour>();
  for (const { agent, runs, baseline: known } of baseline?.agents ?? []) {
    if (known === null) continue;
    for (const { key, hash, path, status, closest, rejected } of runs) {
      if (isKnown(status)) continue;
      const near = closest === null ? undefined : closestOf(closest);
      unknown.set(key, present({ agent, hash, path, runs: 1, closest: near, rejected: rejected || undefined }));
    }
  }
  return unknown;
}

function closestOf({ hash, name, alignment }: ClosestBehaviour): NonNullable<CardBehaviour["closest"]> {
  const steps = alignment?.map(({ segment, side }) => ({ step: segment, side }));
  return present({ hash, name: name ?? undefined, steps });
}
