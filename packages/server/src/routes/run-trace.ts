/** A run as a page shows it, in slices: what it said and did, with what rules found where it happened. */
import type { Json } from "@spoor/core";
import { present } from "@spoor/core/internal/trace/present";
import { shownId } from "../ingest/content-id.ts";
import { parameter } from "./parameter.ts";
import { defineRoute, json } from "./route.ts";
import { onlyRun } from "./runs.ts";

/** Of the turns of one answer, as JSON; a turn that is longer comes alone. */
const MOST_CHARACTERS = 1_000_000;

export const showTrace = defineRoute({
  method: "GET",
  path: "/api/v1/runs/{id}/trace",
  scope: "read",
  summary: "What a run said and did, turn by turn, as `spoor view` shows it.",
  query: { from: parameter.integer("from this turn on, `next` of the slice before (default 0)") },
  answer:
    "200 `{id, of, next?, view}`: `of` turns in all; `view` of the first slice is the whole run view, of later ones its `turns` alone. 404 when the recording is not kept any more.",
  async run({ caller: { projectId }, path, query }, { store, reading }) {
    const run = await onlyRun(projectId, path["id"]!, store.runs);
    // With the page's words: the service starts without them.
    const [{ traceOfRun }, { findingsInPlace }, { pageView }] = await Promise.all([
      import("../stages/stored-traces.ts"),
      import("../stages/findings-in-place.ts"),
      import("spoor/internal/describe/show/page-view"),
    ]);
    const view = await reading(async () => {
      const findings = findingsInPlace(await store.runs.findings(projectId, run.id));
      return pageView(await traceOfRun(store, projectId, run), findings);
    });
    const from = query.from ?? 0;
    const turns = slice(view.turns, from);
    const next = from + turns.length < view.turns.length ? from + turns.length : undefined;
    const shown = from === 0 ? { ...view, turns } : { turns };
    return json(present({ id: shownId(run.contentId), of: view.turns.length, next, view: shown }) as unknown as Json);
  },
});

function slice<Turn>(turns: readonly Turn[], from: number): readonly Turn[] {
  let characters = 0;
  let to = from;
  for (; to < turns.length; to++) {
    characters += JSON.stringify(turns[to], (_, value) => (typeof value === "bigint" ? String(value) : value)).length;
    if (characters > MOST_CHARACTERS && to > from) break;
  }
  return turns.slice(from, to);
}
