/** `@spoor/core/diff`: what changed between two traces or two sets of traces. */
export type { AxisName } from "../diff/axes.ts";
export type { AxisRow } from "../diff/axis-row.ts";
export type { DiffReport, DiffResult, TraceMatching, TracePairResult, TraceSide } from "../diff/diff-report.ts";
export { type DiffOptions, diffTraceSets, diffTraces } from "../diff/diff-traces.ts";
export type { DiffVerdict } from "../diff/diff-verdict.ts";
export type { Divergence, DivergenceKind, PlacedDivergence } from "../diff/divergence.ts";
export { type GateSource, gateDiff, gateSources } from "../diff/gate-diff.ts";
export { type PairedTraces, pairTraces, type TracePair } from "../diff/pair-traces.ts";
export type { Pairing, TurnChange } from "../diff/pair-turns.ts";
export { createPolicyHook, type PolicyHook } from "../diff/policy-hook.ts";
export type { Timeline } from "../diff/timeline.ts";
export { parsePricing } from "../pricing/parse-pricing.ts";
