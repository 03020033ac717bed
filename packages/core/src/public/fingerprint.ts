/** `@spoor/core/fingerprint`: one hash per run of what the agent did, and baselines that remember them. */
export {
  acceptVariant,
  addIntent,
  addRun,
  type Baseline,
  createBaseline,
  createIntent,
  type Decision,
  type HistoryEntry,
  type Intent,
  type NewBaselineOptions,
  rejectHash,
} from "../fingerprint/baseline.ts";
export { renderBaselineFile } from "../fingerprint/baseline-json.ts";
export type { BaselineReport } from "../fingerprint/baseline-report.ts";
export { type BaselineVerdict, baselineVerdict } from "../fingerprint/baseline-verdict.ts";
export { type CompareOptions, compareRuns } from "../fingerprint/compare-baseline.ts";
export type { AgentComparison, RunComparison } from "../fingerprint/comparison.ts";
export { blindTrace, isBlindHeader, readBlindRecords } from "../fingerprint/content-blind.ts";
export {
  type Fingerprint,
  type FingerprintOptions,
  fingerprintTrace,
  type Shape,
  shapeOfTrace,
} from "../fingerprint/fingerprint-trace.ts";
export { type BrokenLink, type ChainReport, verifyChain } from "../fingerprint/hash-chain.ts";
export { httpTarget } from "../fingerprint/http-target.ts";
export { chooseMode, type FingerprintMode, fingerprintModes } from "../fingerprint/mode.ts";
export { type ParseBaselineOptions, parseBaseline } from "../fingerprint/parse-baseline.ts";
export { type RunFacts, runFacts } from "../fingerprint/run-facts.ts";
export { type Similarity, similarity } from "../fingerprint/similarity.ts";
