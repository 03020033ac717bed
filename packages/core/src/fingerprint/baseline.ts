/**
 * What an agent is known to do: its intents (behaviours, each identified by its fingerprint) with the statistics of their
 * last successful runs, what people accepted or rejected, and under which conditions it was recorded.
 *
 * A baseline is plain data that lives in one JSON file (baseline-json.ts) and grows one run at a time: adding a run costs
 * the same however many are already in it.
 */
import { SpoorError } from "../errors.ts";
import type { Json } from "../trace/json.ts";
import { FINGERPRINT_VERSION, type FingerprintMode, parseMode } from "./mode.ts";
import { mergeOutputKeys, type OutputKeys, type RunFacts, type RunSample } from "./run-facts.ts";
import type { ModelAliases } from "./segments.ts";
import { defaultWeights, type SimilarityWeights } from "./similarity.ts";

export const BASELINE_SCHEMA_VERSION = 1;
const DEFAULT_WINDOW = 10;
export const LARGEST_WINDOW = 100;

export interface Baseline {
  readonly schemaVersion: typeof BASELINE_SCHEMA_VERSION;
  readonly agent: string;
  updatedAt: string;
  /** Counts the writes of the file; each earlier one can be rolled back to. */
  generation: number;
  readonly hashVersion: string;
  readonly mode: FingerprintMode;
  windowSize: number;
  weights: SimilarityWeights;
  modelAliases: ModelAliases;
  producer: Producer;
  /** Hash of the policy in force when the runs were recorded, when one was named. */
  policyHash?: string;
  /** Successful runs recorded, over all intents. */
  runCount: number;
  /** Failed or empty runs that were offered and taught nothing. */
  leftOutRuns: number;
  /** Runs per model, per tool used, and the tools that were on offer. */
  readonly models: Map<string, number>;
  readonly tools: Map<string, number>;
  readonly toolsOffered: Set<string>;
  readonly outputKeys: Map<string, OutputKeys>;
  readonly intents: Map<string, Intent>;
  /** Own and accepted hashes → the intent they belong to. Follows from `intents`; not in the file. */
  readonly owners: Map<string, string>;
  /** Hashes a person looked at and turned down: they keep failing without being asked about again. */
  readonly rejected: Map<string, Decision>;
  readonly history: HistoryEntry[];
  /** Members of the file that Spoor does not know: kept as they are. */
  readonly extra: Record<string, Json>;
}

export interface Producer {
  readonly tool: string;
  readonly version: string;
  /** What ran the tool: "node 20.19". */
  readonly runner: string;
}

export interface Intent {
  readonly hash: string;
  readonly structuralHash: string;
  /** A name a person gave it in the file. */
  name?: string;
  note?: string;
  readonly segments: readonly string[];
  /** Hashes accepted as this behaviour, the own hash first; the decision behind each other one. */
  readonly accepted: Map<string, Decision | null>;
  /** Successful runs ever recorded; the window holds the last of them. */
  runs: number;
  window: RunSample[];
  readonly extra: Record<string, Json>;
}

/** Who decided, when and why. */
export interface Decision {
  readonly by: string;
  readonly why: string;
  readonly at: string;
}

export interface HistoryEntry extends Decision {
  readonly generation: number;
  readonly action: "build" | "update" | "accept" | "reject" | "rollback";
  /** What changed, in words. */
  readonly change: string;
}

export interface NewBaselineOptions {
  readonly agent: string;
  readonly mode: FingerprintMode;
  readonly producer: Producer;
  readonly now: string;
  readonly windowSize?: number;
  readonly weights?: SimilarityWeights;
  readonly modelAliases?: ModelAliases;
  readonly policyHash?: string;
}

export function createBaseline(options: NewBaselineOptions): Baseline {
  const mode = parseMode(options.mode, "The option mode");
  return {
    schemaVersion: BASELINE_SCHEMA_VERSION,
    agent: options.agent,
    updatedAt: options.now,
    generation: 0,
    hashVersion: FINGERPRINT_VERSION,
    mode,
    windowSize: checkWindow(options.windowSize ?? DEFAULT_WINDOW),
    weights: options.weights ?? defaultWeights,
    modelAliases: options.modelAliases ?? {},
    producer: options.producer,
    ...(options.policyHash === undefined ? {} : { policyHash: options.policyHash }),
    runCount: 0,
    leftOutRuns: 0,
    models: new Map(),
    tools: new Map(),
    toolsOffered: new Set(),
    outputKeys: new Map(),
    intents: new Map(),
    owners: new Map(),
    rejected: new Map(),
    history: [],
    extra: {},
  };
}

export function checkWindow(size: number): number {
  if (Number.isInteger(size) && size >= 1 && size <= LARGEST_WINDOW) return size;
  throw new SpoorError("baseline.bad-window", `A window of ${size} runs is not possible.`, {
    hint: `Use a whole number from 1 to ${LARGEST_WINDOW}; the default is ${DEFAULT_WINDOW}.`,
  });
}

export type RunAdded = "recorded" | "new_intent" | "failed_run" | "empty_run" | "already_recorded";

/** Adds one run. Failed and empty runs are counted and teach nothing; a run that is still in the window is not added twice. */
export function addRun(baseline: Baseline, facts: RunFacts): RunAdded {
  if (facts.fingerprint.mode !== baseline.mode) throw otherMode(baseline, facts.fingerprint.mode);
  if (!facts.success || facts.segments.length === 0) {
    baseline.leftOutRuns++;
    return facts.success ? "empty_run" : "failed_run";
  }
  const known = intentOf(baseline, facts.fingerprint.hash);
  if (known?.window.some((sample) => sample.run === facts.key)) return "already_recorded";
  const intent = known ?? createIntent(facts);
  if (known === undefined) addIntent(baseline, intent);
  intent.runs++;
  intent.window.push(facts.sample);
  if (intent.window.length > baseline.windowSize) intent.window.splice(0, intent.window.length - baseline.windowSize);
  baseline.runCount++;
  for (const model of facts.models) increment(baseline.models, model);
  for (const tool of facts.sample.tools.keys()) increment(baseline.tools, tool);
  for (const tool of facts.toolsOffered) baseline.toolsOffered.add(tool);
  for (const [tool, keys] of facts.outputKeys) {
    const before = baseline.outputKeys.get(tool);
    baseline.outputKeys.set(tool, before === undefined ? keys : mergeOutputKeys(before, keys));
  }
  return known === undefined ? "new_intent" : "recorded";
}

/** The intent a hash belongs to: its own, or the one that accepted it. */
export function intentOf(baseline: Baseline, hash: string): Intent | undefined {
  const owner = baseline.owners.get(hash);
  return owner === undefined ? undefined : baseline.intents.get(owner);
}

/** Registers an intent and every hash it accepted. */
export function addIntent(baseline: Baseline, intent: Intent): void {
  baseline.intents.set(intent.hash, intent);
  for (const hash of intent.accepted.keys()) baseline.owners.set(hash, intent.hash);
}

export function createIntent(facts: Pick<RunFacts, "fingerprint" | "structuralHash" | "segments">): Intent {
  const { hash } = facts.fingerprint;
  return {
    hash,
    structuralHash: facts.structuralHash,
    segments: facts.segments,
    accepted: new Map([[hash, null]]),
    runs: 0,
    window: [],
    extra: {},
  };
}

export interface AdmissionGates {
  /** Leave out intents seen in fewer runs; 0 admits all. */
  readonly minRuns?: number;
  /** Leave out intents whose share of failed steps is above this; 1 admits all. */
  readonly maxErrorRate?: number;
  /** Leave out intents whose step times vary more than this (standard deviation over mean); infinite admits all. */
  readonly maxLatencyVariation?: number;
}

export interface LeftOut {
  readonly hash: string;
  readonly runs: number;
  readonly why: string;
}

/** Removes intents that the gates do not admit, and says which and why. */
export function applyAdmissionGates(baseline: Baseline, gates: AdmissionGates): LeftOut[] {
  const leftOut: LeftOut[] = [];
  for (const intent of baseline.intents.values()) {
    const why = refusal(intent, gates);
    if (why === undefined) continue;
    leftOut.push({ hash: intent.hash, runs: intent.runs, why });
    baseline.intents.delete(intent.hash);
    for (const hash of intent.accepted.keys()) baseline.owners.delete(hash);
    baseline.runCount -= intent.runs;
  }
  return leftOut;
}

function refusal(intent: Intent, gates: AdmissionGates): string | undefined {
  const { minRuns = 0, maxErrorRate = 1, maxLatencyVariation = Number.POSITIVE_INFINITY } = gates;
  if (intent.runs < minRuns) return `seen in ${intent.runs} of at least ${minRuns} runs`;
  const steps = intent.window.reduce((sum, sample) => sum + sample.steps, 0);
  const errors = intent.window.reduce((sum, sample) => sum + sample.errors, 0);
  if (steps > 0 && errors / steps > maxErrorRate)
    return `error rate ${(errors / steps).toFixed(2)} above ${maxErrorRate}`;
  const variation = latencyVariation(intent.window);
  if (variation !== undefined && variation > maxLatencyVariation) {
    return `step times vary by ${variation.toFixed(2)}, above ${maxLatencyVariation}`;
  }
  return undefined;
}

/** Coefficient of variation (sample standard deviation over mean); undefined with fewer than two times. */
function latencyVariation(samples: readonly RunSample[]): number | undefined {
  const times = samples.flatMap((sample) => (sample.latencyMs === undefined ? [] : [sample.latencyMs]));
  if (times.length < 2) return undefined;
  const average = times.reduce((sum, time) => sum + time, 0) / times.length;
  if (average === 0) return 0;
  const squares = times.reduce((sum, time) => sum + (time - average) ** 2, 0);
  return Math.sqrt(squares / (times.length - 1)) / average;
}

/** Accepts a hash as another form of a known behaviour. */
export function acceptVariant(baseline: Baseline, intentHash: string, hash: string, decision: Decision): void {
  const intent = baseline.intents.get(intentHash);
  if (intent === undefined) {
    throw new SpoorError(
      "baseline.unknown-intent",
      `The baseline of ${baseline.agent} has no behaviour ${intentHash}.`,
      {
        hint: "List them with spoor baseline show.",
      },
    );
  }
  const owner = intentOf(baseline, hash);
  if (owner !== undefined && owner !== intent) {
    throw new SpoorError(
      "baseline.already-known",
      `${hash} already belongs to the behaviour ${owner.name ?? owner.hash}.`,
      {
        consequence: "Nothing was changed.",
      },
    );
  }
  if (owner === intent) return;
  intent.accepted.set(hash, decision);
  baseline.owners.set(hash, intent.hash);
  baseline.rejected.delete(hash);
}

/** Remembers that a hash was looked at and turned down. */
export function rejectHash(baseline: Baseline, hash: string, decision: Decision): void {
  if (intentOf(baseline, hash) !== undefined) {
    throw new SpoorError(
      "baseline.already-known",
      `${hash} is a known behaviour of ${baseline.agent}; it cannot be rejected.`,
      {
        consequence: "Nothing was changed.",
        hint: "To take an acceptance back: spoor baseline rollback.",
      },
    );
  }
  baseline.rejected.set(hash, decision);
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** A comparison across modes could only ever say "new"; it is refused instead. */
export function otherMode(baseline: Baseline, mode: FingerprintMode): SpoorError {
  return new SpoorError(
    "baseline.not-comparable",
    `The baseline of ${baseline.agent} was made in ${baseline.mode} mode; these fingerprints are ${mode}.`,
    {
      consequence: "No hash could ever match and every run would look new, so they are not compared.",
      hint: `Use --mode ${baseline.mode}, or build a new baseline in ${mode} mode.`,
    },
  );
}
