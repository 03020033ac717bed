// What is generated, from which definitions. Each entry is [path, content].
import { apiReference } from "./api-reference.mjs";
import { configReference } from "./config-reference.mjs";
import { errorReference } from "./error-reference.mjs";
import { evalReference, providerReference } from "./eval-reference.mjs";
import { explanations } from "./explanations.mjs";
import { axisReference, evaluatorReference, signalReference } from "./lens-reference.mjs";
import { notices } from "./notices.mjs";
import { ruleReference } from "./policy-reference.mjs";
import { commandReference, formatReference } from "./reference.mjs";
import { fileSchemas, reportSchemas } from "./report-schemas.mjs";

export async function generatedFiles() {
  return [
    ["docs/reference/api.md", await apiReference()],
    ["docs/reference/axes.md", await axisReference()],
    ["docs/reference/commands.md", await commandReference()],
    ["docs/reference/configuration.md", await configReference()],
    ["docs/reference/errors.md", await errorReference()],
    ["docs/reference/evals.md", await evalReference()],
    ["docs/reference/evaluators.md", await evaluatorReference()],
    ["docs/reference/formats.md", await formatReference()],
    ["docs/reference/providers.md", await providerReference()],
    ["docs/reference/rules.md", await ruleReference()],
    ["docs/reference/signals.md", await signalReference()],
    ["packages/spoor/explanations.json", await explanations()],
    ...notices(),
    ...(await schemaFiles()),
  ];
}

async function schemaFiles() {
  const schemas = [...(await fileSchemas()), ...reportSchemas()];
  return schemas.map(([name, text]) => [`packages/spoor/schemas/${name}.schema.json`, text]);
}
