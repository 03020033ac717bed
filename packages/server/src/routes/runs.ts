/** Runs that were evaluated, that wait for it, or that could not be read. */
import type { Json, JsonObject } from "@spoor/core";
import { present } from "@spoor/core/internal/trace/present";
import { isShownId, shownId } from "../ingest/content-id.ts";
import type { RunFilter, StoredRun } from "../store/store.ts";
import { openCursors } from "./cursor.ts";
import { notFound } from "./error-answer.ts";
import { parameter } from "./parameter.ts";
import { defineRoute, json } from "./route.ts";
import { findingJson, runJson } from "./run-json.ts";
import type { Service } from "./service.ts";

const PAGE = 100;
/** Counted exactly up to here: beyond, nobody looks at the last digit, and counting on takes longer than the page. */
const MOST_COUNTED = 10_000;

/** The filters of a list of runs; also of sets that are exported. */
export const runFilters = {
  agent: parameter.text("of this agent"),
  release: parameter.text("of this release"),
  scenario: parameter.text("of this scenario"),
  tool: parameter.text("that called this tool"),
  behaviour: parameter.integer("of the behaviour with this number"),
  status: parameter.text("passed, failed or not_evaluated"),
  verdict: parameter.text("beside the baseline: match, variant, new …"),
  model: parameter.text("with this model"),
  rule: parameter.text("with a finding of this rule"),
  from: parameter.time("received at this time or later"),
  to: parameter.time("received before this time"),
};

export const listRuns = defineRoute({
  method: "GET",
  path: "/api/v1/runs",
  scope: "read",
  summary: "Runs, newest first, in pages.",
  query: {
    ...runFilters,
    q: parameter.text("that hold this text: in a name, a finding, or in what they said and did, as `refund.amount`"),
    limit: parameter.integer("so many on a page (default and most 100)", 1, PAGE),
    cursor: parameter.text("`next` of the page before"),
    count: parameter.integer("1: also count them, exactly up to 10,000", 0, 1),
    replaced: parameter.integer("1: also runs that later spans of their trace replaced (`supersededBy`)", 0, 1),
  },
  answer:
    "200 `{runs, next?, count?, more?}`; `more` says that there are more than were counted. With `q` recordings are looked at, some hundred for an answer: `{runs, next?, looked, notKept}`, where `looked` were looked at, `notKept` of them without a recording, and `next` goes on with older ones, also when none was found. Such an answer counts nothing.",
  async run({ caller: { projectId }, query }, { store, now, reading }) {
    const { limit = PAGE, cursor, count, replaced, q, ...asked } = query;
    const filter = { ...asked, superseded: replaced === 1 ? true : undefined };
    const question = present({ ...filter, q }) as Json;
    const cursors = await openCursors(store, projectId, now());
    const before = cursor === undefined ? undefined : cursors.read(cursor, question);
    if (q !== undefined) {
      // With the readers of recordings: the service starts without them.
      const { findInRuns } = await import("../stages/find-in-runs.ts");
      const asking = { filter: present(filter) as RunFilter, text: q, before, limit };
      const { runs, last, looked, notKept } = await reading(() => findInRuns(store, projectId, asking));
      const next = last === undefined ? undefined : cursors.write(last, question);
      return json(present({ runs: runs.map(runJson), next, looked, notKept }) as Json);
    }
    // One more than is shown says whether there is a next page.
    const found = await store.runs.page(projectId, present(filter) as RunFilter, before, limit + 1);
    const runs = found.slice(0, limit);
    const counted =
      count === 1 ? await store.runs.count(projectId, present(filter) as RunFilter, MOST_COUNTED) : undefined;
    return json(
      present({
        runs: runs.map(runJson),
        next: found.length > limit ? cursors.write(runs.at(-1)!.id, question) : undefined,
        count: counted === undefined ? undefined : Math.min(counted, MOST_COUNTED),
        more: counted === undefined ? undefined : counted > MOST_COUNTED,
      }) as Json,
    );
  },
});

export const showRun = defineRoute({
  method: "GET",
  path: "/api/v1/runs/{id}",
  scope: "read",
  summary: "One run with its findings; also what waits for evaluation or was refused.",
  answer:
    '200 `{state: "run", run, findings, tools, stages}`; `{state: "runs", runs}` where one recording held several; 202 `{state: "waiting"}`; 200 `{state: "refused", code, message, at?}`.',
  async run({ caller: { projectId }, path }, service) {
    const found = await runState(projectId, path["id"]!, service);
    if (found === undefined) throw notFound("such run");
    return json(found, found["state"] === "waiting" ? 202 : 200);
  },
});

/** All that is known of what has this id; undefined when nothing has. */
export async function runState(projectId: number, shown: string, service: Service): Promise<JsonObject | undefined> {
  const { store } = service;
  const id = shown.toLowerCase();
  if (!isShownId(id)) return undefined;
  const runs = await store.runs.named(projectId, id);
  if (runs.length > 1) return { state: "runs", id, runs: runs.map(runJson) };
  if (runs[0] !== undefined) return oneRun(projectId, runs[0], service);
  const waiting = await store.inbox.find(projectId, Buffer.from(id, "hex"));
  if (waiting === undefined) return undefined;
  if (waiting === "waiting") return { state: "waiting", id };
  const { code, message, at, receivedAt } = waiting;
  return present({ state: "refused", id, code, message, at, receivedAt });
}

async function oneRun(projectId: number, run: StoredRun, { store }: Service): Promise<JsonObject> {
  const [findings, tools, stages] = await Promise.all([
    store.runs.findings(projectId, run.id),
    store.runs.tools(projectId, run.id),
    store.runs.stages(projectId, run.id),
  ]);
  return {
    state: "run",
    id: shownId(run.contentId),
    run: runJson(run),
    findings: findings.map(findingJson),
    tools: tools.map((tool) => ({ ...tool })),
    stages: stages.map((stage) => ({ ...stage })),
  };
}

export const deleteRun = defineRoute({
  method: "DELETE",
  path: "/api/v1/runs/{id}",
  scope: "admin",
  summary: "Removes a run: figures, findings and recording. The same bytes do not come back.",
  answer: "204; 404 where there is none.",
  async run({ caller: { projectId }, path }, { store, now }) {
    const run = await onlyRun(projectId, path["id"]!, store.runs);
    if (!(await store.runs.remove(projectId, run.id, now()))) throw notFound("such run");
    return { status: 204 };
  },
});

/** The run of that address; not one of several that came together. */
export async function onlyRun(projectId: number, id: string, runs: Service["store"]["runs"]): Promise<StoredRun> {
  const found = isShownId(id.toLowerCase()) ? await runs.named(projectId, id.toLowerCase()) : [];
  if (found.length !== 1) throw notFound("such run");
  return found[0]!;
}

export const listRejected = defineRoute({
  method: "GET",
  path: "/api/v1/rejected",
  scope: "read",
  summary: "Recordings that were taken and could not be read afterwards, newest first.",
  query: { before: parameter.integer("before this number, from the page before") },
  answer: "200 `{rejected, next?}`.",
  async run({ caller: { projectId }, query }, { store }) {
    const rejected = await store.inbox.rejected(projectId, query.before, PAGE);
    return json(
      present({
        rejected: rejected.map(({ contentId, head: _, ...one }) => present({ ...one, id: shownId(contentId) })),
        next: rejected.length < PAGE ? undefined : rejected.at(-1)!.id,
      }) as Json,
    );
  },
});
