/**
 * Tools that no baseline run calls and some candidate run does: facts, listed whatever the verdict. Whether such a call is
 * allowed is a matter of policy (`no_call`), not of significance. Runs that the test leaves out count here, too: a tool that
 * an unpaired baseline run calls has been seen before.
 *
 * The chance is exact: if nothing changed, all callers of a tool fall on the candidate side with probability
 * Π C(t − k, n − k) / C(t, n) over the scenarios, k callers in each. Cost: one pass over the calls.
 */
import type { Design } from "./design.ts";
import type { Side } from "./run.ts";
import type { CallersOfTool } from "./signals/novel.ts";

export interface FirstSeenTool {
  readonly tool: string;
  readonly candidateRuns: number;
  /** Candidate runs with a response. */
  readonly ofRuns: number;
  readonly ofBaselineRuns: number;
  readonly scenarios: readonly string[];
  /** The chance that its callers all fall on the candidate side when nothing changed; null when none was compared. */
  readonly chance: number | null;
}

export interface CallingRun {
  readonly scenario: string;
  readonly side: Side;
  readonly turns: number;
  /** Numbers of the tools it calls. */
  readonly names: Iterable<number>;
}

export function firstSeenTools(
  design: Design,
  all: readonly CallingRun[],
  tools: readonly string[],
  callers: CallersOfTool,
): FirstSeenTool[] {
  const runs = all.filter(({ turns }) => turns > 0);
  const known = new Set<number>();
  for (const { side, names } of runs) if (side === "baseline") for (const tool of names) known.add(tool);
  const calling = new Map<number, { runs: number; scenarios: Set<string> }>();
  for (const { side, scenario, names } of runs) {
    if (side === "baseline") continue;
    for (const tool of new Set(names)) {
      if (known.has(tool)) continue;
      const found = calling.get(tool) ?? { runs: 0, scenarios: new Set() };
      found.runs++;
      found.scenarios.add(scenario);
      calling.set(tool, found);
    }
  }
  const ofBaselineRuns = runs.filter(({ side }) => side === "baseline").length;
  return [...calling]
    .map(([tool, found]) => ({
      tool: tools[tool]!,
      candidateRuns: found.runs,
      ofRuns: runs.length - ofBaselineRuns,
      ofBaselineRuns,
      scenarios: [...found.scenarios],
      chance: chanceOfOneSide(design, callers[tool]!),
    }))
    .sort((left, right) => right.candidateRuns - left.candidateRuns);
}

function chanceOfOneSide(design: Design, places: Int32Array): number | null {
  if (places.length === 0) return null;
  let chance = 1;
  let at = 0;
  for (const { start, end, candidate } of design.scenarios) {
    // C(t − k, n − k) / C(t, n), one factor per caller.
    for (let k = 0; at < places.length && places[at]! < end; k++) {
      chance *= (candidate - k) / (end - start - k);
      at++;
    }
  }
  return chance;
}
