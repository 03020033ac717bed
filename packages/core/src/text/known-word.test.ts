/** Every public function that takes a word refuses one that it does not know. */
import { expect, it } from "vitest";
import { traceOf } from "../../test/build.ts";
import { buildRun } from "../cohort/build-run.ts";
import type { CohortResult } from "../cohort/cohort-report.ts";
import { compareCohorts } from "../cohort/compare-cohorts.ts";
import { gateCohort } from "../cohort/gate-cohort.ts";
import { diffTraces } from "../diff/diff-traces.ts";
import { gateDiff } from "../diff/gate-diff.ts";
import { createBaseline } from "../fingerprint/baseline.ts";
import { fingerprintTrace } from "../fingerprint/fingerprint-trace.ts";
import { runFacts } from "../fingerprint/run-facts.ts";
import { gatePolicy } from "../policy/diff-policy.ts";
import { scoreTrajectory } from "../trajectory/score-trajectory.ts";
import type { TrajectorySpec } from "../trajectory/trajectory.ts";

const trace = traceOf([{ text: "hi", calls: ["a"] }]);
const result = diffTraces(trace, trace, {});
/** What a caller without types can hand over. */
const word = (text: string) => text as never;
const score = (spec: Partial<TrajectorySpec>) =>
  scoreTrajectory({ mode: "in_order", expected: [], ...spec }, { toolCalls: trace.toolCalls, hasTrace: true });

it.each<{ name: string; call: () => unknown; code: string; says: string }>([
  {
    name: "fingerprintTrace",
    call: () => fingerprintTrace(trace, { mode: word("bogus") }),
    code: "fingerprint.unknown-mode",
    says: '"bogus"',
  },
  {
    name: "runFacts",
    call: () => runFacts(trace, { mode: word("structual") }),
    code: "fingerprint.unknown-mode",
    says: '"structual"',
  },
  {
    name: "createBaseline",
    call: () =>
      createBaseline({ agent: "a", mode: word(""), producer: { tool: "x", version: "1", runner: "node" }, now: "" }),
    code: "fingerprint.unknown-mode",
    says: '""',
  },
  {
    name: "scoreTrajectory mode",
    call: () => score({ mode: word("inorder") }),
    code: "usage.unknown-word",
    says: "in_order",
  },
  {
    name: "scoreTrajectory match",
    call: () => score({ match: word("best") }),
    code: "usage.unknown-word",
    says: "optimal",
  },
  {
    name: "scoreTrajectory extra",
    call: () => score({ extra: word("allowed") }),
    code: "usage.unknown-word",
    says: "allow",
  },
  {
    name: "scoreTrajectory argsMatch",
    call: () => score({ argsMatch: word("partial") }),
    code: "usage.unknown-word",
    says: "superset",
  },
  {
    name: "a step's status",
    call: () => score({ expected: [{ tool: "a", status: word("done") }] }),
    code: "usage.unknown-word",
    says: "expected[0].status",
  },
  {
    name: "diffTraces pairing",
    call: () => diffTraces(trace, trace, { pairing: word("indx") }),
    code: "usage.unknown-word",
    says: "index",
  },
  {
    name: "diffTraces level",
    call: () => diffTraces(trace, trace, { level: word("deep") }),
    code: "usage.unknown-word",
    says: "trace",
  },
  { name: "gateDiff", call: () => gateDiff(result, word("sever")), code: "usage.unknown-word", says: "severe" },
  {
    name: "gateDiff sources",
    call: () => gateDiff(result, "severe", [word("axis")]),
    code: "usage.unknown-word",
    says: "axes",
  },
  { name: "gatePolicy", call: () => gatePolicy([], word("error")), code: "usage.unknown-word", says: "severe" },
  {
    name: "gateCohort",
    call: () => gateCohort({} as CohortResult, word("same")),
    code: "usage.unknown-word",
    says: "unchanged",
  },
  {
    name: "a run's side",
    call: () => compareCohorts([{ ...buildRun(trace, "baseline"), side: word("cand") }]),
    code: "usage.unknown-word",
    says: "candidate",
  },
])("$name", ({ call, code, says }) => {
  expect(call).toThrow(expect.objectContaining({ code, message: expect.stringContaining(says) }));
});
