/**
 * Two runs, or two releases of an agent, beside each other: the report of `spoor diff` and what a page shows of it. The same question is answered
 * once; what it costs is bounded by how many runs and how many bytes may be asked about.
 */
import { digestText } from "@spoor/core/internal/canonical/digest";
import type { DiffReport } from "@spoor/core/internal/diff/diff-report";
import { createPolicyHook } from "@spoor/core/internal/diff/policy-hook";
import { SpoorError } from "@spoor/core/internal/errors";
import { buildComparisonView, type ComparisonView } from "@spoor/core/internal/gate/comparison-view";
import { listPrices } from "@spoor/core/internal/pricing/prices";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import { firstInputSentence } from "spoor/internal/describe/diff/first-input-text";
import { diffDetail, diffHeadline } from "spoor/internal/describe/diff/verdict";
import { plainText } from "spoor/internal/document/text";
import { diffSides } from "spoor/internal/gate/diff-sides";
import { pageTimelines } from "spoor/internal/gate/page-timelines";
import { toolInfo } from "spoor/internal/tool-info";
import type { Store, StoredRun } from "../store/store.ts";
import { createProjectRules } from "./project-rules.ts";
import type { PolicyRules } from "./run-rules.ts";
import { contentIds, inputsOfTraces, storedTraces } from "./stored-traces.ts";

/** Runs of one side: more are judged by the gate, which nobody waits for. */
export const MOST_COMPARED = 300;
/** Of one side, as recordings are kept. */
const MOST_BYTES = 16_000_000;

export interface ComparedSide {
  /** What people call it. */
  readonly name: string;
  readonly runs: readonly StoredRun[];
}

export interface ComparedSides {
  readonly reportId: number;
  /** The verdict in words, as the command line says it. */
  readonly headline: string;
  readonly detail: string;
  readonly report: DiffReport;
  readonly view: ComparisonView;
  /** Why no rule was asked although some are named. */
  readonly problem?: { readonly code: string; readonly message: string };
}

export async function compareStored(
  store: Store,
  projectId: number,
  sides: { readonly baseline: ComparedSide; readonly candidate: ComparedSide },
  now: Date,
): Promise<ComparedSides> {
  const { baseline, candidate } = sides;
  refuseSame(baseline, candidate);
  const settings = await settingsOf(store, projectId, now);
  const question = { baseline: contentIds(baseline.runs), candidate: contentIds(candidate.runs), ...settings.digested };
  const inputsHash = digestText(JSON.stringify(question));
  let stored = await store.reports.find(projectId, "spoor.diff/1", inputsHash);
  if (stored === undefined) {
    const before = await storedTraces(store, projectId, baseline.runs, MOST_BYTES);
    const after = await storedTraces(store, projectId, candidate.runs, MOST_BYTES);
    const made = await diffSides(before, after, {
      tool: toolInfo,
      inputs: [...inputsOfTraces("baseline", before), ...inputsOfTraces("candidate", after)],
      failOn: "none",
      prices: listPrices,
      // The report is read in a browser.
      ...pageTimelines(after.length),
      ...settings.diff,
      ...(settings.policy === undefined
        ? {}
        : { policy: createPolicyHook(settings.policy.policy, { today: settings.today }) }),
    });
    const report = { schema: made.schema, inputsHash, body: stringifyJson(made as never), at: now.getTime() };
    const id = await store.reports.put(projectId, report);
    stored = (await store.reports.get(projectId, id))!;
  }
  const report = JSON.parse(stored.body) as DiffReport;
  return {
    reportId: stored.id,
    headline: `${plainText(diffHeadline(report.verdict, report.noun))}.`,
    detail: plainText(diffDetail(report.verdict)),
    report,
    view: viewOf(report, sides),
    ...(settings.problem === undefined ? {} : { problem: settings.problem }),
  };
}

/** What the project's configuration says about a comparison, as `spoor diff` takes it from a file. */
async function settingsOf(store: Store, projectId: number, now: Date) {
  const rules = createProjectRules(store);
  const { noun, seed, diff } = await rules.config(projectId);
  const today = now.toISOString().slice(0, 10);
  let policy: PolicyRules | undefined;
  let problem: ComparedSides["problem"];
  try {
    policy = await rules.policy(projectId);
  } catch (error) {
    if (!(error instanceof SpoorError)) throw error;
    problem = { code: error.code, message: error.message };
  }
  const options = {
    noun,
    ...(seed === undefined ? {} : { seed }),
    ...(diff === undefined ? {} : { pairing: diff.pairing }),
  };
  return {
    today,
    policy,
    problem,
    diff: options,
    // Exceptions of rules end by date.
    digested: { ...options, policy: policy?.hash, ...(policy === undefined ? {} : { today }), tool: toolInfo.version },
  };
}

function viewOf(
  report: DiffReport,
  { baseline, candidate }: { readonly baseline: ComparedSide; readonly candidate: ComparedSide },
): ComparisonView {
  const sides = { baseline: { branch: baseline.name }, candidate: { branch: candidate.name } };
  // Without the command that prints a trace: there is no file.
  return buildComparisonView({ noun: report.noun, reports: { diff: report }, sides }, { goingIn: firstInputSentence })!;
}

function refuseSame(baseline: ComparedSide, candidate: ComparedSide): void {
  const known = new Set(contentIds(baseline.runs));
  if (!contentIds(candidate.runs).some((id) => known.has(id))) return;
  throw new SpoorError("input.both-sides", `${candidate.name} and ${baseline.name} have a run in common.`, {
    consequence: "A run compared with itself never differs, so nothing was compared.",
    hint: "Name two runs, or two releases.",
  });
}
