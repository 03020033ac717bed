/** Fingerprints on the terminal: one trace in full, many as a table under what each agent adds up to. */
import type { AgentFamilies, FingerprintReport, TraceFingerprint } from "@spoor/core/fingerprint/fingerprint-report";
import { printable } from "../../document/printable.ts";
import { count, integer } from "../../document/words.ts";
import { columnsOf, cut, cutMiddle, hang, padEnd, padStart } from "../../write/terminal/layout.ts";
import type { TerminalStyle } from "../../write/terminal/terminal-style.ts";
import { agentSentence } from "./words.ts";

const MOST_ROWS = 20;
const MOST_FAMILIES = 5;
const LONGEST_STRING = 2000;

export function renderFingerprintTerminal(report: FingerprintReport, style: TerminalStyle): string {
  const lines = report.traces.length === 1 ? renderOne(report.traces[0]!, report, style) : renderMany(report, style);
  return `${lines.join("\n")}\n`;
}

function renderOne(trace: TraceFingerprint, report: FingerprintReport, style: TerminalStyle): string[] {
  const row = (label: string, text: string) => hang(`  ${padEnd(label, 10)}  `, printable(text), style.columns);
  const string =
    trace.string.length > LONGEST_STRING
      ? `${trace.string.slice(0, LONGEST_STRING)}${style.symbols.ellipsis}`
      : trace.string;
  const cutNote =
    trace.string.length > LONGEST_STRING ? `${integer(trace.string.length)} characters; whole in --format json` : "";
  return [
    `${style.paint.bold(trace.hash)}  ${cutMiddle(printable(trace.run), style.columns - trace.hash.length - 2, style.symbols.ellipsis)}`,
    row("path", trace.path),
    row("steps", trace.stepCount === 0 ? "none: the hash is that of an empty run" : integer(trace.stepCount)),
    row("mode", `${report.mode}, ${report.hashVersion}`),
    ...stringRows(string, style),
    ...(cutNote === "" ? [] : [row("", cutNote)]),
    row("set", `${trace.structuralHash}  (the same for any order and number of these steps)`),
    row("shape", `${trace.shape.hash}  (tools with the names of their arguments)`),
  ];
}

/** The string has no spaces; lines break after a bar, and nothing is added to it. */
function stringRows(string: string, style: TerminalStyle): string[] {
  const room = style.columns - 14;
  const rows: string[] = [""];
  for (const part of printable(string).split(/(?<=\|)/)) {
    const last = rows.length - 1;
    if (rows[last] !== "" && columnsOf(rows[last]! + part) > room) rows.push(part);
    else rows[last] += part;
  }
  return rows.map((row, index) => `  ${padEnd(index === 0 ? "string" : "", 10)}  ${row}`);
}

function renderMany(report: FingerprintReport, style: TerminalStyle): string[] {
  const lines = report.agents.map((agent) => hang("", printable(agentSentence(agent, plain)), style.columns));
  for (const agent of report.agents) lines.push(...familyLines(agent, report.agents.length > 1, style));
  lines.push("", ...traceRows(report, style));
  lines.push(`  Mode ${report.mode}, ${report.hashVersion}. The strings behind the hashes: --format json`);
  return lines;
}

const plain = (name: string) => name;

function familyLines(agent: AgentFamilies, named: boolean, style: TerminalStyle): string[] {
  if (agent.families.length === 0) return [];
  const lines = ["", style.paint.dim(`  ${named ? `${printable(agent.agent)}, ` : ""}families by runs`)];
  for (const family of agent.families.slice(0, MOST_FAMILIES)) {
    const runs = padEnd(family.runs === 1 ? "run" : "runs", 4);
    const behaviours = padEnd(family.intents === 1 ? "behaviour" : "behaviours", 10);
    const numbers = `${padStart(integer(family.runs), 5)} ${runs}  ${padStart(integer(family.intents), 5)} ${behaviours}  `;
    lines.push(
      `  ${numbers}${cut(printable(family.path), style.columns - 2 - columnsOf(numbers), style.symbols.ellipsis)}`,
    );
  }
  const rest = agent.families.length - MOST_FAMILIES;
  if (rest > 0) {
    const runs = agent.families.slice(MOST_FAMILIES).reduce((sum, family) => sum + family.runs, 0);
    lines.push(`  ${style.symbols.ellipsis} ${count(rest, "more family", "more families")} with ${count(runs, "run")}`);
  }
  return lines;
}

function traceRows(report: FingerprintReport, style: TerminalStyle): string[] {
  const shown = report.traces.slice(0, MOST_ROWS);
  const width = Math.min(28, Math.max(5, ...shown.map((trace) => columnsOf(printable(trace.run)))));
  const lines = [style.paint.dim(`  ${padEnd("trace", width)}  fingerprint       steps  path`)];
  for (const trace of shown) {
    const prefix = `  ${padEnd(cutMiddle(printable(trace.run), width, style.symbols.ellipsis), width)}  ${trace.hash}  ${padStart(integer(trace.stepCount), 5)}  `;
    lines.push(prefix + cut(printable(trace.path), style.columns - columnsOf(prefix), style.symbols.ellipsis));
  }
  const rest = report.traces.length - shown.length;
  if (rest > 0) lines.push(`  ${style.symbols.ellipsis} ${count(rest, "more trace")}`);
  return lines;
}
