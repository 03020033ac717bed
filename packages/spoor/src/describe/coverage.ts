/** What was read, and what was not: silence is reported. */
import type { Coverage } from "@spoor/core/internal/report/report";
import type { Block, Text } from "../document/document.ts";
import { recordingWords } from "../document/recording-words.ts";
import { joined, listed, name, say } from "../document/text.ts";
import { count, integer } from "../document/words.ts";

/** "32 turns and 22 tool calls read; every call has its result" */
export function coverageText(coverage: Coverage): Text {
  const parts: Text[] = [[`${count(coverage.turns, "turn")} and ${count(coverage.toolCalls, "tool call")} read`]];
  if (coverage.toolCalls > 0) {
    const missing = coverage.callsWithoutResult;
    parts.push([
      missing === 0
        ? "every call has its result"
        : `${count(missing, "call")} ${missing === 1 ? "has" : "have"} no result`,
    ]);
  }
  const unknown = Object.entries(coverage.unknown);
  if (unknown.length > 0)
    parts.push(say`not understood: ${listed(unknown.map(([type, amount]) => say`${integer(amount)} ${name(type)}`))}`);
  if (coverage.skippedLines > 0) parts.push([`${count(coverage.skippedLines, "line")} skipped`]);
  parts.push(...recordingWords(coverage).map((words): Text => [words]));
  parts.push(...takenOutTexts(coverage));
  if (coverage.truncated.length > 0)
    parts.push(say`truncated: ${listed(coverage.truncated.map((path) => [name(path)]))}`);
  return joined(parts, "; ");
}

/** "5 files taken out of traces: the other side has them" */
export function takenOutTexts({ takenOut = [] }: Coverage): Text[] {
  return takenOut.map(
    ({ from, files }) =>
      say`${count(files, "file")} taken out of ${name(from)}: the other side has ${files === 1 ? "it" : "them"}`,
  );
}

/** For reports that say nothing of a complete reading: what the recordings lack, where they lack something. */
export function lackingBlocks(coverage: Coverage): Block[] {
  const words = recordingWords(coverage);
  return words.length === 0 ? [] : [{ kind: "paragraph", text: [`Not seen: ${words.join("; ")}.`] }];
}
