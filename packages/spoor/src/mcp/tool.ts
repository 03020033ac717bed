/**
 * A tool of the server: what it takes, and the command line that answers it. There is no second way to compute anything: what an agent is
 * told is what the command says.
 */
import type { Json, JsonObject } from "@spoor/core";
import { Definitions } from "@spoor/core/internal/read/definitions";
import { Problems } from "@spoor/core/internal/read/located";
import { type Fields, mapping, type ValuesOf } from "@spoor/core/internal/read/mapping";
import { valueSource } from "@spoor/core/internal/read/source";

export interface CommandLine {
  readonly command: LensCommand;
  readonly words: readonly string[];
  /** Texts that came with the question, by the name under which the words speak of them. */
  readonly given?: Readonly<Record<string, string>>;
  readonly names: Names;
}

/** What the words speak of, each as it was called: over a service it is fetched before the command runs. */
export interface Names {
  readonly runs?: readonly string[];
  readonly policy?: string | undefined;
  readonly baseline?: string | undefined;
  readonly report?: string | undefined;
}

/** The commands that answer questions; no other can be reached. */
export type LensCommand =
  | "show"
  | "diff"
  | "check"
  | "score"
  | "fingerprint"
  | "baseline compare"
  | "cohort"
  | "explain"
  | "policy suggest";

/** A tool as clients see it. */
export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

export interface McpTool extends ListedTool {
  /** Throws SpoorError for arguments that are not shaped like the schema. */
  commandLine(args: Json): CommandLine;
}

interface ToolDefinition<F extends Fields> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly fields: F;
  /** Fields that this place does not have. */
  readonly without?: readonly string[];
  readonly exactlyOne?: readonly (readonly string[])[];
  line(values: ValuesOf<F>): CommandLine;
}

export function defineTool<const F extends Fields>(definition: ToolDefinition<F>): McpTool {
  const { name, title, description, without = [], exactlyOne = [], line } = definition;
  const there = (key: string) => !without.includes(key);
  const fields = Object.fromEntries(Object.entries(definition.fields).filter(([key]) => there(key))) as F;
  const alternatives = exactlyOne.map((keys) => keys.filter(there));
  const shape = mapping(name, fields, alternatives.length === 0 ? {} : { exactlyOne: alternatives });
  return {
    name,
    title,
    description,
    // Model APIs take no alternatives at the top of a schema, and agents leave such a tool out without a word: they are told when it is called.
    inputSchema: mapping(name, fields).schema(new Definitions()),
    commandLine(args) {
      const problems = new Problems(valueSource(args, name));
      const values = shape.read(problems.root());
      problems.throwIfAny("usage.bad-argument", "Nothing was read.");
      return line(values!);
    },
  };
}
