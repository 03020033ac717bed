// The policy file and its rule kinds as a reference page, from the definitions that also read it.
import { keyTable, referencePage, upperFirst } from "./reference-page.mjs";

const policy = new URL("../packages/core/dist/policy/", import.meta.url);
const load = (path) => import(new URL(path, policy));

export async function ruleReference() {
  const { ruleKinds } = await load("rules.js");
  const { policyMapping } = await load("policy-file.js");
  const { commonFields } = await load("rule-shape.js");
  const { referenceRows, referenceSections } = await load("../read/reference.js");
  return referencePage(
    "Rule kinds",
    "What to do with them: [policies](../policy.md).",
    "",
    "## The file",
    "",
    "A mapping with these keys, or just the list of rules.",
    "",
    keyTable(referenceRows(policyMapping.fields, policyMapping.options)),
    "## Every rule",
    "",
    "`kind` says which rule it is, `params` holds what the kind needs; both are listed below. Besides them a rule takes:",
    "",
    keyTable(referenceRows(commonFields)),
    ruleKinds.flatMap((kind) => [
      `## ${kind.kind}`,
      "",
      `${upperFirst(kind.summary)}.`,
      "",
      ...keyTable(referenceRows(kind.params)),
      ...referenceSections({ fields: kind.params, options: {} }).flatMap(({ key, rows }) => keyTable(rows, `${key}.`)),
    ]),
  );
}
