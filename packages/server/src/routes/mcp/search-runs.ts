/** `search_runs`: which runs there are, by the filters of `GET /runs`, newest first, a line each. */
import type { Json, JsonObject } from "@spoor/core";
import { present } from "@spoor/core/internal/trace/present";
import { clean, dataAnswer, PAGE } from "spoor/internal/mcp/answer";
import type { ListedTool } from "spoor/internal/mcp/tool";
import { shownId } from "../../ingest/content-id.ts";
import type { RunFilter, Store, StoredRun } from "../../store/store.ts";
import type { Cursors } from "../cursor.ts";
import { type Parameter, readParameters } from "../parameter.ts";
import { runFilters } from "../runs.ts";

export const SEARCH_RUNS = "search_runs";
const MOST_RUNS = 50;

export const searchTool: ListedTool = {
  name: SEARCH_RUNS,
  title: "Find runs",
  description:
    "Runs that the service has, newest first: the id of each, its agent and release, what it worked on, whether it kept the rules, how it stands to the baseline, and its figures. The other tools take the ids.",
  inputSchema: {
    type: "object",
    properties: Object.fromEntries(Object.entries(runFilters).map(([name, one]) => [name, schemaOf(one)])),
    additionalProperties: false,
  },
};

/** As `readParameters` reads it. */
function schemaOf({ type, help }: Parameter<unknown>): Json {
  if (type === "number") return { type: "integer", minimum: 0, description: help };
  return { type: "string", description: type === "time" ? `${help}, as ISO 8601 writes it` : help };
}

export async function searchRuns(
  store: Store,
  projectId: number,
  args: JsonObject,
  cursor: Json | undefined,
  cursors: Cursors,
): Promise<JsonObject> {
  const filter = present(readParameters(runFilters, args, SEARCH_RUNS)) as RunFilter;
  const before =
    cursor === undefined ? undefined : cursors.read(typeof cursor === "string" ? cursor : "", filter as Json);
  const found = await store.runs.page(projectId, filter, before, MOST_RUNS + 1);
  const runs = fitting(found.slice(0, MOST_RUNS));
  const next = found.length > runs.length ? cursors.write(runs.at(-1)!.id, filter as Json) : undefined;
  const more = next === undefined ? "" : `; the next with cursor "${next}"`;
  const listed = clean(runs.map(figuresOf)) as readonly JsonObject[];
  return dataAnswer({
    note: `spoor ${SEARCH_RUNS}: ${runs.length === 1 ? "1 run" : `${runs.length} runs`}${more}.`,
    texts: [runs.length === 0 ? "No run is like that." : listed.map(lineOf).join("\n")],
    structured: { runs: listed as Json, ...(next === undefined ? {} : { cursor: next }) },
  });
}

/** So many of them as a page has room for; at least one. */
function fitting(runs: readonly StoredRun[]): readonly StoredRun[] {
  let size = 0;
  const end = runs.findIndex((run, index) => {
    size += lineOf(figuresOf(run) as JsonObject).length + 1;
    return index > 0 && size > PAGE;
  });
  return end < 0 ? runs : runs.slice(0, end);
}

function figuresOf(run: StoredRun): Json {
  const { agent, release, scenario, name, model, status, verdict, turns, calls, errors, findings, receivedAt } = run;
  return present({
    id: shownId(run.contentId),
    agent,
    release,
    scenario,
    name,
    model,
    status,
    verdict,
    turns,
    calls,
    errors,
    findings,
    receivedAt: new Date(receivedAt).toISOString(),
  }) as Json;
}

function lineOf(run: JsonObject): string {
  const { id, agent, release, scenario, name, status, verdict, turns, calls, errors, findings, receivedAt } = run;
  const figures = `${turns} turns, ${calls} calls, ${errors} errors, ${findings} findings`;
  const who = release === undefined ? agent : `${String(agent)}@${String(release)}`;
  return [id, who, scenario ?? name, status, verdict, figures, receivedAt].map(String).join("  ");
}
