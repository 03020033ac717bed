/**
 * The newest release of each agent against the one before it, over all their runs: did it change, or is it noise? Looked at when runs have stopped
 * coming for a while, or have become twice as many.
 *
 * Looking again and again with a test that is made for one look would cry wolf. So between scheduled looks (the first, and one a day) only the
 * sequential test may raise the alarm, which may be looked at as often as anyone likes; what the fixed test says then is shown with how often it was
 * asked.
 */
import type { Json, JsonObject } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { present } from "@spoor/core/internal/trace/present";
import type { CohortState } from "../stages/cohort-state.ts";
import { DAY_MS } from "../store/rows.ts";
import type { Agent, AlertChange, CohortLook, Release, Store } from "../store/store.ts";
import type { Job } from "./job.ts";
import { newestReleases } from "./newest-releases.ts";

const QUIET_MS = 10_000;
const SCHEDULE_MS = DAY_MS;

export function cohortJob(): Job {
  return {
    name: "cohort",
    everyMs: 5_000,
    async run(store, now) {
      for (const { id } of await store.projects.list())
        for (const agent of await store.agents.list(id)) await lookAt(store, id, agent, now);
    },
  };
}

async function lookAt(store: Store, projectId: number, agent: Agent, now: Date): Promise<void> {
  const [release, against] = await newestReleases(store, projectId, agent.name);
  if (release === undefined || against === undefined) return;
  const looks = await store.cohorts.list(projectId, agent.name);
  const before = looks.find((look) => look.release === release.name && look.against === against.name);
  if (!isDue(agent, release, against, before, now)) return;
  // With the lens and its words: a worker starts without them.
  const { lookAtReleases } = await import("../stages/cohort-state.ts");
  const last = before?.state as CohortState | undefined;
  const question = { agent: agent.name, release, against, now, isScheduled: isScheduled(last, now), last };
  const state = await lookAtReleases(store, projectId, question).catch((error: unknown) => {
    // Recordings that went before they were reduced, two worlds on one side: said, and looked at again when more came.
    if (!(error instanceof SpoorError)) throw error;
    return failed(error, release, against, last);
  });
  const pair = { agentId: agent.id, releaseId: release.id, againstId: against.id };
  const look = { looks: (before?.looks ?? 0) + 1, state: state as unknown as Json, at: now.getTime() };
  const alerts = state.problem === undefined ? [alertOf(projectId, pair, agent, release, against, state)] : [];
  await store.cohorts.look(projectId, pair, { ...look, alerts, event: eventOf(agent, release, against, state) });
}

function isDue(agent: Agent, release: Release, against: Release, before: CohortLook | undefined, now: Date): boolean {
  const last = before?.state as CohortState | undefined;
  if (last !== undefined && last.seen.candidate === release.runs && last.seen.baseline === against.runs) return false;
  const isQuiet = now.getTime() - (agent.lastReceivedAt ?? 0) >= QUIET_MS;
  return isQuiet || release.runs >= 2 * (last?.seen.candidate ?? 1);
}

function isScheduled(last: CohortState | undefined, now: Date): boolean {
  return last?.test === undefined || now.getTime() - last.test.scheduledAt >= SCHEDULE_MS;
}

function failed(error: SpoorError, release: Release, against: Release, last: CohortState | undefined): CohortState {
  return present({
    ...last,
    verdict: last?.verdict ?? ("not_enough_evidence" as const),
    alarm: last?.alarm ?? false,
    runs: last?.runs ?? { baseline: 0, candidate: 0 },
    seen: { baseline: against.runs, candidate: release.runs },
    problem: { code: error.code, message: error.message },
  });
}

function alertOf(
  projectId: number,
  { agentId, releaseId }: { readonly agentId: number; readonly releaseId: number },
  { name }: Agent,
  release: Release,
  against: Release,
  { alarm, verdict, changed = [], report }: CohortState,
): AlertChange {
  const where = changed.length === 0 ? "" : ` (${changed.join(", ")})`;
  const words = alarm ? `behaves differently from ${against.name}${where}` : `no longer differs from ${against.name}`;
  const facts = present({
    agent: name,
    release: release.name,
    against: against.name,
    verdict,
    changed: [...changed],
    report,
    sentence: `Release ${release.name} of ${name} ${words}.`,
    path:
      report === undefined ? `/api/v1/agents/${encodeURIComponent(name)}/cohorts` : `/api/v1/reports/${report}.html`,
  }) as JsonObject;
  const state = alarm ? "raised" : "cleared";
  return { projectId, agentId, releaseId, subject: "cohort", event: "cohort", state, facts };
}

function eventOf(agent: Agent, release: Release, against: Release, { verdict, alarm, report }: CohortState): Json {
  return present({ agent: agent.name, release: release.name, against: against.name, verdict, alarm, report }) as Json;
}
