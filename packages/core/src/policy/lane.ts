/** A rule's life inside one session (or the whole trace), and the same as JSON. */
import type { Json } from "../trace/json.ts";
import { isProvisional } from "./build-violation.ts";
import type { Excused, PolicyRule, Violation } from "./policy.ts";
import { withOne } from "./short-list.ts";
import { decodeState, encodeState } from "./state-codec.ts";
import type { StepReport } from "./step-report.ts";

export interface Lane {
  state: unknown;
  violations: readonly Violation[];
  excused: readonly Excused[];
  notEvaluated: readonly string[];
}

const NOTHING: readonly never[] = [];

/** Made for every rule of every session of a running agent: lists are made when something stands in them. */
export function newLane({ definition, params }: PolicyRule): Lane {
  return { state: definition.start(params), violations: NOTHING, excused: NOTHING, notEvaluated: NOTHING };
}

export function doubt(lane: Lane, why: string): void {
  lane.notEvaluated = withOne(lane.notEvaluated, why);
}

/** Of a running agent, which was told each as it happened, the end repeats only so many. */
const MAX_KEPT = 1000;

/** Keeps what a step reported, but for what the end will say again. */
export function keepFinal(lane: Lane, step: StepReport, live: boolean): void {
  const max = live ? MAX_KEPT : Number.POSITIVE_INFINITY;
  for (const violation of step.violations)
    if (lane.violations.length < max && !isProvisional(violation))
      lane.violations = withOne(lane.violations, violation);
  for (const excused of step.excused)
    if (lane.excused.length < max && !isProvisional(excused.violation)) lane.excused = withOne(lane.excused, excused);
  for (const reason of step.notEvaluated) if (lane.notEvaluated.length < max) doubt(lane, reason);
}

export function saveLane(lane: Lane, { definition, params }: PolicyRule): Json {
  return encodeState({
    ...lane,
    state: definition.save === undefined ? lane.state : definition.save(lane.state, params),
  });
}

export function loadLane(saved: Json, { definition, params }: PolicyRule): Lane {
  const lane = decodeState(saved) as Lane;
  if (definition.restore !== undefined) lane.state = definition.restore(lane.state, params);
  return lane;
}
