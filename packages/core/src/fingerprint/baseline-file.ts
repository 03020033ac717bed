/**
 * The baseline file, defined once: people name behaviours and add accepted fingerprints by hand, so it is read like any
 * hand-written file and has a schema for editors. Members that Spoor does not know are allowed and kept. What only a
 * computation can tell (does the sequence have this hash?) is left to `parseBaseline`.
 */
import { custom, list, record } from "../read/collections.ts";
import { optional, preset, required } from "../read/field.ts";
import { buildSchema, named } from "../read/json-schema.ts";
import { type Fields, type Mapping, mapping } from "../read/mapping.ts";
import { choice, constant, integer, json, number, text } from "../read/scalars.ts";
import type { MappingOptions, Read, Shape } from "../read/shape.ts";
import type { JsonObject } from "../trace/json.ts";
import { BASELINE_SCHEMA_VERSION, type Decision, LARGEST_WINDOW } from "./baseline.ts";
import { FINGERPRINT_VERSION, fingerprintModes } from "./mode.ts";
import type { OutputKeys, RetrievalSample } from "./run-facts.ts";

const HASH = /^[0-9a-f]{16}$/;

const amount = number({ min: 0 });
const whole = integer({ min: 0 });
const share = number({ min: 0, max: 1 });
const texts = list(text);
const none: readonly string[] = [];
const noCounts: ReadonlyMap<string, number> = new Map();

/** A mapping as a map, in the order of the file. */
function mapOf<T, W>(
  item: Shape<T, W>,
  options: Parameters<typeof record>[1] = {},
): Shape<ReadonlyMap<string, T>, unknown> {
  return custom(record(item, options), (values): ReadonlyMap<string, T> => new Map(Object.entries(values)));
}

const counts = mapOf(amount);
const open: MappingOptions = { open: true };
const part = <const F extends Fields>(title: string, fields: F): Mapping<F> => mapping(title, fields, open);

const hash = custom(
  text,
  (written, at) => (HASH.test(written) ? written : at.misshapen(`"${written}" is no fingerprint.`)),
  {
    schema: { pattern: HASH.source },
    type: "fingerprint",
  },
);

const decision: Shape<Decision> = named(
  "decision",
  part("a decision", {
    by: required(text, "who decided"),
    why: required(text, "why"),
    at: required(text, "when"),
  }),
);
const noDecisions: ReadonlyMap<string, Decision> = new Map();

const retrieval: Shape<RetrievalSample> = part("a retrieval", {
  calls: required(amount, "calls"),
  seen: required(amount, "calls whose result could be seen"),
  empty: required(amount, "calls without a result"),
  counted: required(amount, "calls that list results"),
  results: optional(amount, "sum of result counts"),
});

const sample = named(
  "sample",
  mapping(
    "a run",
    {
      run: required(text, "the run's key"),
      hash: optional(text, "its own fingerprint; by default the behaviour's"),
      steps: optional(amount, "steps; by default those of the behaviour"),
      errors: required(amount, "failed steps"),
      latencyMs: optional(amount, "mean time of a step"),
      tokens: optional(amount, "tokens of the run"),
      tools: optional(counts, "calls per tool; by default those of the behaviour"),
      errorPatterns: preset(texts, none, "kinds of errors"),
      components: preset(counts, noCounts, "mean time per component"),
      retrieval: preset(mapOf(retrieval), new Map() as ReadonlyMap<string, RetrievalSample>, "look-ups per tool"),
      redundant: preset(counts, noCounts, "repeated calls per tool"),
    },
    { open: true, emptyIsAbsent: true },
  ),
);
export type WrittenSample = Read<typeof sample>;

export const intentMapping = part("a behaviour", {
  name: optional(text, "what people call this behaviour; yours to write"),
  note: optional(text, "yours to write"),
  fingerprintHash: required(hash, "its fingerprint"),
  structuralHash: optional(text, "its structural fingerprint"),
  sequence: required(text, "the steps behind the fingerprint; not to be edited"),
  acceptedFingerprints: preset(list(hash), none, "paths that count as this behaviour"),
  acceptedBy: preset(mapOf(decision), noDecisions, "who accepted them"),
  runCount: required(whole, "successful runs ever recorded"),
  sampleCount: optional(json, "written for people"),
  stepCount: optional(json, "written for people"),
  avgTokens: optional(json, "written for people"),
  avgLatency: optional(json, "written for people"),
  latencyBounds: optional(json, "written for people"),
  toolCallCounts: optional(json, "written for people"),
  errorRate: optional(json, "written for people"),
  window: required(list(sample), "the last of them"),
});
const intent = named("intent", intentMapping);
export type WrittenIntent = Read<typeof intentMapping>;

const change = named(
  "change",
  part("a change", {
    generation: required(whole, "the generation it led to"),
    action: required(choice(["build", "update", "accept", "reject", "rollback"]), "what was done"),
    at: required(text, "when"),
    by: required(text, "by whom"),
    why: required(text, "why"),
    change: required(text, "what it changed"),
  }),
);

export const baselineFile = part("the baseline", {
  schemaVersion: required(constant(BASELINE_SCHEMA_VERSION), "layout of the file"),
  agentId: required(text, "the agent"),
  updatedAt: required(text, "when it was last written"),
  generation: required(whole, "counts the writes of the file"),
  hashVersion: required(constant(FINGERPRINT_VERSION), "version of the fingerprints"),
  mode: required(choice(fingerprintModes), "mode of the fingerprints"),
  windowSize: required(integer({ min: 1, max: LARGEST_WINDOW }), "runs kept per behaviour"),
  methods: optional(json, "how the numbers are computed, for people"),
  similarityWeights: required(
    part("similarity_weights", {
      toolJaccard: required(share, "weight of the tools in common"),
      sequenceLcs: required(share, "weight of the order in common"),
      errorJaccard: required(share, "weight of the errors in common"),
    }),
    "how alike two paths are; the three sum to 1",
  ),
  modelAliases: preset(record(text), {} as Readonly<Record<string, string>>, "model names that stand for one another"),
  producedBy: optional(
    part("produced_by", {
      tool: preset(text, "unknown", "what wrote it"),
      version: preset(text, "unknown", "its version"),
      runner: preset(text, "unknown", "what ran the tool"),
    }),
    "what wrote the file",
  ),
  policyHash: optional(text, "the policy in force when the runs were recorded"),
  runCount: required(whole, "successful runs recorded"),
  leftOutRuns: preset(whole, 0, "failed or empty runs that taught nothing"),
  models: preset(counts, noCounts, "runs per model"),
  tools: preset(counts, noCounts, "runs per tool"),
  toolsOffered: preset(texts, none, "tools that were on offer"),
  outputKeys: preset(
    mapOf(
      part("output keys", {
        always: required(texts, "keys that every result had"),
        ever: required(texts, "keys that some result had"),
      }),
    ),
    new Map() as ReadonlyMap<string, OutputKeys>,
    "keys of results per tool",
  ),
  intents: required(
    mapOf(intent, { keys: { pattern: HASH, wants: "a fingerprint" } }),
    "the known behaviours by fingerprint",
  ),
  rejected: preset(mapOf(decision), noDecisions, "paths that were turned down"),
  history: preset(list(change), [], "what was done to the file"),
});
export type WrittenBaseline = Read<typeof baselineFile>;

export function buildBaselineSchema(): JsonObject {
  return buildSchema(baselineFile, {
    id: "baseline-file.schema.json",
    title: "Spoor baseline",
    description:
      "What an agent is known to do. Written by spoor baseline build, read by spoor baseline compare and spoor gate.",
  });
}
