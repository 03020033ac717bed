import type { BaselineShowReport } from "@spoor/core/internal/fingerprint/baseline-report";
import { codeSpan } from "../text/markdown.ts";

/** What a baseline holds, or how it came to be, as one table per agent. */
export function renderShowMarkdown(report: BaselineShowReport): string {
  const blocks = report.agents.map((agent) => {
    const rows =
      report.action === "show"
        ? agent.intents.map(
            (intent) => `| \`${intent.hash}\` | ${intent.runs} | ${codeSpan(intent.name ?? intent.path)} |`,
          )
        : agent.history.map(
            (entry) =>
              `| ${entry.generation} | ${entry.action} | ${codeSpan(`${entry.change}. ${entry.by}: ${entry.why}`)} |`,
          );
    const head = report.action === "show" ? "| fingerprint | runs | behaviour |" : "| generation | action | change |";
    return [`### ${codeSpan(agent.agent)}`, "", head, "|---|---|---|", ...rows].join("\n");
  });
  return `${blocks.join("\n\n")}\n`;
}
