/** Fingerprints, similarity, baselines, signals and verdicts: cases of files that name their `group`. */
import type { Json, JsonObject } from "@spoor/core";
import { httpTarget } from "@spoor/core";
import { addRun, createBaseline } from "@spoor/core/internal/fingerprint/baseline";
import { classify, type KnownHashes } from "@spoor/core/internal/fingerprint/classify";
import { fingerprintShape, fingerprintSteps, type ShapeStep } from "@spoor/core/internal/fingerprint/fingerprint-trace";
import type { FingerprintMode } from "@spoor/core/internal/fingerprint/mode";
import { runFacts } from "@spoor/core/internal/fingerprint/run-facts";
import { driftScore, type ScoreParts } from "@spoor/core/internal/fingerprint/score";
import { segmentOf, segmentsOf } from "@spoor/core/internal/fingerprint/segments";
import { latencyFindings, latencySpikes } from "@spoor/core/internal/fingerprint/signals/latency-spikes";
import { newTools } from "@spoor/core/internal/fingerprint/signals/new-side-effects";
import { retryExplosions, retrySeverity } from "@spoor/core/internal/fingerprint/signals/retry-explosions";
import { tokenRise, tokenUsageSpike } from "@spoor/core/internal/fingerprint/signals/token-usage-spike";
import { toolUsageChanges, usageChange } from "@spoor/core/internal/fingerprint/signals/tool-usage-changes";
import { isVariant, jaccard, similarity } from "@spoor/core/internal/fingerprint/similarity";
import { latencyBounds, summariseRuns } from "@spoor/core/internal/fingerprint/statistics";
import { profileFor } from "@spoor/core/internal/policy/lift-drift-policy";
import { lcsLength } from "@spoor/core/internal/stats/lcs";
import { buildTrace } from "@spoor/core/internal/trace/build-trace";
import { member } from "@spoor/core/internal/trace/json";
import type { StepKind } from "@spoor/core/internal/trace/trace";
import type { Adapter } from "../adapter.ts";
import { compare } from "../compare.ts";
import { ciExitCode, policyExitCode, worstExitCode } from "../exit-codes.ts";
import { inOurSeverities } from "./severity-words.ts";

type Run = (testCase: JsonObject) => JsonObject;

const GROUPS: Readonly<Record<string, Run>> = {
  "fingerprint-sequence": fingerprintCase,
  "fingerprint-structural": fingerprintCase,
  "fingerprint-equivalence": (testCase) => ({
    same_hash:
      fingerprintOf(testCase["a"]!, testCase["mode"]!).hash === fingerprintOf(testCase["b"]!, testCase["mode"]!).hash,
  }),
  shape: (testCase) => {
    const { string, hash } = fingerprintShape(steps(testCase["interactions"]!));
    return { string, hash };
  },
  similarity: similarityCase,
  "http-target": (testCase) => ({ target: httpTarget(String(testCase["method"]), String(testCase["url"])) }),
  percentiles: (testCase) => {
    const bounds = latencyBounds(testCase["values"] as number[])!;
    return { p5: bounds.p5Ms, p50: bounds.p50Ms, p95: bounds.p95Ms };
  },
  jaccard: (testCase) => {
    const { value, common, total } = jaccard(testCase["a"] as string[], testCase["b"] as string[]);
    return { value, fraction: reduced(common, total) };
  },
  lcs: (testCase) => ({ lcs_length: lcsLength(testCase["a"] as string[], testCase["b"] as string[]) }),
  status: statusCase,
  score: (testCase) => ({ score: driftScore(testCase as unknown as ScoreParts) }),
  signals: signalCase,
  "policy-gate": gateCase,
  "baseline-window": windowCase,
};

export const spooledAdapter: Adapter = {
  name: "fingerprint",
  matches: (testCase, file) => Object.hasOwn(testCase, "expect") && groupOf(testCase, file.head) !== undefined,
  run(testCase, file) {
    const actual = GROUPS[groupOf(testCase, file.head)!]!(testCase);
    return compare(inOurSeverities(testCase["expect"]!), actual, { absolute: 1e-9, partial: true });
  },
};

/** The group a case or its file names, else the one its keys tell: merged files may have lost the name. */
function groupOf(testCase: JsonObject, head: JsonObject): string | undefined {
  const named = member(testCase, "group") ?? member(head, "group");
  if (typeof named === "string" && Object.hasOwn(GROUPS, named)) return named;
  const has = (...keys: string[]) => keys.every((key) => Object.hasOwn(testCase, key));
  if (has("interactions")) return has("mode") ? "fingerprint-sequence" : "shape";
  if (has("a", "b")) {
    if (has("mode")) return "fingerprint-equivalence";
    if (has("dimension")) return "jaccard";
    return member(testCase["expect"], "lcs_length") === undefined ? "similarity" : "lcs";
  }
  if (has("signal", "baseline", "current")) return "signals";
  if (has("structural", "signal", "metric", "trend")) return "score";
  return BY_KEY.find(([key]) => has(key))?.[1];
}

const BY_KEY: readonly (readonly [string, string])[] = [
  ["url", "http-target"],
  ["values", "percentiles"],
  ["accepted_by_intent", "status"],
  ["window_size", "baseline-window"],
  ["kind", "policy-gate"],
];

const KINDS: Readonly<Record<string, StepKind>> = {
  LLM_CALL: "llm",
  TOOL_CALL: "tool",
  HTTP_REQUEST: "http",
  OTHER: "other",
};

interface VectorStep extends ShapeStep {
  readonly error?: string;
}

function steps(interactions: Json): VectorStep[] {
  return (interactions as JsonObject[]).map((interaction) => ({
    kind: KINDS[String(interaction["type"])]!,
    target: typeof interaction["target"] === "string" ? interaction["target"] : "",
    argumentKeys: (interaction["arg_keys"] ?? []) as string[],
    ...(typeof interaction["sequence"] === "number" ? { sequence: interaction["sequence"] } : {}),
    ...(typeof interaction["parallel_group"] === "string" ? { parallelGroup: interaction["parallel_group"] } : {}),
    ...(typeof interaction["error"] === "string" ? { error: interaction["error"] } : {}),
  }));
}

function fingerprintOf(interactions: Json, mode: Json) {
  return fingerprintSteps(steps(interactions), { mode: mode as FingerprintMode });
}

function fingerprintCase(testCase: JsonObject): JsonObject {
  const { string, hash } = fingerprintOf(testCase["interactions"]!, testCase["mode"]!);
  return { string, hash };
}

function similarityCase(testCase: JsonObject): JsonObject {
  const found = similarity(behaviour(testCase["a"]!), behaviour(testCase["b"]!));
  return {
    tool_jaccard: found.toolJaccard.value,
    sequence_lcs: found.sequenceLcs.value,
    error_jaccard: found.errorJaccard.value,
    composite: found.composite,
    classification: isVariant(found.composite) ? "variant" : "new",
  };
}

function behaviour(interactions: Json) {
  const list = steps(interactions);
  const failed = list.filter((step) => step.error !== undefined);
  return {
    segments: segmentsOf(list),
    errorPatterns: failed.map((step) => `${segmentOf(step)}!${step.error || "error"}`),
  };
}

function reduced(common: number, total: number): number[] {
  let [left, right] = [common, total];
  while (right !== 0) [left, right] = [right, left % right];
  return left === 0 ? [common, total] : [common / left, total / left];
}

function statusCase(testCase: JsonObject): JsonObject {
  const accepted = testCase["accepted_by_intent"];
  const known = accepted === null ? undefined : new Map<string, KnownHashes>();
  for (const [hash, hashes] of Object.entries(accepted ?? {})) known?.set(hash, { accepted: hashes as string[] });
  const status = classify({
    hash: String(testCase["fingerprint"]),
    intents: known,
    bestSimilarity: () => Number(testCase["best_similarity"]),
  });
  return { status };
}

function signalCase(testCase: JsonObject): JsonObject {
  const baseline = testCase["baseline"] as JsonObject;
  const current = testCase["current"] as JsonObject;
  const number = (from: JsonObject, key: string) => Number(from[key]);
  const when = (fires: boolean, severity: string): JsonObject => ({ fires, severity: fires ? severity : null });
  switch (testCase["signal"]) {
    case "latency_spikes": {
      const known = { avgMs: number(baseline, "avg_ms"), p95Ms: number(baseline, "p95_ms") };
      const now = { avgMs: number(current, "avg_ms"), maxMs: number(current, "max_ms") };
      return when(latencyFindings(known, now, latencySpikes.presets).length > 0, "severe");
    }
    case "retry_explosions": {
      const exempt = (current["exempt_tools"] ?? []) as string[];
      const retries = number(current, "consecutive_retries_after_errors");
      const severity = retrySeverity(String(current["tool"]), retries, {
        ...retryExplosions.presets,
        exempt_tools: exempt,
      });
      return { fires: severity !== undefined, severity: severity ?? null };
    }
    case "token_usage_spike":
      return when(
        tokenRise(number(baseline, "tokens"), number(current, "tokens"), tokenUsageSpike.presets.increase_percent) !==
          undefined,
        "severe",
      );
    case "tool_usage_changes":
      return when(
        usageChange(number(baseline, "calls"), number(current, "calls"), toolUsageChanges.presets.change_percent) !==
          undefined,
        "moderate",
      );
    case "new_side_effects": {
      const tools = newTools(new Set(baseline["tools"] as string[]), current["tools"] as string[]);
      return { ...when(tools.length > 0, "moderate"), new_tools: tools };
    }
    default:
      return { unknown_signal: testCase["signal"] ?? null };
  }
}

function gateCase(testCase: JsonObject): JsonObject {
  switch (testCase["kind"]) {
    case "profile": {
      const names = testCase["profiles"] === null ? undefined : Object.keys(testCase["profiles"] as JsonObject);
      return { rules_from: profileFor(names, String(testCase["agent_id"])) };
    }
    case "exit":
      return { exit_code: policyExitCode(Number(testCase["violations"]), testCase["blocking"] === true) };
    case "worst":
      return { exit_code: worstExitCode(testCase["exit_codes"] as number[]) };
    case "action": {
      const code = ciExitCode({
        configExit: Number(testCase["config_exit"]),
        testExit: testCase["test_exit"] as number | null,
        compareExit: testCase["compare_exit"] as number | null,
      });
      return { exit_code: code, result: code === 0 ? "PASS" : "FAIL" };
    }
    default:
      return { unknown_kind: testCase["kind"] ?? null };
  }
}

/** Each run is one model call that took the given time, so that the window is exercised from traces on. */
function windowCase(testCase: JsonObject): JsonObject {
  const baseline = createBaseline({
    agent: "agent",
    mode: "sequence",
    producer: { tool: "spoor", version: "0", runner: "conformance" },
    now: "2026-01-01T00:00:00Z",
    windowSize: Number(testCase["window_size"]),
  });
  for (const run of testCase["runs"] as JsonObject[]) {
    const trace = buildTrace([
      { kind: "metadata", payload: { success: run["success"]! }, meta: { trace_id: run["id"]! } },
      { kind: "chat_response", payload: { model: "m", latency_ms: run["latency_ms"]! } },
    ]);
    addRun(baseline, runFacts(trace));
  }
  const window = [...baseline.intents.values()][0]?.window ?? [];
  const { latency, sampleCount } = summariseRuns(window);
  return {
    sample_count: sampleCount,
    run_ids: window.map((sample) => sample.run),
    min_ms: latency?.minMs ?? null,
    max_ms: latency?.maxMs ?? null,
    avg_ms: latency?.avgMs ?? null,
    p50_ms: latency?.p50Ms ?? null,
  };
}
