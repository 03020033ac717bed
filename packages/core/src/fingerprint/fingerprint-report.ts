/** Fingerprints of many traces, and how varied each agent is. */
import { compareCodePoints } from "../canonical/canonical-json.ts";
import type { ReportHeader } from "../report/report.ts";
import type { Trace } from "../trace/trace.ts";
import { behaviourPath } from "./behaviour-path.ts";
import { buildFamilies, type Family, type FamilyMember } from "./families.ts";
import { shapeOfTrace } from "./fingerprint-trace.ts";
import type { FingerprintMode } from "./mode.ts";
import type { RunFacts } from "./run-facts.ts";

export interface FingerprintReport extends ReportHeader<"spoor.fingerprint/1"> {
  readonly mode: FingerprintMode;
  readonly hashVersion: string;
  readonly traces: readonly TraceFingerprint[];
  readonly agents: readonly AgentFamilies[];
}

export interface TraceFingerprint {
  /** The trace's key. */
  readonly key: string;
  /** The trace's name, for people. */
  readonly run: string;
  readonly agent: string;
  readonly hash: string;
  readonly string: string;
  readonly structuralHash: string;
  readonly shape: { readonly hash: string; readonly string: string };
  readonly stepCount: number;
  readonly path: string;
}

/** How varied an agent is: its runs, its distinct behaviours, and the families these fall into. */
export interface AgentFamilies {
  readonly agent: string;
  readonly runs: number;
  readonly emptyRuns: number;
  readonly intents: number;
  readonly families: readonly FamilySummary[];
}

export interface FamilySummary {
  readonly id: string;
  readonly path: string;
  readonly intents: number;
  readonly runs: number;
}

export function traceFingerprint(trace: Trace, facts: RunFacts): TraceFingerprint {
  const shape = shapeOfTrace(trace);
  return {
    key: facts.key,
    run: facts.run,
    agent: facts.agent,
    hash: facts.fingerprint.hash,
    string: facts.fingerprint.string,
    structuralHash: facts.structuralHash,
    shape: { hash: shape.hash, string: shape.string },
    stepCount: facts.segments.length,
    path: behaviourPath(facts.segments),
  };
}

/** Per agent: runs, distinct behaviours, and families of behaviours. Runs without a step belong to none. */
export function agentFamilies(runs: readonly RunFacts[]): AgentFamilies[] {
  const byAgent = new Map<string, RunFacts[]>();
  for (const run of runs) {
    const own = byAgent.get(run.agent);
    if (own === undefined) byAgent.set(run.agent, [run]);
    else own.push(run);
  }
  return [...byAgent]
    .sort(([left], [right]) => compareCodePoints(left, right))
    .map(([agent, own]) => {
      const members = familyMembers(own);
      const families = buildFamilies(members);
      return {
        agent,
        runs: own.length,
        emptyRuns: own.filter((run) => run.segments.length === 0).length,
        intents: members.length,
        families: families.map((family) => summariseFamily(family, members)),
      };
    });
}

function familyMembers(runs: readonly RunFacts[]): FamilyMember[] {
  const members = new Map<string, FamilyMember & { runs: number }>();
  for (const run of runs) {
    if (run.segments.length === 0) continue;
    const { hash } = run.fingerprint;
    const known = members.get(hash);
    if (known !== undefined) known.runs++;
    else members.set(hash, { hash, segments: run.segments, errorPatterns: run.errorPatterns, runs: 1 });
  }
  return [...members.values()];
}

export function summariseFamily(
  family: Family,
  members: readonly { hash: string; segments: readonly string[] }[],
): FamilySummary {
  const leader = members.find((member) => member.hash === family.id);
  return {
    id: family.id,
    path: behaviourPath(leader?.segments ?? []),
    intents: family.members.length,
    runs: family.runs,
  };
}
