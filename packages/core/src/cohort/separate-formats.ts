/**
 * One id, two meanings: "task 3" of one benchmark is not "task 3" of another. When one side holds the same scenario id in
 * runs of several formats, each format's runs become a scenario of their own, and the report says so. Two sides recorded
 * in different formats, each in only one, are taken to mean the same tasks.
 */
import type { Observation } from "./observe.ts";

export interface Collision {
  readonly scenario: string;
  readonly formats: readonly string[];
}

export interface Separated {
  readonly runs: readonly Observation[];
  readonly collisions: readonly Collision[];
}

/** Cost: one pass; runs whose format is unknown stay where they are. */
export function separateFormats(runs: readonly Observation[]): Separated {
  const formatsOf = new Map<string, Set<string>>();
  const colliding = new Map<string, Set<string>>();
  for (const { scenario, side, origin } of runs) {
    if (origin.format === undefined) continue;
    const key = `${side} ${scenario}`;
    const formats = (formatsOf.get(key) ?? new Set()).add(origin.format);
    formatsOf.set(key, formats);
    if (formats.size > 1) {
      const known = colliding.get(scenario) ?? new Set();
      for (const format of formats) known.add(format);
      colliding.set(scenario, known);
    }
  }
  if (colliding.size === 0) return { runs, collisions: [] };
  return {
    runs: runs.map((run) =>
      colliding.has(run.scenario) && run.origin.format !== undefined
        ? { ...run, scenario: `${run.scenario} (${run.origin.format})` }
        : run,
    ),
    collisions: [...colliding].map(([scenario, formats]) => ({ scenario, formats: [...formats].sort() })),
  };
}
