/** What happens, as it happens. */
import { invalidRequest } from "./parameter.ts";
import { defineRoute } from "./route.ts";

export const listenToEvents = defineRoute({
  method: "GET",
  path: "/api/v1/events",
  scope: "read",
  summary:
    "Server-sent events (`run`, `finding`, `verdict`, `cohort`, `review`): ids and counts, a few a second at most.",
  answer: "200 `text/event-stream`, from now on, or from `Last-Event-ID` on; 429 when too many listen.",
  async run({ caller: { projectId }, request }, { store, listeners }) {
    const given = request.headers["last-event-id"];
    if (given !== undefined && !/^\d{1,15}$/.test(String(given)))
      throw invalidRequest("Last-Event-ID is none of this service.");
    const after = given === undefined ? await store.events.last(projectId) : Number(given);
    return {
      status: 200,
      // Proxies that gather what they pass on would hold it back.
      headers: { "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" },
      content: listeners.open(projectId, after),
    };
  },
});
