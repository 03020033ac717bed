// Every key of spoor.config.yaml with its type, default and meaning, from the schema that also validates it.
import { code, referencePage, table } from "./reference-page.mjs";

export async function configReference() {
  const { configJsonSchema } = await import(new URL("../packages/spoor/dist/config/config.js", import.meta.url));
  const schema = configJsonSchema();
  const groups = Object.entries(schema.properties).filter(([, key]) => shapeOf(key) !== undefined);
  return referencePage(
    "Configuration keys",
    "`spoor.config.yaml`, or the same keys in `.json`, `.ts` or `.js`. What to do with them: [configuration](../configuration.md). Any other",
    "key is an error with its line and the nearest known one. A lens that is not named does not run.",
    "",
    rowsOf(schema),
    groups.flatMap(([name, key]) => [
      `## ${name}`,
      "",
      `${upperFirst(key.description)}.`,
      "",
      ...rowsOf(shapeOf(key), key.type === "array" ? `${name}[].` : `${name}.`),
    ]),
  );
}

function rowsOf(schema, prefix = "") {
  const required = new Set(schema.required ?? []);
  const rows = Object.entries(schema.properties).map(([name, key]) => [
    code(`${prefix}${name}`),
    typeOf(key),
    required.has(name) ? "required" : key.default === undefined ? "" : code(JSON.stringify(key.default)),
    key.description ?? "",
  ]);
  return table(["key", "type", "default", "meaning"], rows);
}

/** The keys of a group: of the object itself, or of the members of a list. */
function shapeOf(key) {
  if (key.properties !== undefined) return key;
  return key.items?.properties === undefined ? undefined : key.items;
}

function typeOf(key) {
  if (key.enum !== undefined) return key.enum.map((value) => code(value)).join(", ");
  if (key.anyOf !== undefined) return [...new Set(key.anyOf.map(typeOf))].join(" or ");
  if (key.type === "array")
    return key.items?.properties === undefined ? `list of ${typeOf(key.items)}` : "list, see below";
  if (key.type === "object") return key.properties === undefined ? "mapping" : objectType(key);
  const limits = [key.minimum, key.maximum].every((limit) => Number.isSafeInteger(limit) && Math.abs(limit) < 2 ** 50);
  return limits ? `${key.type} from ${key.minimum} to ${key.maximum}` : (key.type ?? "");
}

function objectType(key) {
  const names = Object.keys(key.properties);
  return names.length === 1 ? `${code(`{ ${names[0]} }`)}: ${typeOf(key.properties[names[0]])}` : "mapping, see below";
}

function upperFirst(text) {
  return text[0].toUpperCase() + text.slice(1);
}
