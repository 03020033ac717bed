// Every key of spoor.config.yaml with its type, default and meaning, from the definition that also reads it.
import { keyTable, referencePage, upperFirst } from "./reference-page.mjs";

export async function configReference() {
  const { configFile } = await import(new URL("../packages/spoor/dist/config/config.js", import.meta.url));
  const { referenceRows, referenceSections } = await import(
    new URL("../packages/core/dist/read/reference.js", import.meta.url)
  );
  return referencePage(
    "Configuration keys",
    "`spoor.config.yaml`, or the same keys in `.json`, `.ts` or `.js`. What to do with them: [configuration](../configuration.md). Any other",
    "key is an error with its line and the nearest known one. A lens that is not named does not run.",
    "",
    keyTable(referenceRows(configFile.fields, configFile.options)),
    referenceSections(configFile).flatMap(({ key, help, rows }) => [
      `## ${key.replace("[]", "")}`,
      "",
      `${upperFirst(help)}.`,
      "",
      ...keyTable(rows, `${key}.`),
    ]),
  );
}
