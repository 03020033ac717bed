/** What a baseline holds, and how it came to be. */
import type { BaselineShowReport, ShownAgent } from "@spoor/core/internal/fingerprint/baseline-report";
import { printable } from "../../document/printable.ts";
import { count, duration, integer, list, tokens } from "../../document/words.ts";
import { columnsOf, cut, hang, padEnd, padStart } from "../../write/terminal/layout.ts";
import type { TerminalStyle } from "../../write/terminal/terminal-style.ts";

const MOST_INTENTS = 25;

export function renderShowTerminal(report: BaselineShowReport, style: TerminalStyle): string {
  const blocks = report.agents.map((agent) =>
    report.action === "show" ? showAgent(agent, style) : showHistory(agent, style),
  );
  return `${blocks.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function showAgent(agent: ShownAgent, style: TerminalStyle): string[] {
  const families =
    agent.families.length < agent.intents.length ? ` in ${count(agent.families.length, "family", "families")}` : "";
  const lines = [
    `${style.paint.bold(printable(agent.agent))}  ${printable(agent.file)}`,
    ...hang(
      "  ",
      `${count(agent.runs, "recorded run")}, ${count(agent.intents.length, "behaviour")}${families}, fingerprint ${agent.hashVersion} ${agent.mode}, generation ${agent.generation}, ${agent.updatedAt}`,
      style.columns,
    ).split("\n"),
    hang("  models  ", printable(list(agent.models) || "not recorded"), style.columns),
    hang("  tools   ", printable(list(agent.tools) || "none used"), style.columns),
    "",
    style.paint.dim(`  ${padEnd("fingerprint", 16)}   runs      tokens      step  behaviour`),
  ];
  for (const intent of agent.intents.slice(0, MOST_INTENTS)) {
    const used = intent.avgTokens === null ? "no data" : tokens(intent.avgTokens);
    const time = intent.avgLatencyMs === null ? "no data" : duration(intent.avgLatencyMs);
    const prefix = `  ${intent.hash}  ${padStart(integer(intent.runs), 5)}  ${padStart(used, 10)}  ${padStart(time, 8)}  `;
    const variants = intent.accepted > 0 ? ` (+${count(intent.accepted, "accepted variant")})` : "";
    const name = intent.name === null ? intent.path : `${intent.name}: ${intent.path}`;
    lines.push(
      prefix + cut(printable(name + variants), Math.max(10, style.columns - columnsOf(prefix)), style.symbols.ellipsis),
    );
  }
  const rest = agent.intents.length - MOST_INTENTS;
  if (rest > 0) lines.push(`  ${style.symbols.ellipsis} ${count(rest, "more behaviour")}: --format json`);
  if (agent.rejected.length > 0) lines.push(hang("  rejected  ", agent.rejected.join(", "), style.columns));
  return lines;
}

function showHistory(agent: ShownAgent, style: TerminalStyle): string[] {
  const lines = [`${style.paint.bold(printable(agent.agent))}  generation ${agent.generation}`];
  for (const entry of [...agent.history].reverse()) {
    const prefix = `  ${padStart(String(entry.generation), 4)}  ${entry.at.slice(0, 16).replace("T", " ")}  ${padEnd(entry.action, 8)}  `;
    lines.push(hang(prefix, printable(`${entry.change}. ${entry.by}: ${entry.why}`), style.columns));
  }
  if (agent.history.length === 0) lines.push("  no history");
  lines.push(
    agent.archived.length === 0
      ? "  No earlier generation is kept."
      : hang(
          "  ",
          `Kept: ${list(agent.archived.map(String))}. Back to the last of them: spoor baseline rollback ${agent.agent}`,
          style.columns,
        ),
  );
  return lines;
}
