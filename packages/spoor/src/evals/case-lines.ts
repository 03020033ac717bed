/** JSON Lines → a document with one case per line. A byte order mark is read over; a broken line stops with its number. */
import type { Json } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import type { Source } from "@spoor/core/internal/read/source";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import { caseListSource } from "./case-list-source.ts";

export function parseCaseLines(text: string, file: string): Source {
  const cases: Json[] = [];
  const lineOf: number[] = [];
  const lines = (text.startsWith("\uFEFF") ? text.slice(1) : text).split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    try {
      cases.push(parseJson(line));
    } catch (error) {
      throw new SpoorError("eval.bad-line", `${file}:${index + 1} is not valid JSON: ${(error as Error).message}.`, {
        at: { file, line: index + 1, column: 1 },
        consequence: "Nothing was run.",
      });
    }
    lineOf.push(index + 1);
  }
  return caseListSource(file, cases, { lines, lineOf: (index) => lineOf[index] });
}
