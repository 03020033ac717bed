/**
 * Runs of one agent against what it is known to do: a status per run, drift signals against the behaviour it is closest
 * to, tools that are new or lost, and whether the two were recorded under the same conditions.
 *
 * Statistics come from the matched or closest intent. When that intent was seen in fewer than three runs and its family
 * has more, the family's runs are used and the report says so: on agents that never act twice the same way nothing else
 * would ever gather. They never come from the agent's average.
 */
import { fisherExact } from "../stats/fisher-exact.ts";
import { holm } from "../stats/holm.ts";
import { isEffectName } from "../trace/effects.ts";
import { type Baseline, type Intent, intentOf, otherMode } from "./baseline.ts";
import { behaviourPath } from "./behaviour-path.ts";
import { classify, isKnown, type KnownHashes, type Status } from "./classify.ts";
import { behaviourOf, type Closest, IntentIndex } from "./closest-intent.ts";
import type { ComparedRun, DriftCheck } from "./compared-run.ts";
import type {
  AgentComparison,
  BaselineSummary,
  ClosestBehaviour,
  Difference,
  LostField,
  LostTool,
  RunComparison,
  ToolFinding,
} from "./comparison.ts";
import { buildFamilies, type Family } from "./families.ts";
import type { RunFacts } from "./run-facts.ts";
import { driftScore, metricScore, type ScoreParts, signalScore } from "./score.ts";
import { isToolSegment, targetOf } from "./segments.ts";
import { shownSteps, stepDifference } from "./shown-steps.ts";
import { newTools } from "./signals/new-side-effects.ts";
import { lostFields as lostFieldsOf, outputSchemaDrift } from "./signals/output-schema-drift.ts";
import type { SignalContext, SignalLimits } from "./signals/signal.ts";
import { detectSignals } from "./signals/signals.ts";
import { alignSegments, VARIANT_FROM } from "./similarity.ts";
import { type RunStatistics, summariseRuns } from "./statistics.ts";

export interface CompareOptions {
  /** Limits of signals other than those of their definitions. */
  readonly limits?: SignalLimits;
  /** Hash of the policy in force now. */
  readonly policyHash?: string;
  /** Rules about drift: what they say of the runs. */
  readonly rules?: DriftCheck;
}

const FEW_SAMPLES = 3;

export function compareRuns(
  baseline: Baseline | undefined,
  runs: readonly RunFacts[],
  options: CompareOptions = {},
): AgentComparison {
  const agent = baseline?.agent ?? runs[0]?.agent ?? "default";
  if (baseline === undefined) return withoutBaseline(agent, runs);
  for (const run of runs) if (run.fingerprint.mode !== baseline.mode) throw otherMode(baseline, run.fingerprint.mode);
  const comparer = new Comparer(baseline, options.limits ?? {});
  const located = runs.map((run) => comparer.locate(run));
  const matched = located.filter((one) => isKnown(one.status)).length;
  const trend = runs.length === 0 ? 0 : (matched / runs.length) * 100;
  const subjects = located.map((one) => comparer.compare(one, trend));
  const compared = subjects.map((subject) => subject.compared);
  return {
    agent,
    baseline: comparer.summary(),
    runs: compared,
    counts: countStatuses(compared),
    newTools: countNewTools(baseline, runs),
    lostTools: comparer.lostTools(located),
    lostFields: countLostFields(compared),
    ...compareConditions(baseline, runs, options),
    ...(options.rules === undefined ? {} : { policy: options.rules(subjects) }),
  };
}

interface Located {
  readonly facts: RunFacts;
  readonly status: Status;
  readonly closest: Closest | undefined;
}

interface Known {
  readonly scope: "intent" | "family";
  readonly statistics: RunStatistics;
}

class Comparer {
  private readonly index: IntentIndex;
  private readonly families: readonly Family[];
  private readonly familyOf = new Map<string, Family>();
  private readonly statistics = new Map<string, RunStatistics>();
  private readonly knownTools: ReadonlySet<string>;
  private readonly knownHashes: ReadonlyMap<string, KnownHashes>;
  private readonly baseline: Baseline;
  private readonly limits: SignalLimits;

  constructor(baseline: Baseline, limits: SignalLimits) {
    this.baseline = baseline;
    this.limits = limits;
    this.index = new IntentIndex(baseline);
    this.families = familiesOf(baseline);
    for (const family of this.families) for (const hash of family.members) this.familyOf.set(hash, family);
    this.knownTools = new Set(baseline.tools.keys());
    this.knownHashes = new Map(
      [...baseline.intents].map(([hash, { accepted, structuralHash }]) => [
        hash,
        { accepted: [...accepted.keys()], structuralHash },
      ]),
    );
  }

  locate(facts: RunFacts): Located {
    const { hash } = facts.fingerprint;
    const own = intentOf(this.baseline, hash);
    if (own !== undefined) {
      const status = own.hash === hash ? "match" : "accepted_variant";
      return { facts, status, closest: this.index.towards(own, facts) };
    }
    const closest = this.index.closest(facts);
    const status = classify({
      hash,
      ...(this.baseline.mode === "sequence" ? { structuralHash: facts.structuralHash } : {}),
      intents: this.knownHashes,
      bestSimilarity: () => closest?.similarity.composite ?? 0,
    });
    return { facts, status, closest };
  }

  compare({ facts, status, closest }: Located, trend: number): ComparedRun {
    const known = closest === undefined ? undefined : this.statisticsFor(closest.intent);
    const context = this.signalContext(facts, status, known);
    const { fired, notEvaluated } = detectSignals(context);
    const parts: ScoreParts = {
      structural: isKnown(status) ? 100 : 100 * (closest?.similarity.composite ?? 0),
      signal: signalScore(fired),
      metric: metricScore([
        [known?.statistics.avgTokens, facts.sample.tokens],
        [known?.statistics.latency?.avgMs, facts.sample.latencyMs],
        [known?.statistics.stepCount, facts.sample.steps],
      ]),
      trend,
    };
    const compared: RunComparison = {
      key: facts.key,
      run: facts.run,
      hash: facts.fingerprint.hash,
      status,
      path: behaviourPath(facts.segments),
      stepCount: facts.segments.length,
      rejected: this.baseline.rejected.has(facts.fingerprint.hash),
      ...(status === "structural_match" && closest !== undefined
        ? { differsIn: stepDifference(closest.intent.segments, facts.segments) }
        : {}),
      closest: closest === undefined ? null : this.describe(closest, facts, status),
      signals: fired,
      notEvaluated,
      statisticsFrom: known === undefined ? null : { scope: known.scope, runs: known.statistics.sampleCount },
      score: { total: driftScore(parts), parts },
    };
    return { compared, context };
  }

  private signalContext(run: RunFacts, status: Status, known: Known | undefined): SignalContext {
    return {
      run,
      status,
      known: known?.statistics,
      scope: known?.scope ?? "intent",
      knownTools: this.knownTools,
      outputKeys: this.baseline.outputKeys,
      limits: this.limits,
    };
  }

  summary(): BaselineSummary {
    return {
      runs: this.baseline.runCount,
      intents: this.baseline.intents.size,
      families: this.families.length,
      mode: this.baseline.mode,
      hashVersion: this.baseline.hashVersion,
      generation: this.baseline.generation,
      weights: this.baseline.weights,
      variantFrom: VARIANT_FROM,
    };
  }

  /** Per family: tools that every recorded run called and that some of the runs closest to it lack. */
  lostTools(located: readonly Located[]): LostTool[] {
    const byFamily = new Map<Family, Located[]>();
    for (const one of located) {
      const family = one.closest && this.familyOf.get(one.closest.intent.hash);
      if (family === undefined) continue;
      const group = byFamily.get(family);
      if (group === undefined) byFamily.set(family, [one]);
      else group.push(one);
    }
    const lost: Omit<LostTool, "corrected">[] = [];
    const chances: number[] = [];
    for (const [family, group] of byFamily) {
      const leader = this.baseline.intents.get(family.id)!;
      for (const tool of this.alwaysCalled(family)) {
        // What a person accepted is no loss any more.
        const without = group.filter((one) => !isKnown(one.status) && !one.facts.segments.includes(tool)).length;
        const table = { leftHits: group.length - without, leftMisses: without, rightHits: family.runs, rightMisses: 0 };
        const chance = without === 0 ? 1 : fisherExact(table).leftFewer;
        chances.push(chance);
        if (without === 0) continue;
        lost.push({
          tool: targetOf(tool),
          runs: without,
          of: group.length,
          behaviour: leader.name ?? null,
          path: behaviourPath(leader.segments),
          recorded: family.runs,
          // Most of its runs took exactly one path: leaving a step out is then a change by itself.
          fixedPath: 2 * leader.runs > family.runs,
          chance,
        });
      }
    }
    const corrected = holm(chances);
    const byChance = new Map(chances.map((chance, index) => [chance, corrected[index]!]));
    return lost
      .map((one) => ({ ...one, corrected: byChance.get(one.chance)! }))
      .sort((left, right) => left.chance - right.chance || right.runs - left.runs || (left.tool < right.tool ? -1 : 1));
  }

  private alwaysCalled(family: Family): string[] {
    let always: string[] | undefined;
    for (const hash of family.members) {
      const tools = new Set(this.baseline.intents.get(hash)!.segments.filter(isToolSegment));
      always = always === undefined ? [...tools] : always.filter((tool) => tools.has(tool));
    }
    return always ?? [];
  }

  private statisticsFor(intent: Intent): Known {
    const family = this.familyOf.get(intent.hash);
    const useFamily = intent.window.length < FEW_SAMPLES && family !== undefined && family.members.length > 1;
    const key = useFamily ? `family ${family.id}` : intent.hash;
    let statistics = this.statistics.get(key);
    if (statistics === undefined) {
      const samples = useFamily
        ? family.members.flatMap((hash) => this.baseline.intents.get(hash)!.window)
        : intent.window;
      statistics = summariseRuns(samples);
      this.statistics.set(key, statistics);
    }
    return { scope: useFamily ? "family" : "intent", statistics };
  }

  private describe({ intent, similarity }: Closest, facts: RunFacts, status: Status): ClosestBehaviour {
    const family = this.familyOf.get(intent.hash)!;
    const aligned = isKnown(status) ? undefined : alignSegments(...shownSteps(intent.segments, facts.segments));
    return {
      hash: intent.hash,
      name: intent.name ?? null,
      path: behaviourPath(intent.segments),
      runs: intent.runs,
      stepCount: intent.segments.length,
      family: { id: family.id, intents: family.members.length, runs: family.runs },
      similarity,
      alignment: aligned ?? null,
    };
  }
}

/** The families of a baseline's intents. */
export function familiesOf(baseline: Baseline): Family[] {
  const members = [...baseline.intents.values()].map((intent) => ({
    hash: intent.hash,
    runs: intent.runs,
    ...behaviourOf(intent),
  }));
  return buildFamilies(members, baseline.weights);
}

function withoutBaseline(agent: string, runs: readonly RunFacts[]): AgentComparison {
  const compared = runs.map((facts): RunComparison => {
    const parts: ScoreParts = { structural: 0, signal: 100, metric: 100, trend: 0 };
    return {
      key: facts.key,
      run: facts.run,
      hash: facts.fingerprint.hash,
      status: "no_baseline",
      path: behaviourPath(facts.segments),
      stepCount: facts.segments.length,
      rejected: false,
      closest: null,
      signals: [],
      notEvaluated: [{ name: "all signals", why: "the agent has no baseline" }],
      statisticsFrom: null,
      score: { total: driftScore(parts), parts },
    };
  });
  return {
    agent,
    baseline: null,
    runs: compared,
    counts: countStatuses(compared),
    newTools: [],
    lostTools: [],
    lostFields: [],
    differences: [],
    sameConditions: [],
  };
}

function countStatuses(runs: readonly RunComparison[]): Record<Status, number> {
  const counts: Record<Status, number> = {
    no_baseline: 0,
    match: 0,
    accepted_variant: 0,
    structural_match: 0,
    variant: 0,
    new: 0,
  };
  for (const run of runs) counts[run.status]++;
  return counts;
}

function countNewTools(baseline: Baseline, runs: readonly RunFacts[]): ToolFinding[] {
  const known = new Set(baseline.tools.keys());
  const all = runs.flatMap((run) => [...run.sample.tools.keys()]);
  return newTools(known, all)
    .map((tool) => ({ tool, runs: runs.filter((run) => run.sample.tools.has(tool)).length, of: runs.length }))
    .sort((left, right) => mayChange(right) - mayChange(left) || right.runs - left.runs);
}

/** What may change the world comes first: one such call outweighs many that read. */
function mayChange({ tool }: ToolFinding): number {
  return Number(isEffectName(tool));
}

function countLostFields(runs: readonly RunComparison[]): LostField[] {
  const counts = new Map<string, LostField>();
  for (const run of runs) {
    const drift = run.signals.find((signal) => signal.name === outputSchemaDrift.name);
    for (const finding of lostFieldsOf(drift?.findings ?? [])) {
      for (const field of finding.names ?? []) {
        const key = `${finding.subject}\u0000${field}`;
        const known = counts.get(key)?.runs ?? 0;
        counts.set(key, { tool: finding.subject, field, runs: known + 1, of: runs.length });
      }
    }
  }
  return [...counts.values()];
}

/** What one side did not record can neither differ nor be the same. A subset of the recorded models is no change. */
function compareConditions(
  baseline: Baseline,
  runs: readonly RunFacts[],
  options: CompareOptions,
): Pick<AgentComparison, "differences" | "sameConditions"> {
  const differences: Difference[] = [];
  const sameConditions: Difference["what"][] = [];
  const add = (what: Difference["what"], before: Iterable<string | undefined>, now: Iterable<string | undefined>) => {
    const was = distinct(before);
    const is = distinct(now);
    if (was.length === 0 || is.length === 0) return;
    const changed =
      what === "model" ? is.some((item) => !was.includes(item)) : was.join("\u0000") !== is.join("\u0000");
    if (changed) differences.push({ what, before: was, now: is });
    else sameConditions.push(what);
  };
  add(
    "model",
    baseline.models.keys(),
    runs.flatMap((run) => run.models),
  );
  add(
    "tools_on_offer",
    baseline.toolsOffered,
    runs.flatMap((run) => run.toolsOffered),
  );
  add("policy", [baseline.policyHash], [options.policyHash]);
  return { differences, sameConditions };
}

function distinct(items: Iterable<string | undefined>): string[] {
  return [...new Set(items)].filter((item) => item !== undefined && item !== "").sort() as string[];
}
