/** JSON Lines → a document with one case per line. A byte order mark is read over; a broken line stops with its number. */
import type { Json } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import type { RunRecord } from "@spoor/core/internal/evals/run-record";
import type { Source } from "@spoor/core/internal/read/source";
import { member } from "@spoor/core/internal/trace/json";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import { shellWord } from "../document/shell-word.ts";
import { caseListSource } from "./case-list-source.ts";

const RUN_SCHEMA: RunRecord["schema"] = "spoor.eval-run/1";

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
  if (member(cases[0], "schema") === RUN_SCHEMA)
    throw new SpoorError("eval.invalid", `${file} holds the results of runs, not cases.`, {
      at: { file },
      consequence: "Nothing was run.",
      hint: `To go on with them: --results ${shellWord(file)} --resume. To compare two such files: spoor eval compare.`,
    });
  return caseListSource(file, cases, { lines, lineOf: (index) => lineOf[index] });
}
