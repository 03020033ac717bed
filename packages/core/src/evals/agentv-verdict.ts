/**
 * The only place that knows AgentV's words. Its result files, and ours, which tools for them read, say `pass`, `borderline`,
 * `fail` or `skip` where our reports have a status with its reason.
 */
import type { ScoreReason, Status } from "../judgement/status.ts";

export type AgentvVerdict = "pass" | "borderline" | "fail" | "skip";

export function agentvVerdict({
  status,
  reason,
}: {
  readonly status: Status;
  readonly reason?: ScoreReason;
}): AgentvVerdict {
  if (status === "passed") return "pass";
  if (status === "not_evaluated") return "skip";
  return reason === "borderline" ? "borderline" : "fail";
}

/** A word that we do not know is no pass. */
export function statusOfVerdict(verdict: string): Status {
  if (verdict === "pass") return "passed";
  return verdict === "skip" ? "not_evaluated" : "failed";
}
