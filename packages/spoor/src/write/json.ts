/** A report as indented JSON, the same for every lens. Integers beyond 2^53 are printed as digits. */
import type { Json } from "@spoor/core";
import { stringifyJson } from "@spoor/core/internal/trace/json";

export function writeJson(report: unknown): string {
  return `${stringifyJson(report as Json, 2)}\n`;
}
