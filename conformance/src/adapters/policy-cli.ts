/** `spoor diff` with a policy file and a fail-on level, run as the command line runs it: exit codes and violations. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Json, type JsonObject, parseJson, type TraceRecord } from "@spoor/core";
import { checkPolicy } from "@spoor/core/internal/policy/check-policy";
import { buildTrace } from "@spoor/core/internal/trace/build-trace";
import { isObject, member, stringifyJson, stringMember } from "@spoor/core/internal/trace/json";
import { runInMemory } from "spoor/internal/cli/run-in-memory";
import { loadPolicy } from "spoor/internal/load/load-policy";
import type { Adapter } from "../adapter.ts";
import { compare } from "../compare.ts";
import { asVector } from "./policy.ts";
import { inOurSeverities } from "./severity-words.ts";

/** `files`, `args`, `baseline`, `candidate` → exit code and, where there is a report, its violations. */
export const policyCliAdapter: Adapter = {
  name: "policy command line",
  matches: (testCase) =>
    isObject(member(testCase, "files")) &&
    Array.isArray(member(testCase, "args")) &&
    typeof member(member(testCase, "expected"), "exit") === "number",
  async run(testCase) {
    const folder = mkdtempSync(join(tmpdir(), "spoor-policy-"));
    try {
      return compare(inOurSeverities(expectedOf(testCase)), await actualOf(testCase, folder));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** Where the reference could not run it exits 1 without a report; we exit 2. */
function expectedOf(testCase: JsonObject): JsonObject {
  const expected = member(testCase, "expected") as JsonObject;
  if (member(expected, "json_written") === false) return { exit: 2 };
  const exit = member(expected, "exit")!;
  const diff = member(expected, "policy_diff");
  if (exit === 2 || !isObject(diff) || Object.keys(diff).length === 0) return { exit };
  const parts = ["baseline_violations", "candidate_violations", "regressions", "fixes"].map((part) => [
    part,
    named(member(diff, part)),
  ]);
  return { exit, ...Object.fromEntries(parts) };
}

function named(violations: Json | undefined): Json {
  return ((violations ?? []) as readonly Json[]).map((one) => {
    const { detail: _detail, ...rest } = one as JsonObject;
    return rest;
  });
}

async function actualOf(testCase: JsonObject, folder: string): Promise<JsonObject> {
  for (const [name, text] of Object.entries(member(testCase, "files") as JsonObject))
    writeFileSync(join(folder, name), String(text));
  for (const side of ["baseline", "candidate"]) {
    const records = member(testCase, side) as readonly Json[];
    writeFileSync(join(folder, `${side}.agentlog`), records.map((record) => `${stringifyJson(record)}\n`).join(""));
  }
  const args = member(testCase, "args") as readonly string[];
  const fixed = ["--seed", "1", "--pairing", "index", "--gate-on", "axes,policy", "--format", "json"];
  const { code: exit, out } = await runInMemory(
    ["diff", join(folder, "baseline.agentlog"), join(folder, "candidate.agentlog"), ...fixed, ...args],
    { cwd: folder },
  );
  if (exit === 2 || !args.includes("--policy")) return { exit };
  const policy = loadPolicy(args[args.indexOf("--policy") + 1]!, { cwd: folder });
  const violations = (side: string) =>
    checkPolicy(buildTrace(member(testCase, side) as unknown as readonly TraceRecord[]), policy).violations.map(
      asVector,
    );
  const diff = member(parseJson(out), "policy");
  return {
    exit,
    baseline_violations: violations("baseline"),
    candidate_violations: violations("candidate"),
    regressions: findings(member(diff, "regressions")),
    fixes: findings(member(diff, "fixes")),
  };
}

function findings(list: Json | undefined): Json {
  return ((list ?? []) as readonly Json[]).map((finding) => ({
    rule_id: stringMember(finding, "ruleId") ?? null,
    kind: stringMember(finding, "ruleKind") ?? null,
    severity: stringMember(finding, "severity") ?? null,
    pair_index: member(finding, "turnIndex") ?? null,
  }));
}
