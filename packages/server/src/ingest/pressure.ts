/**
 * Whether there is room for more, asked before a body is read. Looked up once in a while and remembered: what is asked changes slowly, and every request
 * asks it.
 */
import { SpoorError } from "@spoor/core/internal/errors";
import type { Store } from "../store/store.ts";
import { busy, waiting } from "./busy.ts";
import type { Limits } from "./limits.ts";

export interface Pressure {
  /** Throws `store.full` or `ingest.busy`. */
  require(projectId: number): Promise<void>;
}

export interface PressureOptions {
  readonly limits: Limits;
  readonly now: () => number;
  readonly freeDisk: (() => Promise<{ readonly free: number; readonly total: number }>) | undefined;
}

const REMEMBERED_MS = 1_000;
const WAIT_SECONDS = 30;

export function createPressure(store: Store, { limits, now, freeDisk }: PressureOptions): Pressure {
  const isFull = remembering(async () => {
    if (freeDisk === undefined) return false;
    const { free, total } = await freeDisk();
    return free < limits.freeBytes || free < total * limits.freeShare;
  }, now);
  /** The projects that wait more than others, when all wait too long. */
  const slowed = remembering(async () => {
    const all = await store.inbox.lag();
    if (all.oldestReceivedAt === undefined || now() - all.oldestReceivedAt <= limits.lagMs) return new Set<number>();
    const projects = await store.projects.list();
    const lags = await Promise.all(
      projects.map(async ({ id }) => ({ id, waiting: (await store.inbox.lag(id)).waiting })),
    );
    const sharing = lags.filter((one) => one.waiting > 0);
    // Alone it has all there is: then nobody else is served later for it.
    return new Set(sharing.filter((one) => one.waiting > all.waiting / sharing.length).map(({ id }) => id));
  }, now);

  return {
    async require(projectId) {
      if (await isFull())
        throw waiting(
          new SpoorError("store.full", "The disk of the service is nearly full, so nothing more is stored.", {
            hint: "Free some of it, or keep bodies for a shorter time.",
          }),
          WAIT_SECONDS,
        );
      if ((await slowed()).has(projectId))
        throw busy("Evaluation is minutes behind, and this project has more than its share waiting.", WAIT_SECONDS);
    },
  };
}

/** One question at a time, however many ask. */
function remembering<T>(look: () => Promise<T>, now: () => number): () => Promise<T> {
  let known: { readonly answer: Promise<T>; readonly until: number } | undefined;
  return () => {
    if (known === undefined || known.until <= now()) {
      const answer = look();
      known = { answer, until: now() + REMEMBERED_MS };
      // What could not be looked up is asked again.
      answer.catch(() => {
        known = undefined;
      });
    }
    return known.answer;
  };
}
