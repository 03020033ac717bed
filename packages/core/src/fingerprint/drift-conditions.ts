/** The conditions a drift rule may name, each a question about one compared run. */
import { isObject, type Json, member } from "../trace/json.ts";
import type { RunComparison } from "./comparison.ts";
import { componentLatencyDrift } from "./signals/component-latency-drift.ts";
import { errorIncreases } from "./signals/error-increases.ts";
import { latencySpikes } from "./signals/latency-spikes.ts";
import { newSideEffects } from "./signals/new-side-effects.ts";
import { outputSchemaDrift } from "./signals/output-schema-drift.ts";
import { retrievalRegression } from "./signals/retrieval-regression.ts";
import { retryExplosions } from "./signals/retry-explosions.ts";
import type { SignalContext, SignalDefinition, SignalFinding } from "./signals/signal.ts";
import { tokenUsageSpike } from "./signals/token-usage-spike.ts";
import { toolOveruse } from "./signals/tool-overuse.ts";
import { toolUsageChanges } from "./signals/tool-usage-changes.ts";
import type { Thresholds } from "./thresholds.ts";

/** A run with everything a condition may ask about. */
export interface ConditionSubject {
  readonly compared: RunComparison;
  readonly context: SignalContext;
}

export type ConditionOutcome =
  | { readonly state: "holds"; readonly findings: readonly SignalFinding[]; readonly message: string }
  | { readonly state: "does_not_hold" }
  | { readonly state: "not_evaluated"; readonly why: string };

export interface Condition {
  readonly name: string;
  check(subject: ConditionSubject): ConditionOutcome;
}

type Fail = (message: string, ...path: string[]) => void;
type ConditionParser = (value: Json, fail: Fail) => Condition["check"] | undefined;

const NO: ConditionOutcome = { state: "does_not_hold" };

const PARSERS: Readonly<Record<string, ConditionParser>> = {
  new_side_effects: flag(newSideEffects, "a tool is used that the baseline does not have"),
  new_tools: flag(newSideEffects, "a tool is used that the baseline does not have"),
  latency_spike: threshold(latencySpikes, "steps take longer", (value) => ({
    latencyIncreasePercent: value,
    latencyMaxMultiplier: Number.MAX_VALUE,
    latencyAvgMs: Number.MAX_VALUE,
    latencyMaxMs: Number.MAX_VALUE,
  })),
  tool_usage_change: threshold(toolUsageChanges, "a tool is called more or less often", (value) => ({
    toolUsageChangePercent: value,
  })),
  token_usage_spike: threshold(tokenUsageSpike, "more tokens are used", (value) => ({ tokenUsagePercent: value })),
  component_latency_drift: threshold(componentLatencyDrift, "a component slowed down", (value) => ({
    componentLatencyPercent: value,
  })),
  tool_overuse: threshold(toolOveruse, "calls repeat earlier ones", (value) => ({ toolOverusePercent: value })),
  retry_explosion: count(retryExplosions, "a tool is retried again and again", (value) => ({
    retryHigh: value,
    retryMedium: value,
  })),
  error_increase: share(errorIncreases, "more steps fail", (value) => ({ errorIncreasePoints: value })),
  retrieval_regression: share(retrievalRegression, "lookups got worse", (value) => ({
    retrievalRegressionPercent: value,
  })),
  output_schema_drift: schemaDrift,
  on_variant: onVariant,
  required_tools: requiredTools,
};

export const conditionNames: readonly string[] = Object.keys(PARSERS);

export function parseCondition(name: string, value: Json, fail: Fail): Condition | undefined {
  if (value === false) return undefined;
  const check = PARSERS[name]!(value, fail);
  return check && { name, check };
}

function ask(
  signal: SignalDefinition,
  subject: ConditionSubject,
  limits: Partial<Thresholds>,
  message: string,
): ConditionOutcome {
  const context = { ...subject.context, thresholds: { ...subject.context.thresholds, ...limits } };
  const outcome = signal.detect(context);
  if (outcome.state === "noData") return { state: "not_evaluated", why: outcome.why };
  return outcome.state === "fires" ? { state: "holds", findings: outcome.findings, message } : NO;
}

function flag(signal: SignalDefinition, message: string): ConditionParser {
  return (value, fail) => {
    if (value !== true) fail("is true or false");
    return (subject) => ask(signal, subject, {}, message);
  };
}

type Limits = (value: number) => Partial<Thresholds>;

/** `true` (the default threshold) or `threshold_percent`. */
function threshold(signal: SignalDefinition, message: string, limits: Limits): ConditionParser {
  return numeric(signal, message, limits, ["threshold_percent"], (value) => value);
}

/** `true` or `threshold`, a count. */
function count(signal: SignalDefinition, message: string, limits: Limits): ConditionParser {
  return numeric(signal, message, limits, ["threshold"], (value) => value);
}

/** `true`, `threshold_percent`, or `threshold`: up to 1 a fraction, above that percent. */
function share(signal: SignalDefinition, message: string, limits: Limits): ConditionParser {
  return numeric(signal, message, limits, ["threshold", "threshold_percent"], (value, key) =>
    key === "threshold" && value <= 1 ? value * 100 : value,
  );
}

function numeric(
  signal: SignalDefinition,
  message: string,
  limits: Limits,
  keys: readonly string[],
  toLimit: (value: number, key: string) => number,
): ConditionParser {
  return (value, fail) => {
    if (value === true) return (subject) => ask(signal, subject, {}, message);
    const key = keys.find((candidate) => member(value, candidate) !== undefined);
    const found = key === undefined ? undefined : member(value, key);
    if (!isObject(value) || typeof found !== "number" || found < 0) {
      fail(`is true, or has ${keys.join(" or ")} with a number from 0 on`);
      return undefined;
    }
    for (const other of Object.keys(value))
      if (!keys.includes(other)) fail(`unknown key "${other}"; known: ${keys.join(", ")}`, other);
    return (subject) => ask(signal, subject, limits(toLimit(found, key!)), message);
  };
}

function schemaDrift(value: Json, fail: Fail): Condition["check"] | undefined {
  const removed = value === true || member(value, "fail_on_removed") !== false;
  const added = value === true || member(value, "fail_on_added") === true;
  if (value !== true && !isObject(value)) {
    fail("is true, or has fail_on_removed and fail_on_added");
    return undefined;
  }
  return (subject) => {
    const outcome = ask(outputSchemaDrift, subject, {}, "fields of a tool's result changed");
    if (outcome.state !== "holds") return outcome;
    const findings = outcome.findings.filter((finding) =>
      finding.measure === "fields no longer returned" ? removed : added,
    );
    return findings.length === 0 ? NO : { ...outcome, findings };
  };
}

/** Holds for runs that are no exact match; with `min_similarity` only for those less similar than that. */
function onVariant(value: Json, fail: Fail): Condition["check"] | undefined {
  const least = member(value, "min_similarity");
  if (value !== true && !(typeof least === "number" && least >= 0 && least <= 1)) {
    fail("is true, or has min_similarity from 0 to 1");
    return undefined;
  }
  return ({ compared }) => {
    if (compared.status === "match" || compared.status === "accepted_variant") return NO;
    if (compared.closest === null)
      return { state: "not_evaluated", why: "there is no known behaviour to compare with" };
    const similar = compared.closest.similarity.composite;
    if (typeof least === "number" && similar >= least) return NO;
    const limit = typeof least === "number" ? `, at least ${least} is required` : "";
    return {
      state: "holds",
      findings: [],
      message: `the path is no exact match (similarity ${similar.toFixed(2)}${limit})`,
    };
  };
}

function requiredTools(value: Json, fail: Fail): Condition["check"] | undefined {
  const tools = Array.isArray(value) ? value : member(value, "tools");
  if (!Array.isArray(tools) || tools.length === 0 || !tools.every((tool) => typeof tool === "string")) {
    fail("has tools, a list of names");
    return undefined;
  }
  const message = member(value, "message");
  return ({ context }) => {
    const missing = (tools as string[]).filter((tool) => !context.run.sample.tools.has(tool));
    if (missing.length === 0) return NO;
    const says = typeof message === "string" ? message : `required but not called: ${missing.join(", ")}`;
    return { state: "holds", findings: [], message: says };
  };
}
