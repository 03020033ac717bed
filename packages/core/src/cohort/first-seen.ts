/**
 * Tools that no baseline run calls and some candidate run does: facts, listed whatever the verdict. Whether such a call is
 * allowed is a matter of policy (`no_call`), not of significance.
 *
 * The chance is exact: if nothing changed, all callers of a tool fall on the candidate side with probability
 * Π C(t − k, n − k) / C(t, n) over the scenarios, k callers in each. Cost: one pass over the calls.
 */
import type { Design } from "./design.ts";
import type { CallersOfTool } from "./signals/novel.ts";

export interface FirstSeenTool {
  readonly tool: string;
  readonly candidateRuns: number;
  /** Candidate runs of the comparison. */
  readonly ofRuns: number;
  readonly scenarios: readonly string[];
  /** The chance that all of these runs fall on the candidate side when nothing changed. */
  readonly chance: number;
}

export function firstSeenTools(design: Design, tools: readonly string[], callers: CallersOfTool): FirstSeenTool[] {
  const ofRuns = design.observed.reduce((sum, label) => sum + label, 0);
  const found: FirstSeenTool[] = [];
  for (const [tool, places] of callers.entries()) {
    if (places.length === 0 || !places.every((place) => design.observed[place] === 1)) continue;
    const { chance, scenarios } = chanceOfOneSide(design, places);
    found.push({ tool: tools[tool]!, candidateRuns: places.length, ofRuns, scenarios, chance });
  }
  return found.sort((left, right) => right.candidateRuns - left.candidateRuns);
}

function chanceOfOneSide(design: Design, places: Int32Array): { chance: number; scenarios: string[] } {
  let chance = 1;
  const scenarios: string[] = [];
  let at = 0;
  for (const { id, start, end, candidate } of design.scenarios) {
    let callers = 0;
    while (at < places.length && places[at]! < end) {
      at++;
      callers++;
    }
    if (callers === 0) continue;
    scenarios.push(id);
    // C(t − k, n − k) / C(t, n), one factor per caller.
    for (let k = 0; k < callers; k++) chance *= (candidate - k) / (end - start - k);
  }
  return { chance, scenarios };
}
