/**
 * Did a release change, or is it noise: the runs of two releases as `spoor cohort` compares them, and the sequential test over the same runs in the
 * order in which they arrived. Both are computed anew from what was kept of each run, so that there is no state that a crash could tear.
 */
import { digestText } from "@spoor/core/internal/canonical/digest";
import type { CohortReport } from "@spoor/core/internal/cohort/cohort-report";
import { createCohort } from "@spoor/core/internal/cohort/compare-cohorts";
import { isCohortOf } from "@spoor/core/internal/cohort/compare-trace-cohorts";
import { gateCohort } from "@spoor/core/internal/cohort/gate-cohort";
import { judgeDefaults } from "@spoor/core/internal/cohort/judge-cohort";
import { KEPT_RUN_VERSION } from "@spoor/core/internal/cohort/kept-run";
import { recordedWorldOf } from "@spoor/core/internal/cohort/recorded-world";
import type { Side } from "@spoor/core/internal/cohort/run";
import { createSequentialCohort, type SequentialState } from "@spoor/core/internal/cohort/sequential-cohort";
import { sumCoverage } from "@spoor/core/internal/report/coverage";
import type { Coverage, ReportInput } from "@spoor/core/internal/report/report";
import { requireOneContent } from "@spoor/core/internal/trace/comparable-content";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import { requireOneWorld } from "@spoor/core/internal/trace/one-world";
import { cohortSettings } from "spoor/internal/gate/cohort-lens";
import { toolInfo } from "spoor/internal/tool-info";
import type { Release, Store } from "../store/store.ts";
import { type KeptArrival, keptArrivals, textsOf } from "./kept-runs.ts";
import { createProjectRules } from "./project-rules.ts";
import { contentIds } from "./stored-traces.ts";

/** Runs of one release that are compared, the first that arrived: beyond, more of them add cost and hardly any certainty. */
export const MOST_COHORT_RUNS = 1_000;

export interface CohortSides {
  readonly baseline: readonly KeptArrival[];
  readonly candidate: readonly KeptArrival[];
}

export async function cohortSides(
  store: Store,
  projectId: number,
  { baseline, candidate }: Readonly<Record<Side, Pick<Release, "id">>>,
): Promise<CohortSides> {
  const side = async ({ id }: Pick<Release, "id">) =>
    keptArrivals(store, projectId, await store.cohorts.runs(projectId, id, MOST_COHORT_RUNS));
  return { baseline: await side(baseline), candidate: await side(candidate) };
}

/** Whether the fixed test is worth asking: the gate's own rule, unless the project's configuration says otherwise. */
export async function isAsked(store: Store, projectId: number, { baseline, candidate }: CohortSides): Promise<boolean> {
  const { use } = cohortSettings(await createProjectRules(store).config(projectId));
  if (use !== "auto") return use === "always";
  const named = (runs: readonly KeptArrival[], side: Side) => runs.map(({ run }) => ({ ...run, side }));
  return isCohortOf([...named(baseline, "baseline"), ...named(candidate, "candidate")]);
}

export interface CohortQuestion {
  readonly agent: string;
  readonly release: string;
  readonly against: string;
  readonly now: Date;
}

/** The fixed test, as a report of its own; the same runs are compared once. */
export async function compareReleases(
  store: Store,
  projectId: number,
  sides: CohortSides,
  question: CohortQuestion,
): Promise<{ readonly reportId: number; readonly report: CohortReport }> {
  const config = await createProjectRules(store).config(projectId);
  const settings = cohortSettings(config);
  const options = {
    ...(config.seed === undefined ? {} : { seed: config.seed }),
    ...(settings.relabellings === undefined ? {} : { draws: settings.relabellings }),
  };
  const { agent, release, against, now } = question;
  const ids = [sides.baseline, sides.candidate].map((runs) => contentIds(runs.map(({ arrival }) => arrival)));
  const digested = [agent, release, against, options, settings.notEnoughEvidence, ids, KEPT_RUN_VERSION];
  const inputsHash = digestText(JSON.stringify([...digested, toolInfo.version]));
  const known = await store.reports.find(projectId, "spoor.cohort/1", inputsHash);
  if (known !== undefined) return { reportId: known.id, report: JSON.parse(known.body) as CohortReport };
  const all = [...sides.baseline, ...sides.candidate];
  requireOneContent(new Set(all.map(({ content }) => content)));
  requireOneWorld(new Set(all.map(({ world }) => world)));
  let result = compared(sides, options);
  // Words only illustrate: the recordings are read again when there is something to illustrate.
  if (result.aspects.some(({ aspect, changed }) => aspect === "text" && changed))
    result = compared(sides, options, await allTexts(store, projectId, all));
  const coverage = { baseline: coverageOfSide(sides.baseline), candidate: coverageOfSide(sides.candidate) };
  const report: CohortReport = {
    schema: "spoor.cohort/1",
    tool: toolInfo,
    inputs: [inputOf("baseline", `${agent}@${against}`, sides), inputOf("candidate", `${agent}@${release}`, sides)],
    ...result,
    ...recordedWorldOf(coverage.baseline, coverage.candidate),
    coverage: sumCoverage([coverage.baseline, coverage.candidate]),
    gate: gateCohort(result, settings.notEnoughEvidence === "block" ? "unchanged" : undefined),
  };
  const body = stringifyJson(report as never);
  const saved = { schema: report.schema, inputsHash, gate: report.verdict, body, at: now.getTime() };
  return { reportId: await store.reports.put(projectId, saved), report: JSON.parse(body) as CohortReport };
}

/** In the order in which folders of the same files would be read. */
function compared(
  sides: CohortSides,
  options: { readonly seed?: number; readonly draws?: number },
  texts?: ReadonlyMap<number, readonly string[]>,
) {
  const cohort = createCohort();
  for (const side of ["baseline", "candidate"] as const) {
    const placed = sides[side].map((one) => ({ ...one, path: one.run.origin?.path ?? "" }));
    placed.sort((left, right) => (left.path < right.path ? -1 : left.path > right.path ? 1 : 0));
    for (const { run, arrival } of placed) cohort.addKept(run, side, texts?.get(arrival.id));
  }
  return cohort.compare(options);
}

async function allTexts(
  store: Store,
  projectId: number,
  arrivals: readonly KeptArrival[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const texts = new Map<number, readonly string[]>();
  for (const { arrival } of arrivals) texts.set(arrival.id, await textsOf(store, projectId, arrival));
  return texts;
}

function coverageOfSide(runs: readonly KeptArrival[]): Coverage {
  return sumCoverage(runs.map(({ coverage }) => coverage));
}

function inputOf(role: Side, path: string, sides: CohortSides): ReportInput {
  return { role, path, traces: sides[role].length };
}

/** What a stake of 1 had grown to after so many pairs, and when the run that completed the last one arrived. */
export interface EvidencePoint {
  readonly pairs: number;
  readonly wealth: number;
  readonly at: number;
}

/** The sequential test over both releases in the order in which their runs arrived: it may be looked at as often as anyone likes. */
export function watchReleases({ baseline, candidate }: CohortSides): {
  readonly alpha: number;
  readonly state: SequentialState;
  readonly evidence: readonly EvidencePoint[];
} {
  const { alpha } = judgeDefaults;
  const cohort = createSequentialCohort(alpha);
  const arrived = [
    ...baseline.map((one) => ({ ...one, side: "baseline" as const })),
    ...candidate.map((one) => ({ ...one, side: "candidate" as const })),
  ].sort((left, right) => left.arrival.id - right.arrival.id);
  const evidence: EvidencePoint[] = [];
  for (const { run, side, arrival } of arrived) {
    if (!cohort.addKept(run, side)) continue;
    const { pairs, wealth } = cohort.state();
    evidence.push({ pairs, wealth, at: arrival.receivedAt });
  }
  return { alpha, state: cohort.state(), evidence };
}
