/** The policy file as JSON Schema, made from the definitions of the rule kinds: editors complete and check with it. */
import { severitySpellings } from "../judgement/severity.ts";
import type { Json, JsonObject } from "../trace/json.ts";
import { operators } from "./conditions.ts";
import type { Param } from "./params.ts";
import { apiVersions } from "./parse-policy.ts";
import type { RuleKind } from "./rule.ts";
import { ruleKinds } from "./rules.ts";

export function buildPolicySchema(): JsonObject {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "policy.schema.json",
    title: "Spoor policy",
    description:
      "Rules for what an agent must and must not do. Read by spoor check, spoor diff --policy, the runtime guard and the hook.",
    anyOf: [{ $ref: "#/$defs/rules" }, { $ref: "#/$defs/policy" }],
    $defs: {
      policy: policySchema(),
      rules: { type: "array", items: { $ref: "#/$defs/rule" } },
      rule: ruleSchema(),
      conditions: {
        anyOf: [
          { type: "null" },
          { $ref: "#/$defs/condition" },
          { type: "array", items: { $ref: "#/$defs/condition" } },
        ],
      },
      condition: {
        type: "object",
        properties: {
          path: {
            type: "string",
            minLength: 1,
            description: 'Where the value stands: request.params.amount, request["a.b"], response.content.*.name',
          },
          op: { enum: [...operators] },
          value: { description: "What it is compared with." },
        },
        required: ["path", "op", "value"],
        additionalProperties: false,
      },
      exception: {
        type: "object",
        properties: {
          until: {
            type: "string",
            pattern: "^\\d{4}-\\d{2}-\\d{2}$",
            description: "The last day on which it holds (UTC).",
          },
          reason: { type: "string", minLength: 1 },
          trace: { type: "string", description: "Only in the trace of this id or name." },
          when: { $ref: "#/$defs/conditions" },
        },
        required: ["until", "reason"],
        additionalProperties: false,
      },
      example: exampleSchema(),
      names: { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
    },
  };
}

function policySchema(): JsonObject {
  return {
    type: "object",
    properties: {
      apiVersion: { enum: [...apiVersions, null] },
      description: { type: "string" },
      session_key: {
        type: "string",
        minLength: 1,
        description: "Where in a pair the name of its conversation stands: request.metadata.conversation_id",
      },
      extends: {
        $ref: "#/$defs/names",
        description: "Policy files, or packs such as spoor:refunds, whose rules are taken over.",
      },
      rules: { $ref: "#/$defs/rules" },
      examples: { type: "array", items: { $ref: "#/$defs/example" } },
    },
    anyOf: [{ required: ["rules"] }, { required: ["extends"] }],
    additionalProperties: false,
  };
}

function ruleSchema(): JsonObject {
  return {
    type: "object",
    properties: {
      id: { type: ["string", "number"], description: "Unique; reports, exceptions and diffs refer to it." },
      kind: { oneOf: ruleKinds.map((kind) => ({ const: kind.kind, description: kind.summary })) },
      params: { type: ["object", "null"] },
      severity: { enum: [...severitySpellings, "", null], default: "error" },
      description: { type: "string", description: "Why the rule is there; shown when it is broken." },
      scope: { enum: ["trace", "session"], default: "trace" },
      when: { $ref: "#/$defs/conditions", description: "Only turns for which all of these hold." },
      agent: {
        $ref: "#/$defs/names",
        description: 'Only turns and calls of these sub-agents; "main" is the agent itself.',
      },
      exceptions: { type: "array", items: { $ref: "#/$defs/exception" } },
    },
    required: ["kind"],
    additionalProperties: false,
    allOf: ruleKinds.map((kind) => ({
      if: { properties: { kind: { const: kind.kind } }, required: ["kind"] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: { params: paramsSchema(kind) }, ...(needsParams(kind) ? { required: ["params"] } : {}) },
    })),
  };
}

function needsParams(kind: RuleKind): boolean {
  return Object.values(kind.params).some((param) => param.required);
}

function paramsSchema(kind: RuleKind): JsonObject {
  const params = Object.values(kind.params);
  const properties: Record<string, Json> = {};
  for (const param of params) {
    properties[param.key] = { description: param.help, ...param.schema };
    if (param.alias !== undefined)
      properties[param.alias] = { description: `Another name for ${param.key}.`, ...param.schema };
  }
  const requirements = params.filter((param) => param.required).map(requirement);
  const shape = { type: "object", properties, additionalProperties: false };
  return requirements.length === 0 ? shape : { ...shape, allOf: requirements };
}

function requirement(param: Param<unknown>): JsonObject {
  if (param.alias === undefined) return { required: [param.key] };
  return { anyOf: [{ required: [param.key] }, { required: [param.alias] }] };
}

function exampleSchema(): JsonObject {
  const call = {
    anyOf: [
      { type: "string" },
      {
        type: "object",
        properties: { name: { type: "string" }, args: true, result: true, error: true },
        required: ["name"],
        additionalProperties: false,
      },
    ],
  };
  return {
    type: "object",
    description: "A small trace that rules must pass or fail; run by spoor policy test.",
    properties: {
      name: { type: "string" },
      passes: { $ref: "#/$defs/names" },
      fails: { $ref: "#/$defs/names" },
      trace: { type: "string", description: "A trace file, relative to this one." },
      turns: {
        type: "array",
        items: {
          type: "object",
          properties: {
            user: { type: "string" },
            text: { type: "string" },
            calls: { anyOf: [call, { type: "array", items: call }] },
            stop_reason: { type: ["string", "null"] },
            model: { type: "string" },
            request: { type: "object", description: "Further members of the request." },
            usage: { type: "object" },
            agent: { type: "string" },
            repeat: { type: "integer", minimum: 1, maximum: 1000 },
          },
          additionalProperties: false,
        },
      },
    },
    additionalProperties: false,
  };
}
