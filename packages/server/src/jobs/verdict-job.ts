/**
 * The newest release of each agent against the one before it, judged when its runs have stopped coming for a while, and again when more came. What
 * it says is a report like any other; the event tells whoever listens.
 */
import { SpoorError } from "@spoor/core/internal/errors";
import { judgeRelease } from "../stages/judge-release.ts";
import { keepVerdict } from "../stages/kept-verdict.ts";
import type { Agent, AlertChange, Release, Store } from "../store/store.ts";
import type { Job } from "./job.ts";
import { newestReleases } from "./newest-releases.ts";

const QUIET_MS = 10_000;

export function verdictJob(): Job {
  return {
    name: "verdict",
    everyMs: 5_000,
    async run(store, now) {
      for (const { id } of await store.projects.list())
        for (const agent of await store.agents.list(id)) await judgeNewest(store, id, agent, now);
    },
  };
}

async function judgeNewest(store: Store, projectId: number, agent: Agent, now: Date): Promise<void> {
  const { lastReceivedAt, name } = agent;
  if (lastReceivedAt === undefined || now.getTime() - lastReceivedAt < QUIET_MS) return;
  const [newest, before] = await newestReleases(store, projectId, name);
  if (newest === undefined || before === undefined) return;
  if (!(await isUnjudged(store, projectId, agent, newest, before))) return;
  try {
    const question = { agent: name, release: newest.name, against: before.name, now };
    const { reportId, report } = await judgeRelease(store, projectId, question);
    const body = { agent: name, release: newest.name, against: before.name, status: report.status, report: reportId };
    await keepVerdict(store, projectId, { ...body, at: now.getTime() }, report);
    await store.events.add(projectId, "verdict", body, now.getTime(), alertsOf(projectId, agent, newest, body));
  } catch (error) {
    // Bodies that are gone or releases too large for one answer: nothing to say, and nothing to try again.
    if (!(error instanceof SpoorError)) throw error;
  }
}

/** A release that is blocked, until it passes; what could not be evaluated changes nothing. */
function alertsOf(
  projectId: number,
  agent: Agent,
  { id: releaseId }: Release,
  { status, report, release, against }: { status: string; report: number; release: string; against: string },
): readonly AlertChange[] {
  if (status !== "blocked" && status !== "passed") return [];
  const state = status === "blocked" ? "raised" : "cleared";
  const sentence = `Release ${release} of ${agent.name} ${status === "blocked" ? "is blocked" : "passes"}, compared with ${against}.`;
  const facts = {
    agent: agent.name,
    release,
    against,
    status,
    report,
    sentence,
    path: `/api/v1/reports/${report}.html`,
  };
  return [{ projectId, agentId: agent.id, releaseId, subject: "verdict", event: "verdict", state, facts }];
}

/** So many runs of both are judged once, by one process. */
function isUnjudged(store: Store, projectId: number, agent: Agent, newest: Release, before: Release): Promise<boolean> {
  const key = `verdict ${projectId} ${agent.id} ${newest.id}:${newest.runs} ${before.id}:${before.runs}`;
  return store.leases.take(key, Number.MAX_SAFE_INTEGER, 0);
}
