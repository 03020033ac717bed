/**
 * One trace under the rules of its project: figures, behaviour, what the policy and the approved baseline say. Pure, with the lenses of the command
 * line; what comes out is written in one transaction.
 */
import type { Json, Trace, Turn } from "@spoor/core";
import { scenarioId } from "@spoor/core/internal/cohort/scenario-id";
import { compareRuns } from "@spoor/core/internal/fingerprint/compare-baseline";
import { FINGERPRINT_VERSION } from "@spoor/core/internal/fingerprint/mode";
import { runFacts } from "@spoor/core/internal/fingerprint/run-facts";
import { coverageOf } from "@spoor/core/internal/report/coverage";
import { member, stringMember } from "@spoor/core/internal/trace/json";
import { present } from "@spoor/core/internal/trace/present";
import type { ArrivalSource, EvaluatedRun, StageResult } from "../store/store.ts";
import { checkRun } from "./check-run.ts";
import type { RunRules } from "./run-rules.ts";
import { keptSource, packBody, type SentBody } from "./stored-body.ts";

/** `sent` is the body it was read from, when it holds nothing else. */
export function evaluateTrace(
  trace: Trace,
  source: ArrivalSource,
  rules: RunRules,
  sent?: SentBody,
): Omit<EvaluatedRun, "contentId"> {
  const { known } = rules;
  const facts = runFacts(
    trace,
    known === undefined ? {} : { mode: known.baseline.mode, modelAliases: known.baseline.modelAliases ?? {} },
  );
  const checked = rules.policy === undefined ? undefined : checkRun(trace, rules.policy, rules.today);
  const comparison = compareRuns(known?.baseline, [
    known === undefined ? facts : { ...facts, agent: known.baseline.agent },
  ]);
  const compared = comparison.runs[0]!;
  return present({
    ...figuresOf(trace, source),
    hashVersion: FINGERPRINT_VERSION,
    mode: facts.fingerprint.mode,
    fingerprint: facts.fingerprint.hash,
    structural: facts.structuralHash,
    verdict: compared.status,
    similarity: compared.closest?.similarity.composite,
    status: checked?.status ?? ("not_evaluated" as const),
    path: facts.segments,
    tools: toolsOf(trace),
    findings: checked?.findings ?? [],
    stages: [
      { stage: "reading", configHash: "", result: keptSource(trace) as unknown as Json },
      ...(checked === undefined ? [] : [checked.stage]),
      ...(rules.problem === undefined
        ? []
        : [{ stage: "policy", configHash: "", result: { notEvaluated: rules.problem } }]),
      ...(known === undefined ? [] : [baselineStage(known.hash, compared as unknown as Json)]),
    ],
    body: packBody(trace.records, sent),
  });
}

function baselineStage(configHash: string, result: Json): StageResult {
  return { stage: "baseline", configHash, result };
}

function figuresOf(trace: Trace, source: ArrivalSource) {
  const { turns, toolCalls, metadata } = trace;
  const coverage = coverageOf([trace]);
  const last = turns.at(-1);
  const startedAt = timeOf(turns[0]?.ts ?? toolCalls[0]?.startedAt);
  return {
    externalId: trace.id,
    agent: trace.agent ?? "default",
    release: source.release ?? releaseOf(metadata),
    scenario: source.scenario ?? scenarioId(trace),
    trial: source.trial ?? textMember(metadata, "trial"),
    name: trace.name,
    format: trace.source.format,
    model: last?.model ?? last?.requestedModel,
    stopReason: last?.stopReason,
    startedAt,
    durationMs: durationOf(trace, startedAt),
    turns: turns.length,
    calls: toolCalls.length,
    errors: toolCalls.filter(({ status }) => status === "error").length,
    callsWithoutResult: coverage.callsWithoutResult,
    replayed: coverage.replayed ?? 0,
    standIns: coverage.standIns ?? 0,
    unknownRecords: Object.values(coverage.unknown).reduce((sum, amount) => sum + amount, 0),
    inputTokens: sumOf(turns, ({ usage }) => usage?.inputTokens),
    outputTokens: sumOf(turns, ({ usage }) => usage?.outputTokens),
    costMicro: costOf(turns),
  };
}

/** Which version of the agent a recording says it is of. */
function releaseOf(metadata: Json): string | undefined {
  return (
    textMember(metadata, "release") ??
    textMember(member(metadata, "tags"), "release") ??
    textMember(metadata, "git_commit")
  );
}

function textMember(value: Json | undefined, key: string): string | undefined {
  const found = member(value, key);
  return typeof found === "number" ? String(found) : stringMember(value, key) || undefined;
}

/** Undefined when no turn says. */
function sumOf(turns: readonly Turn[], of: (turn: Turn) => number | undefined): number | undefined {
  const known = turns.map(of).filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0);
}

function costOf(turns: readonly Turn[]): number | undefined {
  const usd = sumOf(turns, ({ costUsd }) => costUsd);
  return usd === undefined ? undefined : Math.round(usd * 1e6);
}

function timeOf(text: string | undefined): number | undefined {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

/** From the first clock to the last one. */
function durationOf({ records }: Trace, startedAt: number | undefined): number | undefined {
  const endedAt = timeOf(records.findLast(({ ts }) => ts !== undefined && ts !== "")?.ts);
  if (startedAt === undefined || endedAt === undefined || endedAt < startedAt) return undefined;
  return endedAt - startedAt;
}

function toolsOf({ toolCalls }: Trace): EvaluatedRun["tools"] {
  const tools = new Map<string, { name: string; calls: number; errors: number }>();
  for (const { name, status } of toolCalls) {
    const tool = tools.get(name) ?? { name, calls: 0, errors: 0 };
    tool.calls++;
    if (status === "error") tool.errors++;
    tools.set(name, tool);
  }
  return [...tools.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
}
