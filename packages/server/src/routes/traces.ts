/** Recordings come in: any format, acknowledged when they are stored and not before. */
import { SpoorError } from "@spoor/core/internal/errors";
import { present } from "@spoor/core/internal/trace/present";
import { checkContent } from "../ingest/check-content.ts";
import { contentIdOf, shownId } from "../ingest/content-id.ts";
import { withBody } from "../ingest/take-body.ts";
import type { Arrival } from "../store/store.ts";
import { parameter } from "./parameter.ts";
import { type Asked, defineRoute, json } from "./route.ts";
import type { Service } from "./service.ts";

export const pushTrace = defineRoute({
  method: "POST",
  path: "/api/v1/traces",
  scope: "ingest",
  summary: "Takes a recording in any format that Spoor reads, of one run or of several.",
  query: {
    agent: parameter.text("the agent, where the recording does not name it"),
    scenario: parameter.text("what it worked on"),
    release: parameter.text("the version of the agent"),
    trial: parameter.text("which of several runs of one scenario"),
    name: parameter.text("the name of its file, for errors and lists"),
  },
  content: "the recording itself; plain or `Content-Encoding: gzip`",
  answer:
    "201 `{id, created: true}` when it is stored; 200 with `created: false` when the same bytes were there already. What no format claims is refused in the reader's words.",
  async run({ caller, query, request }, service) {
    await requireRoom({ caller }, service);
    return withBody(request, service, async ({ sent, codec, bytes }) => {
      const format = await checkContent(bytes, query.name ?? "the body", service.limits.decodedBytes);
      const contentId = contentIdOf(bytes);
      const isNew = await stored(service, {
        projectId: caller.projectId,
        contentId,
        source: { ...present(query), format },
        codec,
        body: sent,
        receivedAt: service.now(),
      });
      return json({ id: shownId(contentId), created: isNew }, isNew ? 201 : 200);
    });
  },
});

/** Asked of everybody who sends something to keep, before the body is read. */
export async function requireRoom(
  { caller }: Pick<Asked<unknown, unknown>, "caller">,
  service: Service,
): Promise<void> {
  service.rate.take(caller.tokenId === undefined ? "this machine" : String(caller.tokenId));
  await service.pressure.require(caller.projectId).catch(asUnavailable);
}

/** Durable when it resolves: whether it is new. */
export async function stored(service: Service, arrival: Arrival): Promise<boolean> {
  const [isNew = false] = await service.store.inbox.append([arrival]).catch(asUnavailable);
  service.metrics.count("spoor_ingest_total", { result: isNew ? "new" : "known" });
  return isNew;
}

/** A store that does not answer is nobody's mistake, and the same request will be good again. */
export function asUnavailable(error: unknown): never {
  if (error instanceof SpoorError) throw error;
  throw new SpoorError("store.unavailable", "The store does not answer; nothing was kept.", {
    hint: "Send it again.",
    cause: error,
  });
}
