// What is generated, from which definitions. Each entry is [path, content].
import { policySchemaText, ruleReference } from "./policy-reference.mjs";
import { commandReference, formatReference } from "./reference.mjs";

export async function generatedFiles() {
  return [
    ["docs/reference/commands.md", await commandReference()],
    ["docs/reference/formats.md", await formatReference()],
    ["docs/reference/rules.md", await ruleReference()],
    ["schemas/policy.schema.json", await policySchemaText()],
  ];
}
