import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fingerprintTrace } from "@spoor/core";
import type { EvaluatorResult } from "@spoor/core/internal/evaluators/evaluation";
import { evaluatorList } from "@spoor/core/internal/evaluators/evaluator-list";
import { subjectOfTrace } from "@spoor/core/internal/evaluators/subject";
import { addRun, createBaseline } from "@spoor/core/internal/fingerprint/baseline";
import { renderBaselineFile } from "@spoor/core/internal/fingerprint/baseline-json";
import { runFacts } from "@spoor/core/internal/fingerprint/run-facts";
import { Problems } from "@spoor/core/internal/read/located";
import { parseYaml } from "@spoor/core/internal/read/parse-yaml";
import { describe, expect, it } from "vitest";
import { traceOf } from "../../../../core/test/build.ts";
import { temporaryFolder } from "../../../test/e2e/run-spoor.ts";
import { runEvaluators } from "../run-evaluators.ts";
import { evaluators } from "./evaluators.ts";

const unconfirmed = traceOf([{ calls: ["lookup_order"] }, { calls: ["issue_refund"] }, { text: "Done." }]);
const confirmed = traceOf([{ calls: ["confirm_refund_amount"] }, { calls: ["issue_refund"] }, { text: "Done." }]);
const policy = `
apiVersion: spoor.dev/v1
rules:
  - { id: confirm-first, kind: must_call_before, params: { first: confirm_refund_amount, then: issue_refund }, severity: SEVERITY }
  - { id: no-deletes, kind: no_call, params: { tool: delete_account } }
`;

async function run(
  entry: string,
  trace: typeof confirmed,
  files: Readonly<Record<string, string>> = {},
): Promise<EvaluatorResult> {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const document = parseYaml(entry, "e.yaml");
  const problems = new Problems(document);
  const configs = evaluatorList(evaluators).read(problems.root()) ?? [];
  expect(problems.errors).toEqual([]);
  return (await runEvaluators(configs, subjectOfTrace(trace), { folder, env: {} }))[0]!;
}

describe("policy", () => {
  it("scores the share of rules that hold, and fails on a broken error rule whatever the pass line", async () => {
    const files = { "p.yaml": policy.replace("SEVERITY", "error") };
    expect(await run("- {type: policy, file: p.yaml}", confirmed, files)).toMatchObject({
      score: 1,
      status: "passed",
      aspects: 2,
    });
    const broken = await run("- {type: policy, file: p.yaml, min_score: 0.5}", unconfirmed, files);
    expect(broken).toMatchObject({ score: 0.5, status: "failed" });
    expect(broken.checks[0]!.text).toContain("confirm-first, turn 2: issue_refund was called without");
  });

  it("lets a warning lower the score only", async () => {
    const files = { "p.yaml": policy.replace("SEVERITY", "warning") };
    expect(await run("- {type: policy, file: p.yaml, min_score: 0.5}", unconfirmed, files)).toMatchObject({
      score: 0.5,
      status: "passed",
    });
  });

  it("is an error, not a pass, when the file is missing or does not load", async () => {
    expect(await run("- {type: policy, file: missing.yaml, negate: true}", confirmed)).toMatchObject({
      score: 0,
      status: "failed",
      error: { code: "policy.unreadable" },
    });
    const bad = { "p.yaml": policy.replace("no_call", "no_cal") };
    expect((await run("- {type: policy, file: p.yaml}", confirmed, bad)).error).toBeDefined();
  });
});

describe("fingerprint", () => {
  const { hash } = fingerprintTrace(confirmed);

  it("knows the hashes of the entry", async () => {
    expect(await run(`- {type: fingerprint, hashes: ["${hash}"]}`, confirmed)).toMatchObject({
      score: 1,
      status: "passed",
    });
    expect(await run(`- {type: fingerprint, hash: "${hash}"}`, unconfirmed)).toMatchObject({
      score: 0,
      status: "failed",
    });
  });

  it("knows the behaviours of a baseline file; another path never passes, however similar", async () => {
    const baseline = createBaseline({
      agent: "support",
      mode: "sequence",
      now: "2026-01-01T00:00:00.000Z",
      producer: { tool: "spoor", version: "0.1.0", runner: "test" },
    });
    addRun(baseline, runFacts(confirmed));
    const files = { "b.json": renderBaselineFile(baseline) };
    expect(await run("- {type: fingerprint, baseline: b.json}", confirmed, files)).toMatchObject({
      score: 1,
      status: "passed",
    });
    const other = await run("- {type: fingerprint, baseline: b.json, min_score: 0.01}", unconfirmed, files);
    expect(other).toMatchObject({ status: "failed" });
    expect(other.checks[0]!.text).toContain("closest is confirm_refund_amount > issue_refund > reply");
  });

  it("needs either a baseline or hashes", () => {
    const document = parseYaml("- {type: fingerprint}", "e.yaml");
    const problems = new Problems(document);
    evaluatorList(evaluators).read(problems.root());
    expect(problems.errors[0]!.message).toContain("needs baseline or hashes");
  });

  it("is an error when the baseline cannot be read", async () => {
    expect(await run("- {type: fingerprint, baseline: none.json}", confirmed)).toMatchObject({
      score: 0,
      error: { code: "baseline.unreadable" },
    });
  });
});
