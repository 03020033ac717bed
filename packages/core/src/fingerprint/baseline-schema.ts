/**
 * The baseline file as JSON Schema, for editors: people name behaviours and add accepted fingerprints by hand. Members that
 * Spoor does not know are allowed and kept. What only a computation can tell (does the sequence have this hash?) is left to
 * `parseBaseline`.
 */
import type { JsonObject } from "../trace/json.ts";
import { BASELINE_SCHEMA_VERSION, LARGEST_WINDOW } from "./baseline.ts";
import { FINGERPRINT_VERSION, fingerprintModes } from "./mode.ts";

const text = { type: "string" };
const number = { type: "number", minimum: 0 };
const integer = { type: "integer", minimum: 0 };
const share = { type: "number", minimum: 0, maximum: 1 };
const hash = { type: "string", pattern: "^[0-9a-f]{16}$" };
const counts = { type: "object", additionalProperties: number };
const texts = { type: "array", items: text };
const decisions = { type: "object", additionalProperties: { $ref: "#/$defs/decision" } };

export function buildBaselineSchema(): JsonObject {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "baseline-file.schema.json",
    title: "Spoor baseline",
    description:
      "What an agent is known to do. Written by spoor baseline build, read by spoor baseline compare and spoor gate.",
    type: "object",
    properties: {
      schema_version: { const: BASELINE_SCHEMA_VERSION },
      agent_id: text,
      updated_at: text,
      generation: integer,
      hash_version: { const: FINGERPRINT_VERSION },
      mode: { enum: [...fingerprintModes] },
      window_size: { type: "integer", minimum: 1, maximum: LARGEST_WINDOW, description: "runs kept per behaviour" },
      methods: { type: "object", additionalProperties: text },
      similarity_weights: members({ tool_jaccard: share, sequence_lcs: share, error_jaccard: share }),
      model_aliases: { type: "object", additionalProperties: text },
      produced_by: { type: "object", properties: { tool: text, version: text, runner: text } },
      policy_hash: text,
      run_count: integer,
      left_out_runs: integer,
      models: counts,
      tools: counts,
      tools_offered: texts,
      output_keys: { type: "object", additionalProperties: members({ always: texts, ever: texts }) },
      intents: { type: "object", propertyNames: hash, additionalProperties: { $ref: "#/$defs/intent" } },
      rejected: decisions,
      history: { type: "array", items: { $ref: "#/$defs/change" } },
    },
    required: [
      "schema_version",
      "agent_id",
      "updated_at",
      "generation",
      "hash_version",
      "mode",
      "window_size",
      "similarity_weights",
      "run_count",
      "intents",
    ],
    $defs: {
      intent: intentSchema(),
      sample: {
        type: "object",
        properties: {
          run: text,
          hash,
          steps: integer,
          tools: counts,
          latency_ms: number,
          tokens: number,
          errors: integer,
        },
        required: ["run", "errors"],
      },
      decision: members({ by: text, why: text, at: text }),
      change: members({
        generation: integer,
        action: { enum: ["build", "update", "accept", "reject", "rollback"] },
        at: text,
        by: text,
        why: text,
        change: text,
      }),
    },
  };
}

function intentSchema(): JsonObject {
  return {
    type: "object",
    properties: {
      name: { type: "string", description: "what people call this behaviour; yours to write" },
      note: text,
      fingerprint_hash: hash,
      structural_hash: hash,
      sequence: { type: "string", description: "the steps behind the hash; not to be edited" },
      accepted_fingerprints: { type: "array", items: hash, description: "paths that count as this behaviour" },
      accepted_by: decisions,
      run_count: integer,
      window: { type: "array", items: { $ref: "#/$defs/sample" } },
    },
    required: ["fingerprint_hash", "sequence", "run_count", "window"],
  };
}

/** An object with these members, all of them required. */
function members(properties: JsonObject): JsonObject {
  return { type: "object", properties, required: Object.keys(properties) };
}
