/**
 * One release of an agent against another, or against its approved baseline: the runs are taken out of the store as they were read when they arrived,
 * and judged by the very function that `spoor gate` uses. The same question is answered once.
 */
import type { Trace } from "@spoor/core";
import { digestText } from "@spoor/core/internal/canonical/digest";
import { SpoorError } from "@spoor/core/internal/errors";
import type { GateReport } from "@spoor/core/internal/gate/gate-report";
import type { ReportInput } from "@spoor/core/internal/report/report";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import { nameTraces } from "@spoor/core/internal/trace/trace-name";
import type { Config } from "spoor/internal/config/config";
import type { GateInput } from "spoor/internal/gate/gate-input";
import { judgeGate } from "spoor/internal/gate/judge-gate";
import type { Store, StoredRun } from "../store/store.ts";
import { createProjectRules, type KnownBehaviour, type ProjectRules } from "./project-rules.ts";
import type { PolicyRules } from "./run-rules.ts";
import { keptSourceOf, traceOfBody } from "./stored-body.ts";

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

/** Runs of one side that are looked at together, newest first: what fits into the memory of one process. */
const MOST_RUNS = 2000;

export async function judgeRelease(store: Store, projectId: number, question: ReleaseQuestion): Promise<JudgedRelease> {
  const rules = createProjectRules(store);
  const candidate = await runsOf(store, projectId, question.agent, question.release);
  const baseline =
    question.against === undefined ? [] : await runsOf(store, projectId, question.agent, question.against);
  const settings = await settingsFor(rules, projectId, question);
  const inputsHash = digestOf(question, settings, candidate, baseline);
  const stored = await store.reports.find(projectId, "spoor.gate/1", inputsHash);
  if (stored !== undefined) return { reportId: stored.id, report: JSON.parse(stored.body) as GateReport };
  const sides = [await tracesOf(store, projectId, candidate), await tracesOf(store, projectId, baseline)] as const;
  const report = await judgeGate(gateInput(sides, settings, question), {
    sides: {
      candidate: { branch: question.release },
      ...(question.against === undefined ? {} : { baseline: { branch: question.against } }),
    },
    inputs: [...inputsOf("baseline", sides[1]), ...inputsOf("candidate", sides[0])],
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

function* inputsOf(role: "baseline" | "candidate", traces: readonly Trace[]): Generator<ReportInput> {
  for (const path of new Set(traces.map(({ source, key }) => source.path ?? key))) yield { role, path };
}

async function runsOf(store: Store, projectId: number, agent: string, release: string): Promise<StoredRun[]> {
  const runs = await store.runs.page(projectId, { agent, release }, undefined, MOST_RUNS + 1);
  if (runs.length === 0)
    throw new SpoorError("server.no-runs", `There is no run of ${agent} in release ${release}.`, {
      consequence: "Nothing was evaluated, and nothing evaluated is no pass.",
      hint: `Send some: spoor push FOLDER --agent ${agent} --release ${release}`,
    });
  if (runs.length > MOST_RUNS)
    throw new SpoorError("server.too-many-runs", `Release ${release} of ${agent} has more than ${MOST_RUNS} runs.`, {
      consequence: "Nothing was evaluated: leaving some out would judge another release.",
      hint: "Send a release's test runs under a name of their own.",
    });
  return runs.toReversed();
}

/** In the order in which a folder of the same files would be read. */
async function tracesOf(store: Store, projectId: number, runs: readonly StoredRun[]): Promise<readonly Trace[]> {
  const traces: Trace[] = [];
  for (const run of runs) traces.push(await traceOfRun(store, projectId, run));
  const placed = traces.map((trace) => ({ trace, path: trace.source.path ?? "" }));
  placed.sort((left, right) => (left.path < right.path ? -1 : left.path > right.path ? 1 : 0));
  return nameTraces(placed.map(({ trace }) => trace));
}

/** A run as a trace, as it was read when it arrived. */
export async function traceOfRun(store: Store, projectId: number, run: StoredRun): Promise<Trace> {
  const body = await store.runs.body(projectId, run.id);
  const reading = (await store.runs.stages(projectId, run.id)).find(({ stage }) => stage === "reading");
  if (body === undefined || reading === undefined)
    throw new SpoorError("server.body-gone", `What ${run.name} said and did is no longer kept, only its figures.`, {
      consequence: "Nothing was evaluated.",
      hint: "Compare with a newer release, or keep bodies longer: docs/operations.md.",
    });
  return traceOfBody(body, keptSourceOf(reading.result));
}

/** Everything the answer depends on. Exceptions of rules end by date. */
function digestOf(
  question: ReleaseQuestion,
  { config, policy, known }: Settings,
  ...sides: readonly StoredRun[][]
): string {
  const ids = sides.map((runs) => runs.map(({ contentId }) => Buffer.from(contentId).toString("hex")));
  const { agent, release, against, now } = question;
  return digestText(
    JSON.stringify([agent, release, against, now.toISOString().slice(0, 10), config, policy?.hash, known?.hash, ids]),
  );
}
