/**
 * Every key of `spoor.config.yaml`, defined once: validation, TypeScript types, the JSON Schema for editors and the
 * reference page are made from this. A key nobody knows is an error; a lens that is not named does not run.
 */
import { fingerprintModes } from "@spoor/core/fingerprint/mode";
import { severities } from "@spoor/core/judgement/severity";
import { z } from "zod";

const paths = z.union([z.string(), z.array(z.string()).min(1)]).describe("a file, folder or glob, or a list of them");
const failOn = z.enum(severities);
const share = z.number().min(0).max(1);

const diffConfig = z.strictObject({
  baseline: paths.describe("the runs that show the behaviour to keep"),
  failOn: failOn.default("severe").describe("the severity from which the gate trips"),
  gateOn: z
    .array(z.enum(["axes", "structure", "policy"]))
    .default(["axes", "structure", "policy"])
    .describe("what may trip it"),
  pairing: z.enum(["aligned", "index"]).default("aligned").describe("how turns of two runs are put together"),
  pricing: z.string().optional().describe("a pricing file, model to price per token"),
});

const policyConfig = z.strictObject({
  files: z.array(z.string()).min(1).describe("policy files; all of them apply"),
  failOn: failOn.default("severe").describe("info is minor, warning moderate, error and critical severe"),
  violations: z
    .enum(["all", "new"])
    .default("all")
    .describe("`new`: only what the baseline of the diff does not violate already"),
});

const baselineConfig = z.strictObject({
  file: z.string().describe("the baseline file made by spoor baseline build"),
  unknownPath: z
    .enum(["block", "warn", "ignore"])
    .default("block")
    .describe("what an unknown behaviour does; with warn a new tool, or one always called that is gone, still blocks"),
  variant: z.enum(["block", "warn", "ignore"]).default("warn").describe("what a variant of a known behaviour does"),
  mode: z.enum(fingerprintModes).optional().describe("fingerprint mode; flags and SPOOR_FINGERPRINT_MODE come first"),
  modelAliases: z
    .record(z.string(), z.string())
    .optional()
    .describe("model names that stand for one another, rewritten before hashing"),
});

const trajectoryConfig = z.strictObject({
  evaluators: z.string().describe("a file of evaluators, as for spoor score"),
  threshold: share.default(0.8).describe("the score from which a trace passes"),
});

const cohortConfig = z.strictObject({
  use: z
    .enum(["auto", "always", "never"])
    .default("auto")
    .describe("auto: when a side has repeated runs of a scenario or there are at least six scenarios"),
  relabellings: z
    .number()
    .int()
    .min(99)
    .max(99_999)
    .optional()
    .describe("random relabellings of the test; by default as many as the work allows, at most 1,999"),
  notEnoughEvidence: z.enum(["block", "warn", "ignore"]).default("warn").describe("what too little evidence does"),
});

const thresholdOverride = z.strictObject({
  traces: z.string().describe("a glob over trace names and paths"),
  diff: z.strictObject({ failOn }).optional().describe("the severity from which these traces trip the diff"),
  policy: z.strictObject({ failOn }).optional().describe("the severity from which their violations trip the policy"),
  trajectory: z.strictObject({ threshold: share }).optional().describe("the score from which they pass"),
  reason: z.string().optional().describe("why these traces are judged differently"),
});

const reportConfig = z.strictObject({
  html: z.string().optional().describe("write the HTML report here"),
  json: z.string().optional().describe("write the JSON report here"),
  markdown: z.string().optional().describe("write the pull request comment here"),
  junit: z.string().optional().describe("write JUnit XML here"),
  sarif: z.string().optional().describe("write SARIF here"),
  link: z
    .string()
    .optional()
    .describe("address of the full report, for the comment; $NAME is replaced from the environment"),
});

export const configSchema = z.strictObject({
  agent: z.string().default("agent").describe("the agent's name; one pull request comment per agent"),
  noun: z.string().default("trace").describe("what one run is called in sentences: ticket, task, conversation"),
  mode: z.enum(["warn", "block"]).default("block").describe("warn: report only, the exit code stays 0"),
  traces: paths.describe("the candidate's runs"),
  seed: z.number().int().min(0).default(42).describe("seed of everything random"),
  diff: diffConfig.optional().describe("what changed against the baseline runs"),
  policy: policyConfig.optional().describe("what must not happen"),
  baseline: baselineConfig.optional().describe("is this a behaviour we have seen before"),
  trajectory: trajectoryConfig.optional().describe("did it take the expected path"),
  cohort: cohortConfig.optional().describe("did the agent change, or is it noise; needs diff.baseline"),
  overrides: z
    .array(thresholdOverride)
    .default([])
    .describe("other thresholds for some traces; the first match counts"),
  report: reportConfig.default({}).describe("files to write besides the terminal report"),
});

/** A configuration as the gate uses it: defaults filled in. */
export type Config = z.output<typeof configSchema>;
/** A configuration as people write it, for `spoor.config.ts`. */
export type ConfigInput = z.input<typeof configSchema>;

/** Types a `spoor.config.ts` without changing it. */
export function defineConfig(config: ConfigInput): ConfigInput {
  return config;
}

/** The JSON Schema of the file, for editors. */
export function configJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(configSchema, { io: "input" }) as Record<string, unknown>;
  return { ...schema, title: "spoor.config.yaml" };
}
