/** A comparison as Markdown for a pull request: heading with the consequence, the runs, details folded away. */
import type { BaselineReport } from "@spoor/core/internal/fingerprint/baseline-report";
import { isKnown } from "@spoor/core/internal/fingerprint/classify";
import type { AgentComparison } from "@spoor/core/internal/fingerprint/comparison";
import { count } from "../../document/words.ts";
import { codeSpan } from "../text/markdown.ts";
import {
  agentLine,
  comparableWords,
  notEvaluatedWords,
  percentWords,
  reasonWords,
  signalLines,
  similarityWords,
  statusWord,
  verdictSentence,
} from "./words.ts";

const MOST_ROWS = 20;

export function renderBaselineMarkdown(report: BaselineReport): string {
  const mark = report.gate.tripped ? "✗" : report.verdict.code === "known" ? "✓" : "!";
  const blocks = [`### ${mark} ${verdictSentence(report.verdict, codeSpan)}`];
  for (const agent of report.agents) blocks.push(...renderAgent(agent));
  if (report.gate.reasons.length > 0) {
    blocks.push(
      `${report.gate.tripped ? "Blocked by" : "Not blocked, though there is"} ${reasonWords(report.gate.reasons, codeSpan)}.`,
    );
  }
  return `${blocks.join("\n\n")}\n`;
}

function renderAgent(comparison: AgentComparison): string[] {
  const blocks = [agentLine(comparison, codeSpan)];
  const rows = [...comparison.runs].sort((left, right) => Number(isKnown(left.status)) - Number(isKnown(right.status)));
  const shown = rows.slice(0, MOST_ROWS);
  blocks.push(
    [
      "| trace | status | closest known behaviour | similar | fingerprint |",
      "|---|---|---|---|---|",
      ...shown.map((run) => {
        const closest =
          run.closest === null
            ? "none"
            : `${codeSpan(run.closest.name ?? run.closest.path)} seen ${count(run.closest.runs, "time")}`;
        const similar = run.closest === null ? "no data" : percentWords(run.closest.similarity.composite);
        return `| ${codeSpan(run.run)} | ${statusWord(run)} | ${closest} | ${similar} | \`${run.hash}\` |`;
      }),
      ...(rows.length > MOST_ROWS ? [`| … ${rows.length - MOST_ROWS} more | | | | |`] : []),
    ].join("\n"),
  );
  const first = comparison.runs.find((run) => !isKnown(run.status) && run.closest !== null);
  if (first?.closest) {
    blocks.push(
      `<details><summary>First new path, against the closest known behaviour</summary>\n\nknown: ${codeSpan(first.closest.path)}<br>\nnow: ${codeSpan(first.path)}\n\n${similarityWords(first, comparison)}\n\n</details>`,
    );
  }
  const signals = signalLines(comparison, codeSpan);
  if (signals.length > 0) {
    const items = signals.map(
      (signal) => `- ${signal.severity}: ${signal.text}, in ${signal.runs} of ${count(comparison.runs.length, "run")}`,
    );
    blocks.push(
      `<details><summary>${count(signals.length, "drift signal")}</summary>\n\n${items.join("\n")}\n\n</details>`,
    );
  }
  if (comparison.baseline !== null) blocks.push(`Comparable ${comparableWords(comparison, codeSpan)}.`);
  const missing = notEvaluatedWords(comparison);
  if (missing.length > 0)
    blocks.push(
      `<details><summary>Not evaluated</summary>\n\n${missing.map((why) => `- ${why}`).join("\n")}\n\n</details>`,
    );
  return blocks;
}
