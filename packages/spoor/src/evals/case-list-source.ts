/** A list of cases that was not written as YAML, as a document whose problems still have a line. */
import type { Json } from "@spoor/core";
import type { Source } from "@spoor/core/internal/read/source";

export interface ListPlaces {
  readonly lines: readonly string[];
  /** The line on which a case begins. */
  readonly lineOf: (index: number) => number | undefined;
}

export const LISTED = "evalcases";

export function caseListSource(file: string, cases: readonly Json[], { lines, lineOf }: ListPlaces): Source {
  return {
    file,
    value: { [LISTED]: cases },
    locate: (path) => ({
      file,
      line: path[0] === LISTED && typeof path[1] === "number" ? (lineOf(path[1]) ?? 1) : 1,
      column: 1,
    }),
    lengthAt: () => undefined,
    excerpt: (line) => lines[line - 1] ?? "",
  };
}
