/** `npm run conformance -- PATH…`: every failing case with expected and actual; the last line counts. */
import { existsSync } from "node:fs";
import type { Json } from "@spoor/core";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import { runVectors } from "./run-vectors.ts";

const paths = process.argv.slice(2);
const missing = paths.filter((path) => !existsSync(path));
if (paths.length === 0 || missing.length > 0) {
  console.error(missing.length > 0 ? `Not there: ${missing.join(", ")}` : "Usage: npm run conformance -- PATH…");
  process.exit(2);
}

const results = await runVectors(paths);
const counted = { passed: 0, failed: 0, skipped: 0 };
for (const { file, name, adapter, outcome } of results) {
  counted[outcome.status]++;
  if (outcome.status !== "failed") continue;
  console.log(`${file}: ${name}${adapter === undefined ? "" : ` (${adapter})`}`);
  for (const { path, expected, actual } of outcome.mismatches.slice(0, 5)) {
    console.log(`    ${path || "value"}: expected ${brief(expected)}, got ${brief(actual)}`);
  }
}
for (const file of new Set(results.map((result) => result.file))) {
  const own = results.filter((result) => result.file === file);
  const of = (status: string) => own.filter((result) => result.outcome.status === status).length;
  console.log(`${file}: ${of("passed")} passed, ${of("failed")} failed, ${of("skipped")} skipped`);
}
console.log(`${counted.passed} passed, ${counted.failed} failed, ${counted.skipped} skipped`);
process.exit(counted.failed > 0 ? 1 : 0);

function brief(value: Json | undefined): string {
  if (value === undefined) return "nothing";
  const text = typeof value === "string" ? value : stringifyJson(value);
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}
