/** The JSON Schemas that come with Spoor: of the files people write, and of every report. */
import { readdirSync, readFileSync } from "node:fs";
import { SpoorError } from "@spoor/core/internal/errors";
import { nearest } from "@spoor/core/internal/text/nearest";
import { packageFile } from "../package-files.ts";

const FOLDER = packageFile("schemas/");
const ENDING = ".schema.json";

export interface SchemaFile {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly text: string;
}

/** All of them, files that people write first, then the reports by name. */
export function loadSchemas(): SchemaFile[] {
  const schemas = schemaNames().map(readSchema);
  return [...schemas.filter((schema) => !isReport(schema)), ...schemas.filter(isReport)];
}

/** One of them, by its name (`diff`) or by the `schema` member of a report (`spoor.diff/1`). */
export function loadSchema(wanted: string): SchemaFile {
  // Nearly always its file is named so, and the others need not be read.
  const names = schemaNames();
  const likely = names.find((name) => name === wanted || `spoor.${name}/1` === wanted);
  const found = (likely === undefined ? names : [likely])
    .map(readSchema)
    .find(({ name, title }) => name === wanted || title === wanted);
  if (found !== undefined) return found;
  const close = nearest(wanted, names);
  throw new SpoorError("schema.unknown", `There is no schema called "${wanted}".`, {
    hint: close === undefined ? `There are ${names.join(", ")}.` : `Did you mean ${close}? All of them: spoor schema`,
  });
}

/** True for what a command prints, false for what people write. */
export function isReport({ title }: SchemaFile): boolean {
  return title.startsWith("spoor.") && title.endsWith("/1");
}

function schemaNames(): string[] {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(ENDING));
  return files.sort().map((name) => name.slice(0, -ENDING.length));
}

function readSchema(name: string): SchemaFile {
  const text = readFileSync(new URL(`${name}${ENDING}`, FOLDER), "utf8");
  const { title, description } = JSON.parse(text) as { title: string; description: string };
  return { name, title, description, text };
}
