/** What a build or update of baselines did, and what to know before trusting it. */
import type { BaselineBuildReport, BuiltAgent } from "@spoor/core/internal/fingerprint/baseline-report";
import { printable } from "../../document/printable.ts";
import { count } from "../../document/words.ts";
import { hang } from "../../write/terminal/layout.ts";
import type { TerminalStyle } from "../../write/terminal/terminal-style.ts";

const FEW_RUNS = 30;

export function renderBuildTerminal(report: BaselineBuildReport, style: TerminalStyle): string {
  const lines = report.agents.flatMap((agent) => agentLines(agent, report.action, style));
  if (report.agents.length > 0) lines.push("  Next: commit it, then spoor baseline compare TRACES");
  return `${lines.join("\n")}\n`;
}

function agentLines(agent: BuiltAgent, action: string, style: TerminalStyle): string[] {
  const { symbols, paint, columns } = style;
  const say = (text: string) => hang(`  ${paint.warn(symbols.warning)} `, printable(text), columns);
  const lines = [hang(`${paint.good(symbols.passed)} `, printable(builtSentence(agent, action)), columns)];
  const skipped = skippedWords(agent);
  if (skipped !== undefined) lines.push(say(skipped));
  for (const one of agent.leftOut.slice(0, 5)) lines.push(say(`${one.hash} is left out: ${one.why}.`));
  if (agent.leftOut.length > 5) lines.push(say(`${agent.leftOut.length - 5} more behaviours are left out.`));
  if (agent.seenOnce > 0) {
    const advice = agent.runs < FEW_RUNS ? ` Record about ${FEW_RUNS} runs before you let it block.` : "";
    lines.push(say(`${seenOnceWords(agent)} seen once. New paths will be common.${advice}`));
  }
  return lines;
}

function seenOnceWords({ seenOnce, intents }: BuiltAgent): string {
  if (intents === 1) return "Its only behaviour was";
  return `${seenOnce} of the ${count(intents, "behaviour")} ${seenOnce === 1 ? "was" : "were"}`;
}

/** `baselines/bot.json: 3 behaviours from 50 runs of bot, in 2 families.` */
export function builtSentence(agent: BuiltAgent, action: string): string {
  const families =
    agent.families < agent.intents ? `, in ${count(agent.families, "family", "families")} of alike ones` : "";
  const added = action === "update" ? ` (${count(agent.recorded, "run")} added)` : "";
  return `${agent.file}: ${count(agent.intents, "behaviour")} from ${count(agent.runs, "run")} of ${agent.agent}${families}${added}.`;
}

export function skippedWords(agent: BuiltAgent): string | undefined {
  const parts = [
    ...(agent.failedRuns > 0 ? [`${count(agent.failedRuns, "failed run")}`] : []),
    ...(agent.emptyRuns > 0 ? [`${count(agent.emptyRuns, "run")} without a step`] : []),
    ...(agent.alreadyRecorded > 0 ? [`${count(agent.alreadyRecorded, "run")} already in the window`] : []),
  ];
  return parts.length === 0 ? undefined : `Not recorded: ${parts.join(", ")}.`;
}
