import type { Coverage, ReportHeader } from "@spoor/core/internal/report/report";
import type { Text } from "../document/document.ts";
import { recordingWords } from "../document/recording-words.ts";
import { isEmpty, say } from "../document/text.ts";
import { count } from "../document/words.ts";

/** What stands small at the end of pages and comments: what was read, and by which Spoor. */
export function footerOf(report: ReportHeader<string>, ...more: readonly Text[]): Text[] {
  return [readWords(report.coverage), ...more, say`spoor ${report.tool.version}`].filter((text) => !isEmpty(text));
}

function readWords(coverage: Coverage): Text {
  return say`${[count(coverage.traces, "trace"), count(coverage.turns, "turn"), ...recordingWords(coverage)].join(", ")}`;
}
