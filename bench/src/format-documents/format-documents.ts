/**
 * A document in every format that Spoor reads, in the shape of real files. A format that has none stands in `notMeasured` with the
 * reason; a test holds the two tables to the registry, so that no reader can be forgotten.
 */
import { codingAgents } from "./coding-agents.ts";
import { frameworks } from "./frameworks.ts";
import { modelApis } from "./model-apis.ts";
import { own } from "./own.ts";
import { type FormatDocument, Run } from "./run.ts";
import { spans } from "./spans.ts";
import { stores } from "./stores.ts";

export const formatDocuments: readonly FormatDocument[] = [
  ...own,
  ...codingAgents,
  ...frameworks,
  ...modelApis,
  ...stores,
  ...spans,
];

/** Name of a format → why bare JSON.parse says nothing about reading it. */
export const notMeasured: Readonly<Record<string, string>> = {
  aider: "is Markdown, read line by line; no JSON stands in it",
  "otlp-protobuf": "is no JSON: protobufjs decodes it, and what follows is the reading of otlp",
};

export interface WrittenDocument {
  /** One text, or one per line. */
  readonly texts: readonly string[];
  /** JSON texts inside them. */
  readonly inside: readonly string[];
  /** Of rows of a table: the key of each text. */
  readonly keys?: readonly string[];
}

export function writeDocument(document: FormatDocument, turns: number): WrittenDocument {
  const run = new Run(turns);
  const texts = document.values(run).map((value) => JSON.stringify(value));
  const keys = document.keys?.(new Run(turns));
  return { texts, inside: run.inside, ...(keys === undefined ? {} : { keys }) };
}
