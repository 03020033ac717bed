/**
 * Sessions that the guards of several processes share: `createServiceStore` of `@spoor/record` asks these. A guard takes a session, judges, and keeps what it
 * remembers then; nobody else has it meanwhile.
 */
import { RefusedBody } from "spoor/internal/record/otlp/otlp-body";
import { withBody } from "../ingest/take-body.ts";
import { invalidRequest, parameter } from "./parameter.ts";
import { defineRoute, json } from "./route.ts";
import { asUnavailable, requireRoom } from "./traces.ts";

/** Judging takes milliseconds. Whoever has a session for so long was killed. */
const HELD_MS = 10_000;

const query = {
  session: parameter.requiredText("the SHA-256 of the session's id, 64 hex digits"),
  lock: parameter.requiredText("32 hex digits that nobody else has; the same ones for the same step"),
};

export const takeSession = defineRoute({
  method: "POST",
  path: "/api/v1/guard/take",
  scope: "ingest",
  programsOnly: true,
  summary: "Takes a session of a guard, for ten seconds, so that nobody else changes it.",
  query,
  answer: "`{saved}` is what was kept of it, absent at first; `{held: true}` when another process has it: ask again.",
  async run({ caller, query: { session, lock } }, service) {
    requireDigits(session, lock);
    await requireRoom({ caller }, service);
    const taken = await service.store.guardSessions
      .take(caller.projectId, session, lock, service.now(), HELD_MS)
      .catch(asUnavailable);
    return json(taken === "held" ? { held: true } : { ...taken });
  },
});

export const keepSession = defineRoute({
  method: "POST",
  path: "/api/v1/guard/keep",
  scope: "ingest",
  programsOnly: true,
  summary: "Keeps what a guard remembers of a session that it took, and lets go of it.",
  query,
  content: "the text to keep; an empty one forgets the session",
  answer:
    "`{kept: true}`, also when the same was asked before; `{kept: false}` when the session was taken by another meanwhile.",
  async run({ caller, query: { session, lock }, request }, service) {
    requireDigits(session, lock);
    return withBody(request, service, async ({ bytes }) => {
      const saved = bytes.length === 0 ? undefined : textOf(bytes);
      const kept = await service.store.guardSessions
        .keep(caller.projectId, session, lock, saved, service.now())
        .catch(asUnavailable);
      return json({ kept });
    });
  },
});

export const releaseSession = defineRoute({
  method: "POST",
  path: "/api/v1/guard/release",
  scope: "ingest",
  programsOnly: true,
  summary: "Lets go of a session that was taken, and leaves it as it was.",
  query,
  answer: "`{}`",
  async run({ caller, query: { session, lock } }, service) {
    requireDigits(session, lock);
    await service.store.guardSessions.release(caller.projectId, session, lock).catch(asUnavailable);
    return json({});
  },
});

function requireDigits(session: string, lock: string): void {
  if (!/^[0-9a-f]{64}$/.test(session)) throw invalidRequest("session is not the SHA-256 of an id, in 64 hex digits.");
  if (!/^[0-9a-f]{32}$/.test(lock)) throw invalidRequest("lock is not 32 hex digits.");
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new RefusedBody(400, "the body is not UTF-8");
  }
}
