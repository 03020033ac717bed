/** The cohort lens inside the gate: used when a side has repeated runs of a scenario, or at least six scenarios. */
import type { CohortReport } from "@spoor/core/cohort/cohort-report";
import { compareTraceCohorts, isCohort } from "@spoor/core/cohort/compare-trace-cohorts";
import { gateCohort } from "@spoor/core/cohort/gate-cohort";
import type { CheckStatus, GateCheck } from "@spoor/core/gate/gate-report";
import { coverageOf } from "@spoor/core/report/coverage";
import { cohortDetail, cohortHeadline } from "../describe/cohort/headline.ts";
import { plainText, say, sentences } from "../document/text.ts";
import { toolInfo } from "../tool-info.ts";
import type { GateInput } from "./gate-input.ts";
import type { LensOutcome } from "./lens-outcome.ts";

/** Undefined when the configuration or the runs do not ask for it. */
export function runCohortLens(input: GateInput): LensOutcome | undefined {
  const settings = input.config.cohort ?? { use: "auto", relabellings: undefined, notEnoughEvidence: "warn" };
  if (settings.use === "never" || input.config.diff === undefined) return undefined;
  if (settings.use === "auto" && !isCohort(input.baseline, input.candidate)) return undefined;
  const result = compareTraceCohorts(input.baseline, input.candidate, {
    seed: input.config.seed,
    ...(settings.relabellings === undefined ? {} : { draws: settings.relabellings }),
  });
  const gate = gateCohort(result, settings.notEnoughEvidence === "block" ? "unchanged" : undefined);
  const report: CohortReport = {
    schema: "spoor.cohort/1",
    tool: toolInfo,
    inputs: [],
    ...result,
    coverage: coverageOf([...input.baseline, ...input.candidate]),
    gate,
  };
  const silent = result.verdict === "not_enough_evidence" && settings.notEnoughEvidence === "ignore";
  const status: CheckStatus = gate.tripped
    ? "failed"
    : result.verdict === "not_enough_evidence" && !silent
      ? "warned"
      : "passed";
  const sentence = plainText(sentences(say`${cohortHeadline(result)}.`, cohortDetail(result)));
  const checks: GateCheck[] = result.aspects.map((aspect) => ({
    lens: "cohort",
    name: aspect.aspect,
    status: aspect.changed ? "failed" : "passed",
    message: aspect.changed
      ? `${aspect.aspect} changed beyond the agent's own noise.`
      : `${aspect.aspect}: no change beyond the agent's own noise.`,
    places: [],
  }));
  checks.unshift({ lens: "cohort", name: "verdict", status, message: sentence, places: [] });
  return {
    result: { lens: "cohort", status, summary: result.verdict.replaceAll("_", " ") },
    checks,
    reasons: gate.reasons,
    notEvaluated: result.verdict === "not_enough_evidence" ? [{ what: "cohort", why: "not enough evidence" }] : [],
    inputs: [],
    report: { cohort: report },
  };
}
