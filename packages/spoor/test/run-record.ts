import type { RunRecord } from "@spoor/core/internal/evals/run-record";

/** One run of a case in a results file, as a test needs it. */
export function runRecord(id: string, run: number, passed: boolean, extra: Partial<RunRecord> = {}): RunRecord {
  const score = passed ? 1 : 1 / 3;
  const misses = passed ? [] : ["confirm_refund_amount never called"];
  return {
    schema: "spoor.eval-run/1",
    timestamp: "2026-11-14T09:32:00.000Z",
    eval_id: id,
    dataset: "support",
    eval_file: "support.eval.yaml",
    target: "support-agent",
    run,
    key: `${id}-${run}`,
    status: passed ? "passed" : "failed",
    passed,
    ended: "answered",
    score,
    threshold: 0.8,
    verdict: passed ? "pass" : "fail",
    hits: [],
    misses,
    candidate_answer: "",
    evaluator_results: [
      {
        name: "refund-path",
        type: "tool_trajectory",
        score,
        weight: 1,
        verdict: passed ? "pass" : "fail",
        hits: [],
        misses,
      },
    ],
    trace_summary: {
      event_count: 3,
      tool_names: [],
      tool_calls_by_name: {},
      error_count: 0,
      llm_call_count: 2,
      unknown_count: 0,
    },
    cost_usd: 0.00725,
    ...extra,
  };
}
