import type { BaselineBuildReport } from "@spoor/core/internal/fingerprint/baseline-report";
import { builtSentence, skippedWords } from "./build-terminal.ts";

/** What was learnt, one line per agent. */
export function renderBuildMarkdown({ agents, action }: BaselineBuildReport): string {
  const lines = agents.map((agent) =>
    [`- ${builtSentence(agent, action)}`, skippedWords(agent)].filter((part) => part !== undefined).join(" "),
  );
  return `${lines.join("\n")}\n`;
}
