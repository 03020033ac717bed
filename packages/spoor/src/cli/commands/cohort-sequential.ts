/** `spoor cohort BASELINE CANDIDATE --sequential`: reads runs as they arrive and stops when the evidence suffices. */

import type { Trace } from "@spoor/core";
import { createSequentialCohort, type SequentialReport } from "@spoor/core/internal/cohort/sequential-cohort";
import { SpoorError } from "@spoor/core/internal/errors";
import { coverageOf, sumCoverage } from "@spoor/core/internal/report/coverage";
import { count } from "../../document/words.ts";
import { arrivingTraces } from "../../load/arriving-runs.ts";
import { createRunReader, loadSide } from "../../load/load-cohort.ts";
import { findSide, type SeparatedSides, separateSides, withTakenOut } from "../../load/separate-sides.ts";
import { toolInfo } from "../../tool-info.ts";
import { type CohortArgs, cohortLoadOptions } from "../cohort-args.ts";
import { emitReport } from "../emit-report.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { usageError } from "../option.ts";
import { cohortSequentialKind } from "../reports/cohort-kinds.ts";

export async function watchCohort(
  baselinePath: string,
  candidatePath: string,
  args: CohortArgs,
  io: Io,
): Promise<ExitCode> {
  if (baselinePath === "-") throw usageError("With --sequential only the candidate can come from standard input.");
  const load = cohortLoadOptions(args, io);
  const cohort = createSequentialCohort(args.alpha);
  const sides = sidesSoFar(baselinePath, candidatePath);
  const baseline = await loadSide([baselinePath], "baseline", load, (run) => cohort.add(run), sides.files[0]);
  const reader = createRunReader("candidate", load);
  let coverage = withTakenOut(baseline.coverage, sides.takenOut);
  let traces = 0;
  const take = (trace: Trace): boolean => {
    traces++;
    coverage = sumCoverage([coverage, coverageOf([trace])]);
    if (!cohort.add(reader(trace))) return false;
    if (io.stderrIsTerminal && !args.quiet)
      io.err(`\r${count(cohort.state().pairs, "pair")}, wealth ${cohort.state().wealth.toFixed(2)}\u001b[K`);
    return cohort.state().verdict === "changed";
  };
  for await (const trace of arrivingTraces(candidatePath, { ...load, waitMs: 1000 * args.wait })) {
    // Nothing that arrives later can find a partner once every baseline run has one.
    if (take(trace) || cohort.state().waiting.baseline === 0) break;
  }
  if (io.stderrIsTerminal && !args.quiet) io.err("\r\u001b[K");

  const state = cohort.state();
  const tripped = state.verdict === "changed" || args.require === "unchanged";
  const report: SequentialReport = {
    schema: "spoor.cohort-sequential/1",
    tool: toolInfo,
    inputs: [...baseline.inputs, { role: "candidate", path: candidatePath, traces }],
    alpha: args.alpha,
    ...state,
    coverage,
    gate: {
      failOn: args.require === "unchanged" ? "changed or not_enough_evidence" : "changed",
      tripped,
      reasons: tripped ? [{ code: `cohort.${state.verdict}`, subject: "sequential" }] : [],
    },
  };
  const exitCode = cohortSequentialKind.exitCode(report);
  await emitReport(report, cohortSequentialKind.renderers(report, { exitCode, verbose: args.verbose }), args, io);
  return exitCode;
}

/** The candidate may be a folder that is still empty, or standard input: then there is nothing to keep apart yet. */
function sidesSoFar(baselinePath: string, candidatePath: string): SeparatedSides {
  const baseline = findSide([baselinePath]);
  try {
    return separateSides([baseline, findSide([candidatePath])]);
  } catch (error) {
    if (error instanceof SpoorError && error.code !== "input.both-sides") return separateSides([baseline]);
    throw error;
  }
}
