/** Sessions with their costs, token summaries, parts of a response, and the judge's row. `kind` says which. */
import { buildTrace, type Json, type JsonObject, readExchange, type Trace, type Turn } from "@spoor/core";
import { diffTraces } from "@spoor/core/internal/diff/diff-traces";
import { attributeCost, type CostAttribution } from "@spoor/core/internal/diff/layers/cost-attribution";
import { diffSpans } from "@spoor/core/internal/diff/layers/spans";
import { diffTokens, type TokenDiff, type TokenSummary } from "@spoor/core/internal/diff/layers/tokens";
import { member, numberMember, stringMember } from "@spoor/core/internal/trace/json";
import type { Adapter } from "../adapter.ts";
import { compare } from "../compare.ts";
import { pricing, records, row } from "./diff.ts";

const KINDS: Readonly<Record<string, (testCase: JsonObject) => Json>> = {
  sessions: sessionsOf,
  token_diff: tokensOf,
  span_diff: spansOf,
  judge_row: judgeRowOf,
};

export const layersAdapter: Adapter = {
  name: "layers",
  matches: (testCase) =>
    Object.hasOwn(KINDS, stringMember(testCase, "kind") ?? "") && member(testCase, "expected") !== undefined,
  run(testCase) {
    const kind = stringMember(testCase, "kind")!;
    return compare(member(testCase, "expected"), KINDS[kind]!(testCase), { partial: kind === "judge_row" });
  },
};

function sessionsOf(testCase: JsonObject): Json {
  const baseline = buildTrace(records(testCase, "baseline"));
  const candidate = buildTrace(records(testCase, "candidate"));
  const prices = pricing(testCase);
  const result = diffTraces(baseline, candidate, {
    pairing: "index",
    level: "session",
    prices,
    seed: numberMember(testCase, "seed") ?? 42,
  });
  return {
    baseline_session_sizes: baseline.sessions.map((session) => session.records.length),
    candidate_session_sizes: candidate.sessions.map((session) => session.records.length),
    sessions: (result.layers?.sessions ?? []).map((session) => ({
      session_index: session.sessionIndex,
      pair_count: session.pairCount,
      worst_severity: session.worstSeverity,
      baseline_session_id: session.baselineSessionId,
      candidate_session_id: session.candidateSessionId,
    })),
    cost_attribution: costs(attributeCost(turns(baseline), turns(candidate), prices)),
  };
}

function turns(trace: Trace): (readonly Turn[])[] {
  return trace.sessions.map((session) => session.turns);
}

function costs(own: CostAttribution): Json {
  return {
    per_session: own.sessions.map((session) => ({
      session_index: session.sessionIndex,
      baseline_usd: session.baselineUsd,
      candidate_usd: session.candidateUsd,
      delta_usd: session.deltaUsd,
      delta_pct: session.deltaPercent ?? "Infinity",
      model_swap_usd: session.modelSwapUsd,
      token_movement_usd: session.tokenMovementUsd,
      mix_residual_usd: session.mixResidualUsd,
      baseline_model: session.baselineModel,
      candidate_model: session.candidateModel,
      n_responses: session.responses,
    })),
    total_baseline_usd: own.baselineUsd,
    total_candidate_usd: own.candidateUsd,
    total_delta_usd: own.deltaUsd,
    total_model_swap_usd: own.modelSwapUsd,
    total_token_movement_usd: own.tokenMovementUsd,
    total_mix_residual_usd: own.mixResidualUsd,
    attribution_is_noisy: own.noisy,
  };
}

function tokensOf(testCase: JsonObject): Json {
  const baseline = buildTrace(records(testCase, "baseline")).turns;
  const candidate = buildTrace(records(testCase, "candidate")).turns;
  const pairs = Array.from({ length: Math.min(baseline.length, candidate.length) }, (_, index) => ({
    baseline: baseline[index]!,
    candidate: candidate[index]!,
  }));
  const own = diffTokens(baseline, candidate, pairs);
  return {
    dimensions: ["input_tokens", "output_tokens", "thinking_tokens"],
    baseline: summaries(own.baseline),
    candidate: summaries(own.candidate),
    pair_count: own.pairCount,
    normalised_shift: snake(own.normalisedShift, (shift) => shift ?? "Infinity"),
    worst_pairs: own.worstPairs.map((pair) => ({
      pair_index: pair.pairIndex,
      baseline: snake(pair.baseline, (value) => value),
      candidate: snake(pair.candidate, (value) => value),
      delta: snake(pair.delta, (value) => value),
    })),
  };
}

function summaries(own: TokenDiff["baseline"]): Json {
  return snake(own, ({ recorded: _ours, ...summary }: TokenSummary) => summary);
}

function snake<T>(own: { inputTokens: T; outputTokens: T; thinkingTokens: T }, of: (value: T) => Json): JsonObject {
  return {
    input_tokens: of(own.inputTokens),
    output_tokens: of(own.outputTokens),
    thinking_tokens: of(own.thinkingTokens),
  };
}

function spansOf(testCase: JsonObject): Json {
  const said = (side: string) => readExchange({}, member(testCase, side) as JsonObject);
  const changes = diffSpans(said("baseline"), said("candidate"));
  return changes.map((change) => ({ kind: change.kind, block_index: change.blockIndex }));
}

function judgeRowOf(testCase: JsonObject): Json {
  const scores = member(testCase, "scores") as readonly number[];
  const trace = buildTrace(scores.map(() => ({ kind: "chat_response", payload: { content: [] } })));
  const { rows } = diffTraces(trace, trace, {
    pairing: "index",
    seed: numberMember(testCase, "seed") ?? 42,
    judge: (baseline) => scores[baseline.index],
  });
  return row(rows.find((one) => one.axis === "judge")!);
}
