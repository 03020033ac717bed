/** GitHub workflow commands: one annotation per failed or warned check, at its policy line. Data is escaped as GitHub asks. */

import { printable } from "@spoor/core/internal/text/printable";
import type { Check } from "../../document/check.ts";
import { plainText } from "../../document/text.ts";
import { placeText } from "./place-text.ts";

/** GitHub shows ten annotations of a kind and drops the rest; the last one then counts what was left out. */
const MOST = 10;
const PLACES = 5;

export function writeGithub(checks: readonly Check[]): string {
  const bad = checks.filter((check) => check.mark === "failed" || check.mark === "unknown");
  const warned = checks.filter((check) => check.mark === "warning");
  return [...annotations("error", bad), ...annotations("warning", warned)].join("");
}

function annotations(command: "error" | "warning", checks: readonly Check[]): string[] {
  const shown = checks.length > MOST ? checks.slice(0, MOST - 1) : checks;
  const lines = shown.map((check) => annotation(command, check));
  if (shown.length < checks.length) lines.push(`::${command}::${checks.length - shown.length} more in the report\n`);
  return lines;
}

function annotation(command: string, { suite, name, message, places, at }: Check): string {
  const properties = [`title=${escapeProperty(`spoor ${suite}: ${name}`)}`];
  if (at !== undefined) {
    properties.unshift(`file=${escapeProperty(at.file)}`);
    if (at.line !== undefined) properties.push(`line=${at.line}`);
    if (at.column !== undefined) properties.push(`col=${at.column}`);
  }
  const lines = [plainText(message), ...places.slice(0, PLACES).map(placeText)].map(printable);
  return `::${command} ${properties.join(",")}::${escapeData(lines.join("\n"))}\n`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(printable(text)).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
