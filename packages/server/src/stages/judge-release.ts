/**
 * One release of an agent against another, or against its approved baseline: the runs are taken out of the store as they were read when they arrived,
 * and judged by the very function that `spoor gate` uses. The same question is answered once.
 */
import type { Trace } from "@spoor/core";
import { digestText } from "@spoor/core/internal/canonical/digest";
import type { GateReport } from "@spoor/core/internal/gate/gate-report";
import type { ReportInput } from "@spoor/core/internal/report/report";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import type { Config } from "spoor/internal/config/config";
import type { GateInput } from "spoor/internal/gate/gate-input";
import { judgeGate } from "spoor/internal/gate/judge-gate";
import type { Store, StoredRun } from "../store/store.ts";
import { createProjectRules, type KnownBehaviour, type ProjectRules } from "./project-rules.ts";
import type { PolicyRules } from "./run-rules.ts";
import { contentIds, inputsOfTraces, releaseRuns, storedTraces } from "./stored-traces.ts";

export interface ReleaseQuestion {
  readonly agent: string;
  readonly release: string;
  /** The release to compare with; without one only rules and baseline speak. */
  readonly against?: string;
  readonly now: Date;
}

export interface JudgedRelease {
  readonly reportId: number;
  readonly report: GateReport;
}

export async function judgeRelease(store: Store, projectId: number, question: ReleaseQuestion): Promise<JudgedRelease> {
  const rules = createProjectRules(store);
  const candidate = await releaseRuns(store, projectId, question);
  const baseline =
    question.against === undefined
      ? []
      : await releaseRuns(store, projectId, { agent: question.agent, release: question.against });
  const settings = await settingsFor(rules, projectId, question);
  const inputsHash = digestOf(question, settings, candidate, baseline);
  const stored = await store.reports.find(projectId, "spoor.gate/1", inputsHash);
  if (stored !== undefined) return { reportId: stored.id, report: JSON.parse(stored.body) as GateReport };
  const sides = [
    await storedTraces(store, projectId, candidate),
    await storedTraces(store, projectId, baseline),
  ] as const;
  const report = await judgeGate(gateInput(sides, settings, question), {
    sides: {
      candidate: { branch: question.release },
      ...(question.against === undefined ? {} : { baseline: { branch: question.against } }),
    },
    inputs: [...inputsOfTraces("baseline", sides[1]), ...inputsOfTraces("candidate", sides[0])],
  });
  const body = stringifyJson(report as never);
  const reportId = await store.reports.put(projectId, {
    schema: report.schema,
    inputsHash,
    gate: report.status,
    body,
    at: question.now.getTime(),
  });
  return { reportId, report: JSON.parse(body) as GateReport };
}

interface Settings {
  readonly config: Config;
  readonly policy: PolicyRules | undefined;
  readonly known: KnownBehaviour | undefined;
}

async function settingsFor(
  rules: ProjectRules,
  projectId: number,
  { agent, against }: ReleaseQuestion,
): Promise<Settings> {
  const { diff, baseline, ...config } = await rules.config(projectId);
  const known = await rules.known(projectId, agent);
  return {
    config: {
      ...config,
      agent,
      ...(against === undefined || diff === undefined ? {} : { diff }),
      ...(known === undefined || baseline === undefined ? {} : { baseline }),
    },
    policy: await rules.policy(projectId),
    known,
  };
}

function gateInput(
  [candidate, baseline]: readonly [readonly Trace[], readonly Trace[]],
  { config, policy, known }: Settings,
  { now, agent }: ReleaseQuestion,
): GateInput {
  return {
    config,
    env: {},
    today: now.toISOString().slice(0, 10),
    candidate,
    baseline,
    ...(policy === undefined ? {} : { policy: { policy: policy.policy, inputs: policyInputs(config, policy) } }),
    ...(known === undefined ? {} : { known: { baseline: known.baseline, input: knownInput(agent, known) } }),
    scenarios: [],
  };
}

function policyInputs({ policy }: Config, { hash }: PolicyRules): ReportInput[] {
  return (policy?.files ?? []).map((path) => ({ role: "policy", path, contentId: `sha256:${hash}` }));
}

function knownInput(agent: string, { hash, generation }: KnownBehaviour): ReportInput {
  return { role: "baseline", path: `${agent}, generation ${generation}`, contentId: `sha256:${hash}` };
}

/** Everything the answer depends on. Exceptions of rules end by date. */
function digestOf(
  question: ReleaseQuestion,
  { config, policy, known }: Settings,
  ...sides: readonly StoredRun[][]
): string {
  const ids = sides.map(contentIds);
  const { agent, release, against, now } = question;
  return digestText(
    JSON.stringify([agent, release, against, now.toISOString().slice(0, 10), config, policy?.hash, known?.hash, ids]),
  );
}
