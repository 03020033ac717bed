/** The layers a level asks for, and what is shown at every level when there is something to show. */
import type { Seed } from "../../stats/random.ts";
import type { Trace, Turn } from "../../trace/trace.ts";
import type { AxisContext } from "../axis.ts";
import type { TracePair } from "../pair-traces.ts";
import type { Pairing, TurnPairing } from "../pair-turns.ts";
import { diffBlobs } from "./blobs.ts";
import { attributeCost, type CostAttribution } from "./cost-attribution.ts";
import { diffHarness } from "./harness.ts";
import type { DiffLayers, Level, SpanLine, TurnLine } from "./layers.ts";
import { diffSessions } from "./sessions.ts";
import { diffSpans } from "./spans.ts";
import { diffTokens } from "./tokens.ts";

export interface LayerOptions {
  readonly level: Level;
  readonly pairing: Pairing;
  readonly seed: Seed;
}

/** Differences in price below this are rounding. */
const NO_MONEY = 1e-9;

export function buildLayers(
  pairs: readonly TracePair[],
  work: readonly TurnPairing[],
  context: AxisContext,
  options: LayerOptions,
): DiffLayers | undefined {
  const { level } = options;
  const baseline = pairs.map((pair) => pair.baseline);
  const candidate = pairs.map((pair) => pair.candidate);
  const harness = diffHarness(baseline, candidate);
  const blobs = pairs.flatMap((pair) => diffBlobs(pair.baseline, pair.candidate));
  const cost = attribute(baseline, candidate, context);
  const layers: DiffLayers = {
    level,
    ...(level === "session"
      ? {
          sessions: pairs.flatMap((pair, traceIndex) =>
            diffSessions(pair.baseline, pair.candidate, context, options).map((session) => ({
              ...session,
              traceIndex,
            })),
          ),
        }
      : {}),
    ...(level === "turn" ? { turns: work.flatMap(turnLines) } : {}),
    ...(level === "span" ? { spans: work.flatMap(spanLines) } : {}),
    ...(level === "token"
      ? {
          tokens: diffTokens(
            baseline.flatMap(turns),
            candidate.flatMap(turns),
            work.flatMap((one) => one.pairs.map(pairOfTurns)),
          ),
        }
      : {}),
    ...(cost === undefined ? {} : { cost }),
    ...(harness.length === 0 ? {} : { harness }),
    ...(blobs.length === 0 ? {} : { blobs }),
  };
  return Object.keys(layers).length === 1 && level === "trace" ? undefined : layers;
}

function turns(trace: Trace) {
  return trace.turns;
}

function pairOfTurns(pair: TurnPairing["pairs"][number]) {
  return { baseline: pair.baseline.turn, candidate: pair.candidate.turn };
}

/** Only when money was spent on both sides and the sums differ. */
function attribute(
  baseline: readonly Trace[],
  candidate: readonly Trace[],
  context: AxisContext,
): CostAttribution | undefined {
  const attribution = attributeCost(
    baseline.flatMap(turnsBySession),
    candidate.flatMap(turnsBySession),
    context.prices,
  );
  const priced = attribution.baselineUsd > 0 && attribution.candidateUsd > 0;
  return priced && Math.abs(attribution.deltaUsd) > NO_MONEY ? attribution : undefined;
}

function turnsBySession(trace: Trace): (readonly Turn[])[] {
  return trace.sessions.map((session) => session.turns);
}

function turnLines(work: TurnPairing, traceIndex: number): TurnLine[] {
  const changes = new Map(
    work.changes.map((change) => [`${change.baselineTurn} ${change.candidateTurn}`, change.change]),
  );
  return work.steps.map((step): TurnLine => {
    if (step.kind === "insert") return { traceIndex, candidateTurn: step.candidate, change: "only_candidate" };
    if (step.kind === "delete") return { traceIndex, baselineTurn: step.baseline, change: "only_baseline" };
    const changed = changes.get(`${step.baseline} ${step.candidate}`);
    const same = work.baseline[step.baseline]!.key === work.candidate[step.candidate]!.key;
    return {
      traceIndex,
      baselineTurn: step.baseline,
      candidateTurn: step.candidate,
      change: changed ?? (same ? "same" : "reworded"),
    };
  });
}

function spanLines(work: TurnPairing, traceIndex: number): SpanLine[] {
  return work.pairs.flatMap(({ baseline, candidate }) => {
    const parts = diffSpans(baseline.turn, candidate.turn);
    if (parts.length === 0) return [];
    return [{ traceIndex, baselineTurn: baseline.turn.index, candidateTurn: candidate.turn.index, parts }];
  });
}
