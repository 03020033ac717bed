/**
 * A baseline as the text of its file: made to be committed and read. Keys in a fixed order, intents by hash, short values
 * on one line, so that one more run changes a handful of lines. Members Spoor does not know are kept.
 */
import { compareCodePoints } from "../canonical/canonical-json.ts";
import type { Json, JsonObject } from "../trace/json.ts";
import type { Baseline, Decision, Intent } from "./baseline.ts";
import type { RunSample } from "./run-facts.ts";
import { type RunStatistics, summariseRuns } from "./statistics.ts";

const LINE_WIDTH = 110;

export function renderBaselineFile(baseline: Baseline): string {
  return `${layOut(baselineJson(baseline), 0)}\n`;
}

function baselineJson(baseline: Baseline): JsonObject {
  return {
    schema_version: baseline.schemaVersion,
    agent_id: baseline.agent,
    updated_at: baseline.updatedAt,
    generation: baseline.generation,
    hash_version: baseline.hashVersion,
    mode: baseline.mode,
    window_size: baseline.windowSize,
    methods: {
      percentiles: "linear interpolation between closest ranks (R type 7)",
      tool_call_counts: "mean per run in the window",
      latency: "mean time of a step, per run, in ms",
    },
    similarity_weights: {
      tool_jaccard: baseline.weights.toolJaccard,
      sequence_lcs: baseline.weights.sequenceLcs,
      error_jaccard: baseline.weights.errorJaccard,
    },
    ...(Object.keys(baseline.modelAliases).length === 0 ? {} : { model_aliases: { ...baseline.modelAliases } }),
    produced_by: { ...baseline.producer },
    ...(baseline.policyHash === undefined ? {} : { policy_hash: baseline.policyHash }),
    run_count: baseline.runCount,
    left_out_runs: baseline.leftOutRuns,
    models: fromMap(baseline.models),
    tools: fromMap(baseline.tools),
    tools_offered: [...baseline.toolsOffered].sort(compareCodePoints),
    output_keys: Object.fromEntries(
      sorted(baseline.outputKeys).map(([tool, keys]) => [tool, { always: keys.always, ever: keys.ever }]),
    ),
    ...baseline.extra,
    intents: Object.fromEntries(sorted(baseline.intents).map(([hash, intent]) => [hash, intentJson(intent, baseline)])),
    rejected: Object.fromEntries(sorted(baseline.rejected).map(([hash, decision]) => [hash, decisionJson(decision)])),
    history: baseline.history.map((entry) => ({
      generation: entry.generation,
      action: entry.action,
      at: entry.at,
      by: entry.by,
      why: entry.why,
      change: entry.change,
    })),
  };
}

function intentJson(intent: Intent, baseline: Baseline): JsonObject {
  const statistics = summariseRuns(intent.window);
  const own = countTools(intent.segments);
  return {
    ...(intent.name === undefined ? {} : { name: intent.name }),
    ...(intent.note === undefined ? {} : { note: intent.note }),
    fingerprint_hash: intent.hash,
    structural_hash: intent.structuralHash,
    sequence: intent.segments.join("|"),
    accepted_fingerprints: [...intent.accepted.keys()],
    ...acceptedJson(intent),
    run_count: intent.runs,
    ...statisticsJson(statistics),
    ...intent.extra,
    window: intent.window.map((sample) => sampleJson(sample, intent, baseline, own)),
  };
}

function acceptedJson(intent: Intent): JsonObject {
  const decided = [...intent.accepted].filter((entry): entry is [string, Decision] => entry[1] !== null);
  return decided.length === 0
    ? {}
    : { accepted_by: Object.fromEntries(decided.map(([hash, decision]) => [hash, decisionJson(decision)])) };
}

function decisionJson(decision: Decision): JsonObject {
  return { by: decision.by, why: decision.why, at: decision.at };
}

/** The statistics of a window under their documented names; recomputed from the window whenever the file is read. */
function statisticsJson(statistics: RunStatistics): JsonObject {
  const { latency } = statistics;
  return {
    sample_count: statistics.sampleCount,
    step_count: round(statistics.stepCount),
    avg_tokens: statistics.avgTokens === undefined ? null : round(statistics.avgTokens),
    avg_latency: latency === undefined ? null : round(latency.avgMs),
    latency_bounds:
      latency === undefined
        ? null
        : {
            min_ms: round(latency.minMs),
            p5_ms: round(latency.p5Ms),
            p50_ms: round(latency.p50Ms),
            p95_ms: round(latency.p95Ms),
            max_ms: round(latency.maxMs),
            avg_ms: round(latency.avgMs),
          },
    tool_call_counts: fromMap(statistics.toolCallCounts, round),
    error_rate: round(statistics.errorRate),
  };
}

/** Runs of the intent's own hash repeat its sequence, so their steps and tools need not be written down. */
function sampleJson(
  sample: RunSample,
  intent: Intent,
  baseline: Baseline,
  own: ReadonlyMap<string, number>,
): JsonObject {
  const derived = baseline.mode === "sequence" && sample.hash === intent.hash && sameCounts(sample.tools, own);
  return {
    run: sample.run,
    ...(sample.hash === intent.hash ? {} : { hash: sample.hash }),
    ...(derived ? {} : { steps: sample.steps, tools: fromMap(sample.tools) }),
    ...(sample.latencyMs === undefined ? {} : { latency_ms: round(sample.latencyMs) }),
    ...(sample.tokens === undefined ? {} : { tokens: sample.tokens }),
    errors: sample.errors,
    ...(sample.errorPatterns.length === 0 ? {} : { error_patterns: sample.errorPatterns }),
    ...(sample.components.size === 0 ? {} : { components: fromMap(sample.components, round) }),
    ...(sample.retrieval.size === 0
      ? {}
      : { retrieval: Object.fromEntries(sorted(sample.retrieval).map(([tool, one]) => [tool, { ...one }])) }),
    ...(sample.redundant.size === 0 ? {} : { redundant: fromMap(sample.redundant) }),
  };
}

/** Calls per tool that a sequence of segments spells out. */
export function countTools(segments: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const segment of segments) {
    if (!segment.startsWith("TOOL_CALL:")) continue;
    const tool = segment.slice("TOOL_CALL:".length).replace(/\\([\\|])/g, "$1");
    counts.set(tool, (counts.get(tool) ?? 0) + 1);
  }
  return counts;
}

function sameCounts(left: ReadonlyMap<string, number>, right: ReadonlyMap<string, number>): boolean {
  return left.size === right.size && [...left].every(([tool, count]) => right.get(tool) === count);
}

function fromMap(map: ReadonlyMap<string, number>, convert: (value: number) => number = (value) => value): JsonObject {
  return Object.fromEntries(sorted(map).map(([key, value]) => [key, convert(value)]));
}

function sorted<T>(map: ReadonlyMap<string, T>): [string, T][] {
  return [...map].sort(([left], [right]) => compareCodePoints(left, right));
}

/** Microseconds and millionths are enough; full doubles would make every diff unreadable. */
function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/** JSON with two spaces of indent, except that whatever fits into the rest of a line stays on it. Each value is visited once. */
function layOut(value: Json, indent: number): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => layOut(item, indent + 2))
    : Object.entries(value as JsonObject).map(([key, item]) => `${JSON.stringify(key)}: ${layOut(item, indent + 2)}`);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  if (parts.length === 0) return open + close;
  const width = parts.reduce((sum, part) => sum + part.length + 2, indent + 2);
  if (width <= LINE_WIDTH && !parts.some((part) => part.includes("\n"))) {
    return isList ? `[${parts.join(", ")}]` : `{ ${parts.join(", ")} }`;
  }
  const inner = " ".repeat(indent + 2);
  return `${open}\n${parts.map((part) => inner + part).join(",\n")}\n${" ".repeat(indent)}${close}`;
}
