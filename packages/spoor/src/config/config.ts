/**
 * Every key of `spoor.config.yaml`, defined once: reading, TypeScript types, the JSON Schema for editors and the reference
 * page are made from this. A key nobody knows is an error; a lens that is not named does not run.
 */
import type { JsonObject } from "@spoor/core";
import { missPolicies } from "@spoor/core/internal/cassette/on-miss";
import { axes } from "@spoor/core/internal/diff/axes";
import { gateSources } from "@spoor/core/internal/diff/gate-diff";
import { judgeFields } from "@spoor/core/internal/evals/judge-fields";
import { fingerprintModes } from "@spoor/core/internal/fingerprint/mode";
import { severities } from "@spoor/core/internal/judgement/severity";
import { list, oneOf, oneOrMany, record } from "@spoor/core/internal/read/collections";
import { optional, preset, required } from "@spoor/core/internal/read/field";
import { buildSchema } from "@spoor/core/internal/read/json-schema";
import { Problems } from "@spoor/core/internal/read/located";
import { type Fields, mapping, type ValuesOf, type WrittenOf } from "@spoor/core/internal/read/mapping";
import { boolean, choice, integer, json, number, text } from "@spoor/core/internal/read/scalars";
import type { MappingOptions } from "@spoor/core/internal/read/shape";
import { valueSource } from "@spoor/core/internal/read/source";

const paths = oneOrMany(text, { min: 1 });
const failOn = choice(severities);
const share = number({ min: 0, max: 1 });
const reaction = choice(["block", "warn", "ignore"]);

const OWN: MappingOptions = { keys: "camelCase" };
const group = <const F extends Fields>(title: string, fields: F) => mapping(title, fields, OWN);

const diffConfig = group("diff", {
  baseline: required(
    paths,
    "the runs that show the behaviour to keep; server:AGENT@RELEASE fetches them from the shared service",
  ),
  failOn: preset(failOn, "severe", "the severity from which the gate trips"),
  gateOn: preset(list(choice(gateSources)), [...gateSources], "what may trip it"),
  toldOnly: optional(
    list(choice(axes.map(({ name }) => name))),
    "axes that are told and never judged; with run, latency: a baseline is recorded another day, mostly on another machine",
  ),
  pairing: preset(choice(["aligned", "index"]), "aligned", "how turns of two runs are put together"),
  pricing: optional(text, "a pricing file, model to price per token"),
  judge: optional(
    group("the judge", judgeFields),
    "a model that scores each answer against the baseline's; its key comes from SPOOR_JUDGE_API_KEY or the provider's usual variable",
    { without: "the judge axis would not run" },
  ),
});

const policyConfig = group("policy", {
  files: required(list(text, { min: 1 }), "policy files; all of them apply"),
  failOn: preset(failOn, "severe", "info is minor, warning moderate, error and critical severe"),
  violations: preset(
    choice(["all", "new"]),
    "all",
    "`new`: only what the baseline of the diff does not violate already",
  ),
});

const baselineConfig = group("baseline", {
  file: required(text, "the baseline file made by spoor baseline build"),
  unknownPath: preset(
    reaction,
    "block",
    "what an unknown behaviour does; with warn a new tool, or one always called that is gone, still blocks",
  ),
  variant: preset(reaction, "warn", "what a variant of a known behaviour does"),
  mode: optional(choice(fingerprintModes), "fingerprint mode; flags and SPOOR_FINGERPRINT_MODE come first"),
  modelAliases: optional(record(text), "model names that stand for one another, rewritten before hashing"),
});

const trajectoryConfig = group("trajectory", {
  evaluators: required(text, "a file of evaluators, as for spoor score"),
  threshold: preset(share, 0.8, "the score from which a trace passes"),
});

const cohortConfig = group("cohort", {
  use: preset(
    choice(["auto", "always", "never"]),
    "auto",
    "auto: when a side has repeated runs of a scenario or there are at least six scenarios",
  ),
  relabellings: optional(
    integer({ min: 99, max: 99_999 }),
    "random relabellings of the test; by default as many as the work allows, at most 1,999",
  ),
  notEnoughEvidence: preset(reaction, "warn", "what too little evidence does"),
});

const ownFailOn = group("an override", { failOn: required(failOn, "the severity from which they trip it") });

const thresholdOverride = group("an override", {
  traces: required(text, "a glob over what a trace is called: its name, task, entry, file, path or id"),
  diff: optional(ownFailOn, "the severity from which these traces trip the diff"),
  policy: optional(ownFailOn, "the severity from which their violations trip the policy"),
  trajectory: optional(
    group("an override", { threshold: required(share, "the score from which they pass") }),
    "the score from which they pass",
  ),
  reason: optional(text, "why these traces are judged differently"),
});

const reportConfig = group("report", {
  html: optional(text, "write the HTML report here"),
  json: optional(text, "write the JSON report here"),
  markdown: optional(text, "write the pull request comment here"),
  junit: optional(text, "write JUnit XML here"),
  sarif: optional(text, "write SARIF here"),
  link: optional(
    text,
    "address of the full report, for the comment; $GITHUB_RUN_ID, $CI_JOB_URL and the like are replaced",
  ),
});

const runConfig = group("run", {
  command: required(
    oneOf(text, list(text, { min: 1 })),
    "how the agent is started, once per scenario and repeat: a text runs in the shell, a list of words without one; the scenario's text is on standard input and in {PROMPT}",
  ),
  scenarios: required(
    oneOf(record(text), text, list(text, { min: 1 })),
    "scenario → what the user says; or eval files, a path, a glob or a list of them, whose expectations the gate checks, too",
  ),
  repeat: preset(integer({ min: 1, max: 1000 }), 1, "how often each scenario is run"),
  workers: preset(integer({ min: 1, max: 64 }), 2, "runs at a time"),
  timeoutSeconds: preset(number({ min: 0.1 }), 600, "the longest a run may take"),
  budget: optional(
    oneOf(
      number({ above: 0 }),
      group("run.budget", {
        usd: optional(number({ above: 0 }), "US dollars, by list prices and diff.pricing"),
        tokens: optional(integer({ min: 1 }), "tokens, whatever they cost"),
      }),
    ),
    "start no run that would go over it: US dollars, or a mapping",
    { without: "nothing would stop the runs" },
  ),
  tools: preset(
    choice(["live", "recorded"]),
    "live",
    "recorded: the agent's tools are answered from the recordings in cassettes, as spoor replay does",
  ),
  cassettes: preset(text, "cassettes", "the folder of those recordings; spoor record --baseline makes them"),
  watch: optional(
    paths,
    "what spoor watch looks at (default: every file of the project but .spoor, .git, node_modules and what is written)",
  ),
  env: optional(record(text), "variables for the agent, besides those of this process"),
});

const toolReplay = group("a tool", {
  match: optional(
    list(text, { min: 1 }),
    "only these arguments, by dotted path, decide which recorded call is near enough",
  ),
  ignore: optional(list(text, { min: 1 }), "all arguments but these do"),
  live: optional(boolean, "it runs for real; a tool that may change the world needs --allow-effects as well"),
  result: optional(json, "always returns this"),
  effect: optional(boolean, "whether it changes the world, where its name says otherwise"),
});

const replayConfig = group("replay", {
  from: optional(paths, "the recordings; by default run.cassettes, else diff.baseline"),
  miss: preset(
    choice(missPolicies),
    "refuse",
    "a tool call that no recording answers: refuse tells the model; live-reads runs what only reads; stop ends the run",
  ),
  mask: preset(list(text), [], "patterns (RE2) of what differs from run to run, beside ids, times and folders"),
  maxAge: optional(integer({ min: 1 }), "days after which recordings are called old"),
  tools: optional(record(toolReplay), "tool → how it is replayed"),
});

const fields = {
  agent: preset(text, "agent", "the agent's name; one pull request comment per agent"),
  noun: preset(text, "trace", "what one run is called in sentences: ticket, task, conversation"),
  mode: preset(choice(["warn", "block"]), "block", "warn: report only, the exit code stays 0"),
  traces: optional(paths, "the candidate's runs; with run, by default the newest that spoor gate --run made"),
  run: optional(runConfig, "how to run the agent, for spoor gate --run and spoor record"),
  replay: optional(replayConfig, "how recordings are played again, for spoor replay and run.tools: recorded"),
  seed: optional(integer({ min: 0 }), "seed of everything random (default 42; cohorts: made of the runs)"),
  diff: optional(diffConfig, "what changed against the baseline runs", lens("diff")),
  policy: optional(policyConfig, "what must not happen", lens("policy")),
  baseline: optional(baselineConfig, "is this a behaviour we have seen before", lens("baseline")),
  trajectory: optional(trajectoryConfig, "did it take the expected path", lens("trajectory")),
  cohort: optional(cohortConfig, "did the agent change, or is it noise; needs diff.baseline", lens("cohort")),
  overrides: preset(list(thresholdOverride), [], "other thresholds for some traces; the first match counts", {
    without: "every trace would be judged alike",
  }),
  report: preset(reportConfig, {}, "files to write besides the terminal report", {
    without: "no file would be written",
  }),
} satisfies Fields;

function lens(name: string) {
  return { without: `the ${name} lens would not run` };
}

export const configFile = mapping("the configuration", fields, { ...OWN, atLeastOne: [["traces", "run"]] });

/** A configuration as the gate uses it: defaults filled in. */
export type Config = ValuesOf<typeof fields>;
/** A configuration as people write it, for `spoor.config.ts`. */
export type ConfigInput = WrittenOf<typeof fields>;

/** The diff of a configuration that has none: these runs to compare with, everything else as by default. */
export function diffAgainst(baseline: string): NonNullable<Config["diff"]> {
  return diffConfig.read(new Problems(valueSource({ baseline }, "")).root())!;
}

/** Types a `spoor.config.ts` without changing it. */
export function defineConfig(config: ConfigInput): ConfigInput {
  return config;
}

/** The JSON Schema of the file, for editors. */
export function buildConfigSchema(): JsonObject {
  return buildSchema(configFile, {
    id: "config.schema.json",
    title: "spoor.config.yaml",
    description: "What `spoor gate` runs: spoor.config.yaml, .json or .ts.",
  });
}
