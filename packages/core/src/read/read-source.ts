import { SpoorError } from "../errors.ts";
import { JsonSyntaxError, parseJson } from "../trace/parse-json.ts";
import { parseYaml, type YamlDocument } from "./parse-yaml.ts";

/** The text of a policy file → value with places. The suffix decides: `.yaml` and `.yml` are YAML, everything else JSON. */
export function readSource(text: string, file: string): YamlDocument {
  if (/\.ya?ml$/i.test(file)) return parseYaml(text, file, { oldBooleans: true });
  const source = text.startsWith("\ufeff") ? text.slice(1) : text;
  try {
    const value = parseJson(source, 64);
    // JSON is a subset of YAML: the second reading tells where things stand and refuses a key given twice.
    return { ...parseYaml(source, file), value };
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw notJson(error, source, file);
    throw error;
  }
}

function notJson(error: JsonSyntaxError, text: string, file: string): SpoorError {
  const before = text.slice(0, error.begin ?? error.offset).split("\n");
  const line = before.length;
  const column = before[line - 1]!.length + 1;
  return new SpoorError("policy.bad-json", `${file}:${line}:${column} is not valid JSON: ${error.message}.`, {
    at: { file, line, column },
    excerpt: text.split("\n")[line - 1] ?? "",
    consequence: "Nothing was checked.",
    hint: "A policy in YAML needs a name that ends in .yaml or .yml.",
  });
}
