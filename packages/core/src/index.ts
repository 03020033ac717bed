/** The public list of @spoor/core: every name is spelled out. */
export { canonicalJson, compareCodePoints } from "./canonical/canonical-json.ts";
export { contentId, digestJson, digestText, isContentId } from "./canonical/digest.ts";
export type { AxisName } from "./diff/axes.ts";
export type { AxisRow } from "./diff/axis-row.ts";
export type { DiffReport, DiffResult } from "./diff/diff-report.ts";
export { type DiffOptions, diffTraceSets, diffTraces } from "./diff/diff-traces.ts";
export { type GateSource, gateDiff, gateSources } from "./diff/gate-diff.ts";
export { type PairedTraces, pairTraces, type TracePair } from "./diff/pair-traces.ts";
export { createPolicyHook } from "./diff/policy-hook.ts";
export { type ErrorLocation, type Problem, SpoorError, type SpoorErrorOptions } from "./errors.ts";
export { blindTrace, isBlindHeader, readBlindRecords } from "./fingerprint/content-blind.ts";
export {
  type Fingerprint,
  type FingerprintOptions,
  fingerprintTrace,
  type Shape,
  shapeOfTrace,
} from "./fingerprint/fingerprint-trace.ts";
export { type BrokenLink, type ChainReport, verifyChain } from "./fingerprint/hash-chain.ts";
export { httpTarget } from "./fingerprint/http-target.ts";
export { chooseMode, type FingerprintMode, fingerprintModes } from "./fingerprint/mode.ts";
export { type CheckPolicyOptions, checkPolicy, type PolicyCheck } from "./policy/check-policy.ts";
export { type DiffPolicyOptions, diffPolicy, gatePolicy, type PolicyDiff } from "./policy/diff-policy.ts";
export { type ParsePolicyOptions, parsePolicy } from "./policy/parse-policy.ts";
export type { Evidence, Policy, PolicyRule, RuleScope, Violation } from "./policy/policy.ts";
export { parsePricing } from "./pricing/parse-pricing.ts";
export { type ReadTraceOptions, readTraceInMemory } from "./providers/read-trace.ts";
export type { CustomPattern } from "./redact/custom-pattern.ts";
export { redactRecords, redactText } from "./redact/redact-records.ts";
export type { RedactOptions } from "./redact/redactor.ts";
export { type BuildTraceOptions, buildTrace } from "./trace/build-trace.ts";
export { type ContentPart, contentText, joinText, responseParts } from "./trace/content.ts";
export type { Json, JsonObject } from "./trace/json.ts";
export { JsonSyntaxError, parseJson } from "./trace/parse-json.ts";
export { readExchange } from "./trace/read-exchange.ts";
export { type RecordKind, recordKinds, type TraceRecord } from "./trace/record.ts";
export { cutSessions, type SessionOptions } from "./trace/sessions.ts";
export type {
  Exchange,
  OfferedTool,
  Session,
  Step,
  StepKind,
  ToolCall,
  ToolError,
  Trace,
  TraceSource,
  Turn,
  Usage,
} from "./trace/trace.ts";
export { scoreTrajectory, type TrajectorySubject } from "./trajectory/score-trajectory.ts";
export type {
  ArgsMatch,
  ArgumentComparison,
  ClosestCall,
  ExpectedStep,
  StepResult,
  TrajectoryMode,
  TrajectoryResult,
  TrajectorySpec,
} from "./trajectory/trajectory.ts";
