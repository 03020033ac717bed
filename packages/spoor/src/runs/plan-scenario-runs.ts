/** Which runs a configuration asks for: every scenario once before any a second time, because scenarios tell more than repeats. */
import type { Config } from "../config/config.ts";

export interface PlannedRun {
  readonly scenario: string;
  /** What the user says. */
  readonly prompt: string;
  /** Which repeat, from 1. */
  readonly run: number;
}

export function planScenarioRuns({ scenarios }: NonNullable<Config["run"]>, repeat: number): PlannedRun[] {
  return Array.from({ length: repeat }, (_, index) =>
    Object.entries(scenarios).map(([scenario, prompt]) => ({ scenario, prompt, run: index + 1 })),
  ).flat();
}
