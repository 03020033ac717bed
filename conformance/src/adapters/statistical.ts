/** Statistical fingerprints and drift detectors: response vectors, Hotelling's T², sequential and conformal detectors. */
import { type Json, type JsonObject, readExchange, SpoorError } from "@spoor/core";
import { hotelling } from "@spoor/core/internal/fingerprint/statistical/hotelling";
import {
  defaultScales,
  responseVector,
  vectorDimensions,
} from "@spoor/core/internal/fingerprint/statistical/response-vector";
import {
  createMixture,
  createWald,
  type SequentialDetector,
} from "@spoor/core/internal/fingerprint/statistical/sequential";
import { columnMeans, type Matrix } from "@spoor/core/internal/stats/matrix";
import { isObject, member } from "@spoor/core/internal/trace/json";
import type { Adapter } from "../adapter.ts";
import { compare } from "../compare.ts";
import { type ConformalReport, conformalBounds, createAdaptiveConformal } from "../conformal.ts";

export const responseVectorAdapter: Adapter = {
  name: "response vectors",
  matches: (testCase) => Array.isArray(testCase["records"]) && member(testCase["expected"], "matrix") !== undefined,
  run(testCase) {
    const config = (testCase["config"] ?? {}) as Record<string, number>;
    const scales = {
      toolCalls: config["max_tool_calls"] ?? defaultScales.toolCalls,
      tokens: config["token_scale"] ?? defaultScales.tokens,
      latencyMs: config["latency_scale_ms"] ?? defaultScales.latencyMs,
      chars: config["char_scale"] ?? defaultScales.chars,
      argumentKeys: config["arg_keys_scale"] ?? defaultScales.argumentKeys,
    };
    const responses = (testCase["records"] as JsonObject[]).filter((record) => record["kind"] === "chat_response");
    const matrix = responses.map((record) => responseVector(readExchange({}, record["payload"] as JsonObject), scales));
    const mean = matrix.length === 0 ? vectorDimensions.map(() => 0) : columnMeans(matrix);
    return compare(testCase["expected"], { matrix, mean }, { absolute: 1e-12 });
  },
};

export const hotellingAdapter: Adapter = {
  name: "hotelling",
  matches: (testCase) => Array.isArray(testCase["x1"]) && Array.isArray(testCase["x2"]),
  run(testCase) {
    const expected = testCase["expected"] as JsonObject;
    return expectError(expected, () => {
      const found = hotelling(testCase["x1"] as unknown as Matrix, testCase["x2"] as unknown as Matrix, {
        alpha: Number(testCase["alpha"]),
        permutations: Number(testCase["permutations"]),
      });
      const actual: JsonObject = {
        t2: found.t2,
        f_stat: found.fStat,
        p_value: found.pValue,
        df1: found.df1,
        df2: found.df2,
        n1: found.n1,
        n2: found.n2,
        d: found.dimensions,
        shrinkage: found.shrinkage,
        power: found.power,
        decision: found.decision,
        reject_null: found.decision === "reject",
        used_exact_permutation: found.usedExactPermutation,
        labelings: found.relabellings ?? null,
      };
      // The label is the reference's own prose; ours is in docs/drift-statistics.md.
      const { label: _label, p_value_tie_tolerant: tolerant, ...numbers } = expected;
      const wanted = finite({ ...numbers, ...(tolerant === undefined ? {} : { p_value: tolerant }) });
      return [wanted, actual];
    });
  },
};

export const sequentialAdapter: Adapter = {
  name: "sequential detectors",
  matches: (testCase) => typeof testCase["detector"] === "string" && Array.isArray(testCase["stream"]),
  run(testCase) {
    const params = testCase["params"] as Record<string, number> & { calibration_scores?: number[] };
    const stream = testCase["stream"] as number[];
    return expectError(testCase["expected"] as JsonObject, () => {
      if (testCase["detector"] === "aci") return [testCase["expected"] as JsonObject, adaptiveStates(params, stream)];
      const { detector, limits } = detectorNamed(String(testCase["detector"]), params);
      const states = stream.map((value) => {
        const state = detector.update(value);
        return {
          log_lr: state.logLr,
          n_observations: state.observations,
          decision: state.decision,
          in_warmup: state.inWarmup,
        };
      });
      const wanted: Record<string, Json> = { ...(testCase["expected"] as JsonObject) };
      for (const key of ["boundaries", "threshold"]) if (testCase[key] !== undefined) wanted[key] = testCase[key];
      return [wanted, { states, ...limits }];
    });
  },
};

export const conformalAdapter: Adapter = {
  name: "conformal bounds",
  matches: (testCase) => isObject(testCase["per_axis_scores"]),
  run(testCase) {
    const params = testCase["params"] as Record<string, number>;
    return expectError(testCase["expected"] as JsonObject, () => {
      const report = conformalBounds(testCase["per_axis_scores"] as unknown as Record<string, number[]>, {
        ...(params["target_coverage"] === undefined ? {} : { targetCoverage: params["target_coverage"] }),
        ...(params["confidence"] === undefined ? {} : { confidence: params["confidence"] }),
      });
      const { note: _note, is_distribution_free: _free, ...numbers } = testCase["expected"] as JsonObject;
      const axes = (numbers["axes"] as JsonObject[]).map(({ marginal_claim: _claim, ...axis }) => axis);
      return [{ ...numbers, axes }, conformalJson(report)];
    });
  },
};

function conformalJson(report: ConformalReport): JsonObject {
  return {
    target_coverage: report.targetCoverage,
    confidence: report.confidence,
    n_calibration: report.calibrationRuns,
    axes: report.axes.map((axis) => ({
      axis: axis.axis,
      n_calibration: axis.calibrationRuns,
      target_coverage: report.targetCoverage,
      q_hat: axis.bound,
      achieved_coverage: axis.achievedCoverage,
      pac_delta: axis.pacDelta,
    })),
    worst_axis: report.worstAxis ?? "",
    sufficient_n: report.sufficient,
    n_min: report.requiredRuns,
  };
}

function detectorNamed(
  name: string,
  params: Record<string, number>,
): { detector: SequentialDetector; limits: JsonObject } {
  const { alpha, beta, effect_size: effectSize, tau, warmup } = params;
  const common = { ...(alpha === undefined ? {} : { alpha }), ...(warmup === undefined ? {} : { warmup }) };
  if (name === "wald") {
    const detector = createWald({
      ...common,
      ...(beta === undefined ? {} : { beta }),
      ...(effectSize === undefined ? {} : { effectSize }),
    });
    return { detector, limits: { boundaries: [...detector.boundaries] } };
  }
  const detector = createMixture({ ...common, ...(tau === undefined ? {} : { tau }), adaptive: name === "mixture_t" });
  return { detector, limits: { threshold: detector.threshold } };
}

function adaptiveStates(
  params: Record<string, number> & { calibration_scores?: number[] },
  stream: readonly number[],
): JsonObject {
  const detector = createAdaptiveConformal({
    calibration: params.calibration_scores ?? [],
    ...(params["alpha_target"] === undefined ? {} : { alphaTarget: params["alpha_target"] }),
    ...(params["gamma"] === undefined ? {} : { gamma: params["gamma"] }),
  });
  const states = stream.map((value) => {
    const state = detector.update(value);
    return {
      n_observations: state.observations,
      alpha_t: state.alpha,
      q_hat_t: state.bound,
      breach: state.breach,
      cumulative_breaches: state.breaches,
      empirical_miscoverage: state.missShare,
    };
  });
  return { states };
}

/** A vector that expects an error expects its message; anything else is compared with the vectors' tolerances. */
function expectError(expected: JsonObject, work: () => [JsonObject, JsonObject]) {
  const error = member(expected, "error");
  try {
    const [wanted, actual] = work();
    if (error !== undefined) return compare({ error: member(error, "message") ?? null }, { error: null });
    return compare(wanted, actual, { absolute: 1e-9, relative: 1e-8, partial: true });
  } catch (thrown) {
    if (!(thrown instanceof SpoorError) || error === undefined) throw thrown;
    // Numbers print alike in both languages except for 1.0.
    const plain = (text: string) => text.replace(/\.0$/, "");
    return compare(plain(String(member(error, "message"))), plain(thrown.message));
  }
}

/** `{"nonfinite": "nan"}` stands for what our reports hold as null. */
function finite(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, isObject(item) && "nonfinite" in item ? null : item]),
  );
}
