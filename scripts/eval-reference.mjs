// Eval files and targets files as reference pages, from the definitions that also read them.
import { code, keyTable, referencePage, upperFirst } from "./reference-page.mjs";

const load = (path) => import(new URL(`../packages/spoor/dist/evals/${path}`, import.meta.url));
const loadReference = () => import(new URL("../packages/core/dist/read/reference.js", import.meta.url));

export async function evalReference() {
  const { caseShape, evalFile, messageShape } = await load("eval-file.js");
  const { workspaceMapping } = await load("workspace-file.js");
  const { referenceRows, referenceSections } = await loadReference();
  const section = (title, sentence, { fields, options }) => [
    `## ${title}`,
    "",
    sentence,
    "",
    ...keyTable(referenceRows(fields, options)),
  ];
  const execution = evalFile.fields.execution.shape.inner;
  const nested = [...referenceSections(execution), ...referenceSections(workspaceMapping.inner)];
  return referencePage(
    "Eval files",
    "Read by `spoor eval` and `spoor score`; three generations of the format, so some things have several words. What to do with them:",
    "[evals](../evals.md). Any other key is an error with its line and the nearest known one. `spoor schema evals` prints the schema.",
    "",
    section("The file", "One of `evalcases`, `eval_cases`, `cases` and `tests` is required.", evalFile.inner),
    section("A case", "One per entry of the list of cases.", caseShape.inner),
    section("A message", "What a role says; a text alone is what the user says.", messageShape.inner),
    section("execution", "How cases are run: for the whole file, or for one case.", execution),
    section("workspace", "The folder of a run: a text names the folder alone.", workspaceMapping.inner),
    nested.flatMap(({ key, help, rows }) => [
      `## ${key}`,
      "",
      `${upperFirst(help)}.`,
      "",
      ...keyTable(rows, `${key}.`),
    ]),
  );
}

export async function providerReference() {
  const { providers } = await load("providers/providers.js");
  const { targetFields, targetOptions } = await load("target.js");
  const { referenceRows, referenceSections } = await loadReference();
  return referencePage(
    "Providers",
    "The targets of `targets.yaml`. What to do with them: [providers](../providers.md). Every key is read in snake_case and in camelCase;",
    "any other is an error with its line and the nearest known one. `spoor schema targets` prints the schema.",
    "",
    "## Every target",
    "",
    "`provider` says who is asked; its own keys are listed below. Besides them a target takes:",
    "",
    keyTable(referenceRows(targetFields, targetOptions)),
    providers.flatMap(({ names: [name, ...others], summary, fields }) => [
      `## ${name}`,
      "",
      `${upperFirst(summary)}.${others.length === 0 ? "" : ` Also: ${others.map(code).join(", ")}.`}`,
      "",
      ...keyTable(referenceRows(fields, targetOptions)),
      ...referenceSections({ fields, options: targetOptions }).flatMap(({ key, rows }) => keyTable(rows, `${key}.`)),
    ]),
  );
}
