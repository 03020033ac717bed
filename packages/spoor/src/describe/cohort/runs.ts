/** Where to look: the candidate runs furthest from the baseline, and the command that shows the first of them. */
import type { CohortReport, CohortResult, ReportedRun } from "@spoor/core/internal/cohort/cohort-report";
import type { RunOrigin } from "@spoor/core/internal/cohort/run";
import type { Place } from "../../document/check.ts";
import type { Section } from "../../document/document.ts";
import { shellWord } from "../../document/shell-word.ts";
import { name, say } from "../../document/text.ts";
import { showCommand } from "../places.ts";

/** Runs worth a look, the furthest first; none when nothing changed. */
export function furthestRuns({ runs, verdict }: CohortResult): ReportedRun[] {
  return verdict === "unchanged" ? [] : runs.filter(({ distance }) => distance > 0);
}

export function runsSection(runs: readonly ReportedRun[]): Section {
  return {
    kind: "section",
    id: "runs",
    title: ["Candidate runs furthest from the baseline (0: same path and effects, 1: unrelated)"],
    blocks: [
      {
        kind: "table",
        caption: "Candidate runs furthest from the baseline",
        columns: [
          { title: "scenario", max: 24, fit: "middle" },
          { title: "run", fit: "middle" },
          { title: "distance", align: "right" },
          { title: "among baseline" },
          { title: "nearest baseline run", only: ["markdown", "html"] },
        ],
        rows: runs.map(({ scenario, run, distance, baselineDistances, nearest, nearestDistance }) => ({
          cells: [
            [name(scenario)],
            [name(originName(run))],
            [distance.toFixed(2)],
            [amongThemselves(baselineDistances)],
            say`${name(originName(nearest))} (${nearestDistance.toFixed(2)})`,
          ],
        })),
      },
    ],
  };
}

/** How far the baseline's own runs of the scenario are apart. */
function amongThemselves(distances: readonly number[]): string {
  if (distances.length === 0) return "no repeats";
  return `${Math.min(...distances).toFixed(2)} to ${Math.max(...distances).toFixed(2)}`;
}

/** File and entry: where to find the run. Runs come one at a time, so names of theirs may repeat. */
function originName({ path, entry, traceId }: RunOrigin): string {
  const file = path === undefined ? undefined : path.slice(path.lastIndexOf("/") + 1);
  return entry === undefined ? (file ?? traceId ?? "a run") : `${file ?? ""} ${entry}`.trim();
}

export function placeOf({ run, distance, nearest }: ReportedRun): Place {
  const trace = originName(run);
  return {
    trace,
    key: run.key ?? trace,
    path: run.path,
    detail: say`${distance.toFixed(2)} from the baseline on average; nearest is ${name(originName(nearest))}`,
  };
}

/** Look at the furthest run after a change; plan more runs without enough evidence. */
export function nextCommand(report: CohortReport): string | undefined {
  const baseline = report.inputs.filter(({ role }) => role === "baseline").map(({ path }) => path);
  if (report.verdict === "not_enough_evidence") {
    return baseline.length === 0 || baseline.includes("-")
      ? undefined
      : `spoor cohort plan ${baseline.map(shellWord).join(" ")}`;
  }
  if (report.verdict !== "changed") return undefined;
  const [furthest] = furthestRuns(report);
  if (furthest === undefined) return undefined;
  const { run, nearest } = furthest;
  const single = run.entry === undefined && nearest.path !== undefined && nearest.entry === undefined;
  if (!single || run.path === undefined || run.path === "-") return showCommand(run);
  return `spoor diff ${shellWord(nearest.path!)} ${shellWord(run.path)}`;
}
