/** The error of a run whose target could not be asked any more: what is done, what is not, and how to go on. */
import { SpoorError } from "@spoor/core/internal/errors";
import type { StoppedTarget } from "@spoor/core/internal/evals/eval-report";
import { duration, integer } from "../document/words.ts";

export function unreachableError(stopped: StoppedTarget, done: number, planned: number, resume: string): SpoorError {
  const left = planned - done;
  const consequence = `${integer(done)} of ${integer(planned)} runs are done and kept; ${integer(left)} ${left === 1 ? "has" : "have"} not run, so there is no verdict.`;
  if (stopped.kind === "missing") {
    return new SpoorError("provider.missing", `Target ${stopped.target} cannot be asked: ${stopped.message}.`, {
      consequence,
      hint: `When the target is put right: ${resume}`,
    });
  }
  const tries = stopped.attempts > 1 ? ` (${stopped.attempts} attempts in ${duration(stopped.elapsedMs)})` : "";
  return new SpoorError(
    "provider.unreachable",
    `Target ${stopped.target} cannot be reached: ${stopped.message}${tries}.`,
    {
      consequence,
      hint: `When the agent is up again: ${resume}`,
    },
  );
}
