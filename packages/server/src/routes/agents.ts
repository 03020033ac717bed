/** Agents and what is known of each: releases, behaviours, sums by the hour. */
import type { Json } from "@spoor/core";
import { present } from "@spoor/core/internal/trace/present";
import { DAY_MS, groupBy } from "../store/rows.ts";
import type { Store } from "../store/store.ts";
import { notFound } from "./error-answer.ts";
import { invalidRequest, parameter } from "./parameter.ts";
import { defineRoute, json } from "./route.ts";
import { wordsJson } from "./words-json.ts";

export const listAgents = defineRoute({
  method: "GET",
  path: "/api/v1/agents",
  scope: "read",
  summary: "Every agent of the project.",
  answer: "200 `{agents}`.",
  async run({ caller: { projectId } }, { store }) {
    return json({ agents: (await store.agents.list(projectId)).map((agent) => ({ ...agent })) });
  },
});

export const listReleases = defineRoute({
  method: "GET",
  path: "/api/v1/agents/{agent}/releases",
  scope: "read",
  summary: "The releases of an agent.",
  answer: "200 `{releases}`; 404 for an agent nobody knows.",
  async run({ caller: { projectId }, path }, { store }) {
    const agent = await knownAgent(store, projectId, path["agent"]!);
    const releases = await store.agents.releases(projectId, agent);
    return json({ releases: releases.map((release) => ({ ...release })) });
  },
});

export const announceRelease = defineRoute({
  method: "PUT",
  path: "/api/v1/agents/{agent}/releases/{release}",
  scope: "ingest",
  summary: "Says beforehand what a release is made of.",
  body: {
    prompt: parameter.text("digest of its prompt"),
    model: parameter.text("its model"),
    commit: parameter.text("its commit"),
  },
  answer: "204.",
  async run({ caller: { projectId }, path, body }, { store, now }) {
    const [agent, release] = [path["agent"]!, path["release"]!];
    if (parameter.text("").read(agent) === undefined || parameter.text("").read(release) === undefined)
      throw invalidRequest("The agent or the release has no name that can be kept.");
    await store.agents.announce(projectId, agent, release, present(body) as Json, now());
    return { status: 204 };
  },
});

const TREND_DAYS = 14;
/** Summed when the page asks: so many rows of an index, not all there ever were. */
const MOST_TREND_RUNS = 20_000;

export const listBehaviours = defineRoute({
  method: "GET",
  path: "/api/v1/agents/{agent}/behaviours",
  scope: "read",
  summary: "The paths that an agent took, with how often each was seen.",
  answer:
    "200 `{headline, detail, generation?, trend, behaviours}`, each with its `steps` as people read them and its `standing` in the approved baseline: `approved`, `rejected`, `unknown` or `no_baseline`, and its `days`: `{day, runs}` of the last two weeks, days since 1970; `trend` says from which day to which, and among how many of the newest runs; 404 for an agent nobody knows.",
  async run({ caller: { projectId }, path }, { store, now }) {
    const agent = await knownAgent(store, projectId, path["agent"]!);
    // With the readers of baselines: the service starts without them.
    const { standingBehaviours } = await import("../stages/standing-behaviours.ts");
    const { describeBehaviours } = await import("spoor/internal/describe/service/behaviours");
    const { behaviours, generation } = await standingBehaviours(store, projectId, agent);
    const { headline, detail } = describeBehaviours(agent, behaviours);
    const to = Math.floor(now() / DAY_MS);
    const from = to - TREND_DAYS + 1;
    const days = await store.agents.behaviourDays(projectId, agent, from * DAY_MS, MOST_TREND_RUNS);
    const byPath = groupBy(days, ({ id }) => id);
    return json(
      present({
        headline: wordsJson(headline),
        detail: wordsJson(detail),
        generation,
        trend: { from, to, most: MOST_TREND_RUNS },
        behaviours: behaviours.map((behaviour) => ({
          ...behaviour,
          days: (byPath.get(behaviour.id) ?? []).map(({ day, runs }) => ({ day, runs })),
        })),
      }) as Json,
    );
  },
});

const DEFAULT_MS = 7 * DAY_MS;

export const listRollups = defineRoute({
  method: "GET",
  path: "/api/v1/agents/{agent}/rollups",
  scope: "read",
  summary: "Sums of an agent's runs by release and hour.",
  query: {
    from: parameter.time("from this time on (default: seven days ago)"),
    to: parameter.time("before this time (default: now)"),
  },
  answer: "200 `{rollups}`, each with its `hour` since 1970; 404 for an agent nobody knows.",
  async run({ caller: { projectId }, path, query }, { store, now }) {
    const agent = await knownAgent(store, projectId, path["agent"]!);
    const { to = now() + 1, from = to - DEFAULT_MS } = query;
    const rollups = await store.agents.rollups(projectId, agent, from, to);
    return json({ rollups: rollups.map((rollup) => ({ ...rollup })) });
  },
});

export const judgeAgent = defineRoute({
  method: "GET",
  path: "/api/v1/agents/{agent}/releases/{release}/gate",
  scope: "read",
  summary: "What `spoor gate` says of a release, compared with another one; the same question is answered once.",
  query: { against: parameter.text("the release to compare with (default: rules and baseline alone)") },
  answer: "200 `{id, status, report}`: `/reports/{id}` has it in words; 404 where there are no runs.",
  async run({ caller: { projectId }, path, query }, { store, now }) {
    const agent = await knownAgent(store, projectId, path["agent"]!);
    const question = { agent, release: path["release"]!, ...present(query), now: new Date(now()) };
    // With all lenses: the service starts without them.
    const { judgeRelease } = await import("../stages/judge-release.ts");
    const { reportId, report } = await judgeRelease(store, projectId, question);
    return json({ id: reportId, status: report.status, report: report as unknown as Json });
  },
});

/** Its name, as it was asked for. */
export async function knownAgent(store: Store, projectId: number, name: string): Promise<string> {
  if ((await store.agents.list(projectId)).some((agent) => agent.name === name)) return name;
  throw notFound("such agent");
}
