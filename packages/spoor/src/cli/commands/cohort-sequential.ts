/** `spoor cohort BASELINE CANDIDATE --sequential`: reads runs as they arrive and stops when the evidence suffices. */

import { resolve } from "node:path";
import type { Trace } from "@spoor/core";
import { compareCodePoints } from "@spoor/core/internal/canonical/canonical-json";
import { type CarriedSubject, digestOfRun, requireSameSubject } from "@spoor/core/internal/cohort/carried-evidence";
import type { CohortRun } from "@spoor/core/internal/cohort/run";
import {
  createSequentialCohort,
  type SequentialCohort,
  type SequentialReport,
} from "@spoor/core/internal/cohort/sequential-cohort";
import { SpoorError } from "@spoor/core/internal/errors";
import { coverageOf, sumCoverage } from "@spoor/core/internal/report/coverage";
import { count } from "../../document/words.ts";
import { arrivingTraces } from "../../load/arriving-runs.ts";
import { readCarriedEvidence, writeCarriedEvidence } from "../../load/carry-file.ts";
import { createRunReader, loadSide } from "../../load/load-cohort.ts";
import { findSide, type SeparatedSides, separateSides, withTakenOut } from "../../load/separate-sides.ts";
import { toolInfo } from "../../tool-info.ts";
import { type CohortArgs, cohortLoadOptions } from "../cohort-args.ts";
import { emitReport } from "../emit-report.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { usageError } from "../option.ts";
import { findProject } from "../project.ts";
import { cohortSequentialKind } from "../reports/cohort-kinds.ts";

export async function watchCohort(
  baselinePath: string,
  candidatePath: string,
  args: CohortArgs,
  io: Io,
): Promise<ExitCode> {
  if (baselinePath === "-") throw usageError("With --sequential only the candidate can come from standard input.");
  const load = cohortLoadOptions(args, io);
  const sides = sidesSoFar(baselinePath, candidatePath);
  const known: CohortRun[] = [];
  const baseline = await loadSide([baselinePath], "baseline", load, (run) => known.push(run), sides.files[0]);
  const carry = args.carry === undefined ? undefined : await openCarry(resolve(io.cwd, args.carry), known, args, io);
  const cohort = createSequentialCohort(args.alpha, carry?.earlier ?? (carry === undefined ? undefined : "begin"));
  for (const run of known) cohort.add(run);
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
  const isDecided = () => cohort.state().verdict === "changed";
  // What was certain before stays so.
  if (!isDecided())
    for await (const trace of arrivingTraces(candidatePath, { ...load, waitMs: 1000 * args.wait })) {
      // Nothing that arrives later can find a partner once every baseline run has one.
      if (take(trace) || cohort.state().waiting.baseline === 0) break;
    }
  if (io.stderrIsTerminal && !args.quiet) io.err("\r\u001b[K");

  const state = cohort.state();
  await carry?.write(cohort);
  const tripped = state.verdict === "changed" || args.require === "unchanged";
  const report: SequentialReport = {
    schema: "spoor.cohort-sequential/1",
    tool: toolInfo,
    inputs: [...baseline.inputs, { role: "candidate", path: candidatePath, traces }],
    alpha: args.alpha,
    ...state,
    ...(carry === undefined ? {} : { carried: { ...carry.facts, countedBefore: cohort.countedBefore } }),
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

/** The evidence so far, refused where it is about something else; written again only when this recording added to it. */
async function openCarry(file: string, baseline: readonly CohortRun[], args: CohortArgs, io: Io) {
  const agent = (await findProject(args, io))?.config.agent;
  const reading = (["scenario", "effects", "readOnly"] as const).flatMap((key) =>
    args[key] === undefined ? [] : [`--${key === "readOnly" ? "read-only" : key} ${args[key]}`],
  );
  const about: CarriedSubject = {
    ...(agent === undefined ? {} : { agent }),
    alpha: args.alpha,
    reading,
    scenarios: [...new Set(baseline.map(({ scenario }) => scenario))].sort(compareCodePoints),
    baseline: [...new Set(baseline.map(digestOfRun))].sort(compareCodePoints),
  };
  const earlier = readCarriedEvidence(file);
  if (earlier !== undefined) requireSameSubject(earlier.about, about, args.carry!);
  const recordings = earlier?.recordings ?? [];
  const pairs = earlier?.test.pairs ?? 0;
  return {
    earlier,
    facts: { file: args.carry!, recordings: recordings.length, pairs, wealth: recordings.at(-1)?.wealth ?? 1 },
    async write(cohort: SequentialCohort): Promise<void> {
      const { pairs: now, wealth } = cohort.state();
      if (now === pairs) return;
      const added = { pairs: now - pairs, wealth };
      const evidence = { about, ...cohort.save(), recordings: [...recordings, added] };
      await writeCarriedEvidence(file, { schema: "spoor.cohort-carry/1", ...evidence });
    },
  };
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
