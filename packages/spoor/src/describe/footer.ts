import type { Coverage, ReportHeader } from "@spoor/core/internal/report/report";
import type { Text } from "../document/document.ts";
import { recordingWords } from "../document/recording-words.ts";
import { isEmpty, joined, say } from "../document/text.ts";
import { count } from "../document/words.ts";
import { takenOutTexts } from "./coverage.ts";

/** What stands small at the end of pages and comments: what was read, and by which Spoor. */
export function footerOf(report: ReportHeader<string>, ...more: readonly Text[]): Text[] {
  return [readWords(report.coverage), ...more, say`spoor ${report.tool.version}`].filter((text) => !isEmpty(text));
}

function readWords(coverage: Coverage): Text {
  const read = [count(coverage.traces, "trace"), count(coverage.turns, "turn"), ...recordingWords(coverage)].join(", ");
  return joined([[read], ...takenOutTexts(coverage)], ", ");
}
