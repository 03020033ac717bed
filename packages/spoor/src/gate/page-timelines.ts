import type { Json } from "@spoor/core";
import type { DiffOptions } from "@spoor/core/internal/diff/diff-traces";
import { createReportRedaction } from "@spoor/core/internal/redact/redaction";

/** Unchanged traces are listed with their turns up to so many traces; changed ones always are. */
const LISTED_TRACES = 60;
/** Of one trace, and of all of them together: what is left out of long ones is counted. */
const LISTED_ROWS = 5_000;
const ALL_ROWS = 60_000;
const FEWEST_ROWS = 12;
/** Characters of all results together. */
const ALL_RESULTS = 3_000_000;

/** What a comparison lists turn by turn where it is read in a browser: every changed trace, long ones whole while there is room. */
export function pageTimelines(
  traces: number,
): Required<Pick<DiffOptions, "timelines" | "timelineRows" | "unchangedTimelines" | "results" | "overview">> {
  return {
    timelines: traces,
    timelineRows: Math.max(FEWEST_ROWS, Math.min(LISTED_ROWS, Math.floor(ALL_ROWS / Math.max(1, traces)))),
    unchangedTimelines: traces <= LISTED_TRACES,
    results: { budget: ALL_RESULTS, clean: cleanResult },
    overview: { clean: createInputCleaner() },
  };
}

function cleanResult(output: Json): Json {
  return createReportRedaction().json({ output }).output;
}

function createInputCleaner(): (input: Json) => Json {
  const redaction = createReportRedaction();
  return (input) => redaction.json({ input }).input;
}
