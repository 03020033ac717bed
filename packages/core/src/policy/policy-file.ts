/** The policy file, defined once: `parsePolicy` reads with it, editors and the reference page get their schema and rows from it. */
import { list, oneOf, oneOrMany } from "../read/collections.ts";
import { optional, preset } from "../read/field.ts";
import { buildSchema, named } from "../read/json-schema.ts";
import { mapping } from "../read/mapping.ts";
import { choice, filledText, text } from "../read/scalars.ts";
import type { JsonObject } from "../trace/json.ts";
import { exampleShape } from "./examples.ts";
import type { PolicyExample, PolicyRule } from "./policy.ts";
import { ruleShape } from "./rule-shape.ts";
import { pathText } from "./shapes.ts";

/** The versions of the file format that are understood. */
const apiVersions = ["spoor.dev/v1", "shadow.dev/v1alpha1"] as const;

const rules = named("rules", { ...list(ruleShape), type: "list of rules" });

/** @reference */
export const policyMapping = mapping(
  "a policy",
  {
    apiVersion: optional(choice(apiVersions), "the version of the file format", { key: "apiVersion" }),
    description: optional(text, "what the policy is for"),
    sessionKey: optional(
      pathText,
      "where in a pair the name of its conversation stands: request.metadata.conversation_id",
    ),
    extends: preset(
      oneOrMany(filledText),
      [] as readonly string[],
      "policy files, or packs such as spoor:refunds, whose rules are taken over",
    ),
    rules: preset(rules, [] as readonly PolicyRule[], "the rules"),
    examples: preset(list(exampleShape), [] as readonly PolicyExample[], "small traces that rules must pass or fail"),
  },
  { emptyIsAbsent: true, atLeastOne: [["rules", "extends"]] },
);

/** A bare list of rules is a policy with nothing else. */
export const policyFile = oneOf(rules, named("policy", policyMapping));

export function buildPolicySchema(): JsonObject {
  return buildSchema(policyFile, {
    id: "policy.schema.json",
    title: "Spoor policy",
    description:
      "Rules for what an agent must and must not do. Read by spoor check, spoor diff --policy, the runtime guard and the hook.",
  });
}
