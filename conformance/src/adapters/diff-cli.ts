/** `spoor diff` as a shell sees it: exit code and what the JSON says about the sample. Run in memory over files in a temporary folder. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Json, type JsonObject, parseJson, type TraceRecord } from "@spoor/core";
import { member, numberMember, stringifyJson, stringMember } from "@spoor/core/internal/trace/json";
import { runInMemory } from "spoor/internal/cli/run-in-memory";
import type { Adapter } from "../adapter.ts";
import { compare } from "../compare.ts";
import { records } from "./diff.ts";

export const diffCliAdapter: Adapter = {
  name: "diff-cli",
  matches: (testCase) =>
    typeof member(testCase, "fail_on") === "string" &&
    typeof member(member(testCase, "expected"), "exit_code") === "number",
  async run(testCase) {
    const folder = mkdtempSync(join(tmpdir(), "spoor-diff-"));
    try {
      return compare(expectedOf(testCase), await runDiff(testCase, folder), { partial: true });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** Ours validates options before it works, so a refused option leaves no report to look at. */
function expectedOf(testCase: JsonObject): JsonObject {
  const expected = member(testCase, "expected")!;
  const exitCode = numberMember(expected, "exit_code")!;
  if (exitCode === 2) return { exit_code: 2 };
  return {
    exit_code: exitCode,
    statistical_power: member(expected, "statistical_power") ?? null,
    low_statistical_power: member(expected, "low_statistical_power") ?? null,
    recommended_sample_size: member(expected, "recommended_sample_size") ?? null,
  };
}

async function runDiff(testCase: JsonObject, folder: string): Promise<Json> {
  const baseline = write(folder, "baseline.agentlog", records(testCase, "baseline"));
  const candidate = write(folder, "candidate.agentlog", records(testCase, "candidate"));
  // The reference says "never" where we say "none".
  const failOn = stringMember(testCase, "fail_on")!.replace(/^never$/, "none");
  const words = [
    "diff",
    baseline,
    candidate,
    "--fail-on",
    failOn,
    "--pairing",
    "index",
    "--gate-on",
    "axes,policy",
    "--format",
    "json",
  ];
  const { code: exitCode, out: printed } = await runInMemory(words, { cwd: folder });
  if (printed === "") return { exit_code: exitCode };
  const power = member(parseJson(printed), "power");
  const tier = stringMember(power, "tier") ?? null;
  return {
    exit_code: exitCode,
    statistical_power: tier,
    low_statistical_power: tier === "low" || tier === "moderate",
    recommended_sample_size: member(power, "recommendedSampleSize") ?? null,
  };
}

function write(folder: string, name: string, lines: readonly TraceRecord[]): string {
  const path = join(folder, name);
  writeFileSync(path, lines.map((record) => `${stringifyJson(record as unknown as Json)}\n`).join(""));
  return path;
}
