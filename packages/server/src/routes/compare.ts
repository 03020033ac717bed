/** Two runs or two releases beside each other. */
import type { Json } from "@spoor/core";
import { present } from "@spoor/core/internal/trace/present";
import { isShownId } from "../ingest/content-id.ts";
import type { ComparedSide } from "../stages/compare-stored.ts";
import { invalidRequest, parameter } from "./parameter.ts";
import { defineRoute, json } from "./route.ts";
import { onlyRun } from "./runs.ts";
import type { Service } from "./service.ts";

export const compareRuns = defineRoute({
  method: "GET",
  path: "/api/v1/compare",
  scope: "read",
  summary: "Two runs, or two releases, as `spoor diff` compares them; the same question is answered once.",
  query: {
    baseline: parameter.requiredText("the address of a run, or `AGENT@RELEASE`"),
    candidate: parameter.requiredText("the same of the other side"),
    scenario: parameter.text("of releases, the runs of this scenario alone"),
  },
  answer:
    "200 `{id, headline, detail, report, view, problem?}`: `report` is a `spoor.diff/1`, in words at `/reports/{id}`; `view` is what a page shows side by side; `problem` says why no rule was asked. 404 where there is no such run or release; 400 when they are too many for one answer.",
  async run({ caller: { projectId }, query }, service) {
    const { reading, store, now } = service;
    // With all words of a comparison: the service starts without them.
    const { compareStored } = await import("../stages/compare-stored.ts");
    return reading(async () => {
      const baseline = await sideOf(query.baseline, query.scenario, projectId, service);
      const candidate = await sideOf(query.candidate, query.scenario, projectId, service);
      const compared = await compareStored(store, projectId, { baseline, candidate }, new Date(now()));
      const { reportId, ...rest } = compared;
      return json(present({ id: reportId, ...rest }) as unknown as Json);
    });
  },
});

async function sideOf(
  asked: string,
  scenario: string | undefined,
  projectId: number,
  { store }: Service,
): Promise<ComparedSide> {
  if (isShownId(asked.toLowerCase())) {
    const run = await onlyRun(projectId, asked, store.runs);
    return { name: run.name, runs: [run] };
  }
  const { parseReleaseName, releaseRuns } = await import("../stages/stored-traces.ts");
  const named = parseReleaseName(asked);
  if (named === undefined)
    throw invalidRequest(
      `${JSON.stringify(asked.slice(0, 60))} is neither the address of a run nor AGENT@RELEASE.`,
      "Take the 32 digits of a run, or name a release: shop@v2.",
    );
  const { MOST_COMPARED } = await import("../stages/compare-stored.ts");
  const name = { ...named, ...(scenario === undefined ? {} : { scenario }) };
  return { name: named.release, runs: await releaseRuns(store, projectId, name, MOST_COMPARED) };
}
