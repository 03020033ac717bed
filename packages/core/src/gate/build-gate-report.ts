/**
 * The reports of the lenses → one verdict. A lens that was asked for and could not answer makes the whole gate "not evaluated";
 * so does a gate without any lens. Everything is joined by the keys of the traces.
 */
import type { Severity } from "../judgement/severity.ts";
import type { Coverage, ReportInput, ToolInfo } from "../report/report.ts";
import { buildCards } from "./build-cards.ts";
import { type GateReport, type GateStatus, type Lens, type LensReports, lenses, type SideName } from "./gate-report.ts";
import { type BaselineSettings, judgeBaseline } from "./judge-baseline.ts";
import { type CohortSettings, judgeCohort } from "./judge-cohort.ts";
import { judgeDiff } from "./judge-diff.ts";
import { judgeEarlyStop } from "./judge-early-stop.ts";
import { judgePolicy } from "./judge-policy.ts";
import { judgeTrajectory } from "./judge-trajectory.ts";
import { checkStatuses, type LensJudgement } from "./lens-judgement.ts";
import { newViolations } from "./new-violations.ts";

export interface GateSettings {
  readonly agent: string;
  readonly noun: string;
  readonly mode: GateReport["mode"];
  readonly seed: number;
  readonly sides?: { readonly baseline?: SideName; readonly candidate?: SideName };
  readonly policy: {
    /** The severity from which a violation in this trace blocks. */
    readonly failOn: (key: string) => Severity;
    /** `new` needs the diff's report: only what the baseline does not violate counts. */
    readonly violations: "all" | "new";
  };
  readonly baseline: BaselineSettings;
  readonly cohort: CohortSettings;
}

export interface GateHeader {
  readonly tool: ToolInfo;
  readonly inputs: readonly ReportInput[];
  /** What went in; what was not evaluated is added. */
  readonly coverage: Coverage;
  /** Files of the candidate's traces by key, for lenses whose reports hold none. */
  readonly paths: ReadonlyMap<string, string>;
}

export function buildGateReport(reports: LensReports, settings: GateSettings, header: GateHeader): GateReport {
  const { agent, noun, mode, seed, sides } = settings;
  const judged = judgeLenses(reports, settings, header);
  const reasons = judged.flatMap((one) => one.reasons);
  const results = judged.map((one) => one.result);
  const status = gateStatus({ lenses: results, reasons, mode });
  const checks = judged.flatMap((one) => one.checks);
  return {
    schema: "spoor.gate/1",
    tool: header.tool,
    inputs: header.inputs,
    agent,
    noun,
    mode,
    status,
    lead: leadOf(judged),
    lenses: results,
    checks,
    cards: buildCards(reports, checks, (key) => header.paths.get(key)),
    seed,
    ...(sides === undefined ? {} : { sides }),
    reports,
    coverage: { ...header.coverage, notEvaluated: judged.flatMap((one) => one.notEvaluated) },
    gate: { failOn: mode === "warn" ? "nothing" : "per_lens", tripped: status === "blocked", reasons },
  };
}

/** The same findings under another mode: thresholds belong to the lenses, whether findings block is decided again. */
export function withMode(report: GateReport, mode: GateReport["mode"]): GateReport {
  const { reasons } = report.gate;
  const status = gateStatus({ lenses: report.lenses, reasons, mode });
  const failOn = mode === "warn" ? "nothing" : "per_lens";
  return { ...report, mode, status, gate: { failOn, tripped: status === "blocked", reasons } };
}

/** In the order of `lenses`. */
function judgeLenses(reports: LensReports, settings: GateSettings, { paths }: GateHeader): LensJudgement[] {
  const { diff, policy, cohort, earlyStop, baseline, trajectory } = reports;
  // Without a comparison nothing is known to be old, so everything counts.
  const isNew = settings.policy.violations === "new" && diff?.policy !== undefined ? newViolations(diff) : undefined;
  const judged = [
    policy &&
      judgePolicy(policy, {
        failOn: settings.policy.failOn,
        hasBaseline: baseline !== undefined,
        ...(isNew === undefined ? {} : { isNew }),
      }),
    diff && judgeDiff(diff),
    cohort && judgeCohort(cohort, settings.cohort),
    earlyStop && judgeEarlyStop(earlyStop),
    baseline && judgeBaseline(baseline, settings.baseline, (key) => paths.get(key)),
    trajectory && judgeTrajectory(trajectory),
  ];
  return judged
    .filter((one) => one !== undefined)
    .sort((left, right) => lenses.indexOf(left.result.lens) - lenses.indexOf(right.result.lens));
}

function gateStatus({
  lenses: results,
  reasons,
  mode,
}: Pick<GateReport, "lenses" | "mode"> & Pick<GateReport["gate"], "reasons">): GateStatus {
  const has = (status: string) => results.some((result) => result.status === status);
  if (results.length === 0 || has("not_evaluated")) return "not_evaluated";
  if (reasons.length > 0) return mode === "warn" ? "warned" : "blocked";
  return has("warned") ? "warned" : "passed";
}

/** What could not be evaluated first, then what failed, then what warns; among equals the order of the lenses. */
function leadOf(judged: readonly LensJudgement[]): Lens | null {
  const results = judged.map((one) => one.result);
  const status = checkStatuses.find((candidate) => results.some((result) => result.status === candidate));
  // On a pass the diff says most: how many turns do the same.
  if (status === "passed") return results.find(({ lens }) => lens === "diff")?.lens ?? results[0]!.lens;
  return results.find((result) => result.status === status)?.lens ?? null;
}
