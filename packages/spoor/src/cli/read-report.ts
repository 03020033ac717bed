/** A saved report, read back and held to its schema: what a person or a program changed by hand proves nothing. */
import { resolve } from "node:path";
import { text as readAll } from "node:stream/consumers";
import type { Json, JsonObject } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { shapeProblems } from "@spoor/core/internal/json-schema/shape-problems";
import type { ReportHeader } from "@spoor/core/internal/report/report";
import { JsonSyntaxError, parseJson } from "@spoor/core/internal/trace/parse-json";
import { loadSchema } from "../load/load-schemas.ts";
import { MOST_DOCUMENT_BYTES, readText } from "../load/read-text.ts";
import { badJson } from "../load/trace-errors.ts";
import type { Io } from "./io.ts";
import { type AnyReportKind, kindOfReport } from "./reports/report-kinds.ts";

const SHOWN_PROBLEMS = 5;

export interface SavedReport {
  readonly report: ReportHeader<string>;
  readonly kind: AnyReportKind;
}

/** `-` is standard input. */
export async function readReport(file: string, io: Io): Promise<SavedReport> {
  return parseReport(await textOf(file, io), file === "-" ? "standard input" : file);
}

async function textOf(file: string, io: Io): Promise<string> {
  const fail = (why: string, cause: unknown) =>
    new SpoorError("report.unreadable", `${file} ${why}.`, {
      at: { file },
      hint: "Save a report with --format json, or -o report.json.",
      cause,
    });
  return file === "-" ? readAll(io.stdin) : readText(resolve(io.cwd, file), fail, MOST_DOCUMENT_BYTES);
}

/** `file` is what errors call it. */
export function parseReport(text: string, file: string): SavedReport {
  try {
    const value = parseJson(text);
    const kind = kindOfReport(value, file);
    requireShape(text, kind, file);
    return { report: value as unknown as ReportHeader<string>, kind };
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw badJson(file, text, error);
    throw error;
  }
}

/** Renderers trust their report; a file that people or programs may have changed is checked first. */
function requireShape(text: string, kind: AnyReportKind, file: string): void {
  const schema = JSON.parse(loadSchema(kind.schema).text) as JsonObject;
  // Parsed once more without big integers, which a schema's "number" does not know.
  const problems = shapeProblems(schema, JSON.parse(text) as Json);
  if (problems.length === 0) return;
  throw new SpoorError("report.invalid", `${file} says it is a ${kind.schema} report, but it is not shaped like one.`, {
    at: { file },
    consequence: "Nothing was printed: a report that was changed by hand or cut off proves nothing.",
    hint: `Its shape: spoor schema ${kind.schema}`,
    problems: problems.slice(0, SHOWN_PROBLEMS).map(({ path, message }) => ({
      at: { file, path: path || "/" },
      message: `${path === "" ? "the report" : ""} ${message}.`.trim(),
    })),
  });
}
