/** The whole diff again, conversation by conversation: a long trace may hold one that went wrong among many that did not. */
import { type Severity, worse } from "../../judgement/severity.ts";
import type { Seed } from "../../stats/random.ts";
import type { Trace, Turn } from "../../trace/trace.ts";
import type { AxisContext } from "../axis.ts";
import { buildRows } from "../build-rows.ts";
import type { Pairing } from "../pair-turns.ts";
import { pairTurns } from "../pair-turns.ts";
import { rateStructure, type StructureSignal } from "../structure.ts";

export interface SessionResult {
  readonly sessionIndex: number;
  /** Id of the session's first record; empty when the side has no such session. */
  readonly baselineSessionId: string;
  readonly candidateSessionId: string;
  readonly pairCount: number;
  /** The worst of the rows. */
  readonly worstSeverity: Severity;
  readonly structure: StructureSignal;
}

export interface SessionOptions {
  readonly pairing: Pairing;
  readonly seed: Seed;
}

/** Sessions are matched by position; a side that has fewer is padded with empty ones. */
export function diffSessions(
  baseline: Trace,
  candidate: Trace,
  context: AxisContext,
  options: SessionOptions,
): SessionResult[] {
  const count = Math.max(baseline.sessions.length, candidate.sessions.length);
  return Array.from({ length: count }, (_, sessionIndex) => {
    const before = baseline.sessions[sessionIndex];
    const after = candidate.sessions[sessionIndex];
    const pairing = pairTurns(
      context.table,
      { turns: renumber(before?.turns) },
      { turns: renumber(after?.turns) },
      options.pairing,
    );
    const { rows } = buildRows(pairing.pairs, context, {
      seed: options.seed,
      ...(options.pairing === "index" ? {} : { alone: pairing.alone.map((turn) => ({ turn, trace: 0 })) }),
    });
    return {
      sessionIndex,
      baselineSessionId: before?.records[0]?.id ?? "",
      candidateSessionId: after?.records[0]?.id ?? "",
      pairCount: pairing.pairs.length,
      worstSeverity: rows.reduce<Severity>((worst, row) => worse(worst, row.severity), "none"),
      structure: rateStructure(pairing.changes.length, pairing.steps.length),
    };
  });
}

/** Turns count from 0 inside a session. */
function renumber(turns: readonly Turn[] | undefined): Turn[] {
  return (turns ?? []).map((turn, index) => ({ ...turn, index }));
}
