/** Traces of every format → the model, against bare JSON.parse of the same text. */
import { buildTrace } from "@spoor/core/internal/trace/build-trace";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import { formatNamed } from "spoor/internal/formats/choose-format";
import type { Database } from "spoor/internal/formats/database";
import type { Format, ImportedTrace } from "spoor/internal/formats/format";
import { formats } from "spoor/internal/formats/formats";
import { type Benchmark, type BenchmarkRow, sideBySide } from "./benchmark.ts";
import {
  formatDocuments,
  notMeasured,
  type WrittenDocument,
  writeDocument,
} from "./format-documents/format-documents.ts";
import type { FormatDocument } from "./format-documents/run.ts";

const LIMIT = 4;
/** As long as a long day's session: the floor of a small text never meets the garbage collector, which readers always do. */
const MEGABYTES = 40;
const MAX_TURNS = 20_000;

export const formatsBenchmark: Benchmark = {
  name: "formats",
  promise: `a trace of any format is read and built for at most ${LIMIT} times bare JSON.parse`,
  async run({ only }) {
    const rows: BenchmarkRow[] = [];
    for (const name of only ?? formats.map((format) => format.name)) {
      const documents = formatDocuments.filter((document) => document.format === name);
      for (const document of documents) rows.push(await measure(document));
      if (documents.length === 0) rows.push(unmeasured(name));
    }
    return rows;
  },
};

/** A format without a document is a broken promise, unless a reason is given. */
function unmeasured(name: string): BenchmarkRow {
  const reason = notMeasured[name];
  if (reason === undefined) return { what: name, measured: "not measured", against: "no document", kept: false };
  return { what: name, measured: "not measured", against: `nothing: it ${reason}` };
}

async function measure(document: FormatDocument): Promise<BenchmarkRow> {
  const turns = turnsOf(document);
  const written = writeDocument(document, turns);
  const format = formatNamed(document.format);
  const bare = () => written.texts.map((text) => JSON.parse(text));
  const { floor, ours } = await sideBySide({
    floor: () => [bare(), written.inside.map((text) => JSON.parse(text))],
    ours: () => readTraces(format, document, written),
  });
  return {
    what: `${[document.format, ...(document.shape === undefined ? [] : [document.shape])].join(", ")}, ${turns} turns in ${megabytes(written)} MB`,
    measured: `${(ours / floor).toFixed(2)} times`,
    against: `JSON.parse of the ${document.table !== undefined ? "rows" : document.isLines ? "lines" : "text"}${written.inside.length === 0 ? "" : " and of the JSON texts inside"}, ${floor.toFixed(3)} s`,
    kept: ours <= LIMIT * floor,
  };
}

/** As many turns as make a text of about the same size in each format; a guard's log is all small lines. */
function turnsOf(document: FormatDocument): number {
  const sample = 80;
  const size = writeDocument(document, sample).texts.reduce((sum, text) => sum + text.length, 0);
  return Math.min(MAX_TURNS, Math.round((MEGABYTES * 1e6 * sample) / size / 100) * 100);
}

function megabytes({ texts }: WrittenDocument): string {
  return (texts.reduce((sum, text) => sum + text.length, 0) / 1e6).toFixed(0);
}

/** How many turns and calls came out, so that nothing can be left out as unused. */
function readTraces(format: Format, document: FormatDocument, written: WrittenDocument): number {
  return importDocument(format, document, written).reduce((sum, { records }) => {
    const trace = buildTrace(records);
    return sum + trace.turns.length + trace.toolCalls.length;
  }, 0);
}

export function importDocument(format: Format, document: FormatDocument, written: WrittenDocument): ImportedTrace[] {
  const { texts } = written;
  if (document.table !== undefined) return format.readDatabase!(databaseOf(document.table, written), CONTEXT);
  return document.isLines ? readLines(format, texts) : format.readDocument!(parseJson(texts[0]!), CONTEXT);
}

/** Rows that were read already: what pages cost is told in bench/README.md. */
export function databaseOf(name: string, { texts, keys = [] }: WrittenDocument): Database {
  return {
    tables: [{ name, columns: ["key", "value"] }],
    *rows() {
      for (const [index, value] of texts.entries()) yield { key: keys[index]!, value };
    },
    text: (value) => (typeof value === "string" ? value : undefined),
  };
}

function readLines(format: Format, texts: readonly string[]): ImportedTrace[] {
  const reader = format.openLines!(CONTEXT);
  for (let index = 0; index < texts.length; index++) reader.line(parseJson(texts[index]!), index + 1);
  return reader.finish();
}

const CONTEXT = {
  file: "bench",
  lenient: false,
  fail: (message: string): never => {
    throw new Error(message);
  },
};
