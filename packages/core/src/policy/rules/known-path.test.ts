import { describe, expect, it } from "vitest";
import { traceOf } from "../../../test/build.ts";
import { problemsOf, rule } from "../../../test/policy.ts";
import { addRun, createBaseline } from "../../fingerprint/baseline.ts";
import { compareRuns } from "../../fingerprint/compare-baseline.ts";
import { runFacts } from "../../fingerprint/run-facts.ts";
import { createDriftCheck } from "../check-drift.ts";
import { parsePolicy } from "../parse-policy.ts";

const facts = (calls: string[]) => runFacts(traceOf([{ model: "m", calls }], { agent: "bot" } as never));

/** A run with these calls, against a baseline in which every run looks up and replies. */
function compared(params: string, calls: string[], runs = 6) {
  const baseline = createBaseline({
    agent: "bot",
    mode: "sequence",
    producer: { tool: "t", version: "0", runner: "r" },
    now: "",
  });
  for (let index = 0; index < runs; index++) addRun(baseline, { ...facts(["lookup", "reply"]), run: `r${index}` });
  const policy = parsePolicy(`rules:\n  - { id: r, kind: known_path, params: ${params} }\n`, { file: "policy.yaml" });
  return compareRuns(baseline, [facts(calls)], { rules: createDriftCheck(policy) }).policy!;
}

describe("known_path", () => {
  it.each([
    { params: "{}", calls: ["lookup", "reply"], broken: 0 },
    { params: "{}", calls: ["lookup", "refund"], broken: 1 },
    { params: "{ min_similarity: 0 }", calls: ["lookup", "refund"], broken: 0 },
    { params: "{ min_similarity: 1 }", calls: ["lookup", "refund"], broken: 1 },
  ])("$params after $calls: $broken", ({ params, calls, broken }) => {
    expect(compared(params, calls).violations.map(({ code }) => code)).toEqual(Array(broken).fill("unknown_path"));
  });

  it("says which similarity is required", () => {
    const [violation] = compared("{ min_similarity: 1 }", ["lookup", "refund"]).violations;
    expect(violation!.message).toMatch(/^the path is no exact match \(similarity 0\.\d\d, at least 1 is required\)$/);
  });

  it("cannot be judged before anything is known", () => {
    const { violations, notEvaluated } = compared("{}", ["lookup"], 0);
    expect(violations).toEqual([]);
    expect(notEvaluated).toMatchObject([{ ruleId: "r", why: "there is no known behaviour to compare with" }]);
  });

  it("does not load with a similarity above 1", () => {
    expect(problemsOf([rule("known_path", { min_similarity: 2 })])).toEqual([
      "[0].params.min_similarity: min_similarity must be a number from 0 to 1, found 2.",
    ]);
  });
});
