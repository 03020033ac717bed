/** Fingerprints as Markdown tables. */
import type { FingerprintReport } from "@spoor/core/fingerprint/fingerprint-report";
import { codeSpan } from "../text/markdown.ts";
import { agentSentence } from "./words.ts";

export function renderFingerprintMarkdown(report: FingerprintReport): string {
  const agents = report.agents.map((agent) => `- ${agentSentence(agent, codeSpan)}`);
  const rows = report.traces.map(
    (trace) =>
      `| ${codeSpan(trace.run)} | \`${trace.hash}\` | \`${trace.shape.hash}\` | ${trace.stepCount} | ${codeSpan(trace.path)} |`,
  );
  return [
    `### Fingerprints (${report.mode}, ${report.hashVersion})`,
    agents.join("\n"),
    ["| trace | fingerprint | shape | steps | path |", "|---|---|---|---|---|", ...rows].join("\n"),
    "",
  ]
    .join("\n\n")
    .trimEnd()
    .concat("\n");
}
