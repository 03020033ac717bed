/** GitHub workflow commands: one annotation per failed or warned check, at its policy line. Data is escaped as GitHub asks. */
import type { GateCheck, GateReport } from "@spoor/core/gate/gate-report";
import { printable } from "../../document/printable.ts";
import { placeText } from "./junit.ts";

/** GitHub shows ten annotations of a kind and drops the rest; the last one then counts what was left out. */
const MOST = 10;

export function renderGithub(report: GateReport): string {
  const bad = report.checks.filter((check) => check.status === "failed" || check.status === "not_evaluated");
  const warned = report.checks.filter((check) => check.status === "warned");
  return [...annotations("error", bad), ...annotations("warning", warned)].join("");
}

function annotations(command: "error" | "warning", checks: readonly GateCheck[]): string[] {
  const shown = checks.length > MOST ? checks.slice(0, MOST - 1) : checks;
  const lines = shown.map((check) => annotation(command, check));
  if (shown.length < checks.length) lines.push(`::${command}::${checks.length - shown.length} more in the report\n`);
  return lines;
}

function annotation(command: string, check: GateCheck): string {
  const properties = [`title=${escapeProperty(`spoor ${check.lens}: ${check.name}`)}`];
  if (check.rule !== undefined) {
    properties.unshift(`file=${escapeProperty(check.rule.file)}`);
    if (check.rule.line !== undefined) properties.push(`line=${check.rule.line}`);
    if (check.rule.column !== undefined) properties.push(`col=${check.rule.column}`);
  }
  const places = check.places.slice(0, 5).map(placeText);
  const message = [check.message, ...places].map(printable).join("\n");
  return `::${command} ${properties.join(",")}::${escapeData(message)}\n`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(printable(text)).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
