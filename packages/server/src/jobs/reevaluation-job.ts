/**
 * Runs are judged again by rules that were put or changed after they arrived, newest first, in pages. What was said before stays until the new is
 * there. A rule file that cannot be read judges nothing again.
 */
import { SpoorError } from "@spoor/core/internal/errors";
import { checkRun } from "../stages/check-run.ts";
import { createProjectRules } from "../stages/project-rules.ts";
import type { PolicyRules } from "../stages/run-rules.ts";
import { traceOfRun } from "../stages/stored-traces.ts";
import type { JudgedAgain, Reevaluation, Store, StoredRun } from "../store/store.ts";
import type { Job } from "./job.ts";

const PAGE = 50;
/** Of one turn: other jobs wait for it. */
const PAGES = 20;
/** So long after the change nobody judges arrivals by the rules before any more. */
const SETTLED_MS = 30_000;

export function reevaluationJob(): Job {
  return {
    name: "reevaluation",
    everyMs: 2_000,
    async run(store, now) {
      for (const { id } of await store.projects.list()) await judgeAgain(store, id, now);
    },
  };
}

async function judgeAgain(store: Store, projectId: number, now: Date): Promise<void> {
  const policy = await currentRules(store, projectId);
  if (policy === "unreadable") return;
  const rules = policy === undefined ? "none" : `${policy.hash} ${policy.failOn}`;
  const known = await store.reevaluations.current(projectId);
  // A project that never had rules has nothing to judge again.
  if (known === undefined && policy === undefined) return;
  if (known?.rules !== rules) await store.reevaluations.begin(projectId, rules, now.getTime());
  for (let pages = 0; pages < PAGES; pages++) {
    const state = await store.reevaluations.current(projectId);
    if (state === undefined || state.rules !== rules || state.finishedAt !== undefined) return;
    if (await judgePage(store, projectId, policy, state, now)) continue;
    if (state.isSwept) return store.reevaluations.finish(projectId, rules, now.getTime());
    if (now.getTime() - state.startedAt < SETTLED_MS) return;
    await store.reevaluations.sweep(projectId, rules);
  }
}

async function currentRules(store: Store, projectId: number): Promise<PolicyRules | undefined | "unreadable"> {
  try {
    return await createProjectRules(store).policy(projectId);
  } catch (error) {
    if (!(error instanceof SpoorError)) throw error;
    return "unreadable";
  }
}

/** False when none is left. */
async function judgePage(
  store: Store,
  projectId: number,
  policy: PolicyRules | undefined,
  { rules, cursor, floor }: Reevaluation,
  now: Date,
): Promise<boolean> {
  const runs = await store.reevaluations.page(projectId, { cursor, floor }, PAGE);
  if (runs.length === 0) return false;
  const today = now.toISOString().slice(0, 10);
  const judged: JudgedAgain[] = [];
  for (const run of runs) {
    const one = await judgeRun(store, projectId, run, policy, today);
    if (one !== undefined) judged.push(one);
  }
  const page = { rules, cursor, next: runs.at(-1)!.id, judged, notKept: runs.length - judged.length };
  await store.reevaluations.write(projectId, { ...page, at: now.getTime() });
  return true;
}

/** Undefined when what the run said and did is gone. */
async function judgeRun(
  store: Store,
  projectId: number,
  run: Pick<StoredRun, "id" | "name">,
  policy: PolicyRules | undefined,
  today: string,
): Promise<JudgedAgain | undefined> {
  if (policy === undefined) return { runId: run.id, status: "not_evaluated", findings: [] };
  try {
    return { runId: run.id, ...checkRun(await traceOfRun(store, projectId, run), policy, today) };
  } catch (error) {
    if (error instanceof SpoorError && error.code === "server.body-gone") return undefined;
    throw error;
  }
}
