/** Releases against each other over all their runs: changed, unchanged, or how many more runs it takes. */
import type { Json } from "@spoor/core";
import { isObject } from "@spoor/core/internal/trace/json";
import { knownAgent } from "./agents.ts";
import { notFound } from "./error-answer.ts";
import { invalidRequest, parameter } from "./parameter.ts";
import { defineRoute, json } from "./route.ts";

export const listCohorts = defineRoute({
  method: "GET",
  path: "/api/v1/agents/{agent}/cohorts",
  scope: "read",
  summary: "What was last said of each release that was compared with the one before it, over all their runs.",
  answer:
    "200 `{cohorts: [{release, against, looks, lookedAt, verdict, alarm, runs, seen, report?, headline?, detail?, changed?, needed?, test?, sequential?, evidence?, problem?}]}`, the one looked at last first. `verdict` is changed, unchanged or not_enough_evidence; `needed` says how many runs a side would settle it; `evidence` is what the sequential test had after each pair of runs; `test` says how often the fixed test was asked. 404 for an agent nobody knows.",
  async run({ caller: { projectId }, path }, { store }) {
    const agent = await knownAgent(store, projectId, path["agent"]!);
    const cohorts = await store.cohorts.list(projectId, agent);
    return json({
      cohorts: cohorts.map(({ state, ...look }) => ({ ...look, ...(isObject(state) ? state : {}) })),
    });
  },
});

export const compareCohorts = defineRoute({
  method: "POST",
  path: "/api/v1/agents/{agent}/cohorts",
  scope: "admin",
  summary: "Compares two releases as `spoor cohort` does, now; the same runs are compared once.",
  body: {
    release: parameter.requiredText("the release in question"),
    against: parameter.requiredText("the release to compare with"),
  },
  answer:
    "200 `{id, verdict, headline, report}`: `report` is a `spoor.cohort/1`, in words at `/reports/{id}`; 404 where there is no such release.",
  async run({ caller: { projectId }, path, body }, { store, now, reading }) {
    const agent = await knownAgent(store, projectId, path["agent"]!);
    const releases = await store.agents.releases(projectId, agent);
    const named = (name: string) => {
      const found = releases.find((release) => release.name === name && release.runs > 0);
      if (found === undefined) throw notFound(`run of release ${name}`);
      return found;
    };
    if (body.release === body.against) throw invalidRequest("A release compared with itself never differs.");
    const [candidate, baseline] = [named(body.release), named(body.against)];
    // With the lens and its words: the service starts without them.
    const [{ cohortSides, compareReleases }, { headlineOf }] = await Promise.all([
      import("../stages/release-cohort.ts"),
      import("../stages/cohort-state.ts"),
    ]);
    return reading(async () => {
      const sides = await cohortSides(store, projectId, { baseline, candidate });
      const question = { agent, release: body.release, against: body.against, now: new Date(now()) };
      const { reportId, report } = await compareReleases(store, projectId, sides, question);
      const { verdict } = report;
      return json({ id: reportId, verdict, headline: headlineOf(report), report: report as unknown as Json });
    });
  },
});
