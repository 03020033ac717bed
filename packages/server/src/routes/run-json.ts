/** Rows of the store as clients see them: ids as hex, absent fields absent. */
import type { Json } from "@spoor/core";
import { present } from "@spoor/core/internal/trace/present";
import { shownId } from "../ingest/content-id.ts";
import type { Finding, StoredRun } from "../store/store.ts";

/** `id` is the address of the run; `arrival` that of what it came with, which may hold several. */
export function runJson({ id, contentId, arrivalId, behaviourId, supersededBy, ...run }: StoredRun): Json {
  return present({
    id: shownId(contentId),
    number: id,
    arrival: shownId(arrivalId),
    ...run,
    behaviour: behaviourId,
    supersededBy,
  }) as Json;
}

export function findingJson({ id, runId: _, ...finding }: Finding): Json {
  return present({ id, ...finding }) as Json;
}
