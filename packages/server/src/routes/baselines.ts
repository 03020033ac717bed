/** What agents are known to do, as the files of the command line, and a person's word on it. */
import type { Json } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { parseBaseline } from "@spoor/core/internal/fingerprint/parse-baseline";
import { present } from "@spoor/core/internal/trace/present";
import { collectBody } from "spoor/internal/record/otlp/otlp-body";
import type { BaselineRow } from "../store/store.ts";
import { knownAgent } from "./agents.ts";
import { notFound } from "./error-answer.ts";
import { parameter } from "./parameter.ts";
import { type Asked, defineRoute, json, type Route } from "./route.ts";
import type { Service } from "./service.ts";
import { wordsJson } from "./words-json.ts";

type Verb = "approve" | "reject" | "rollback";

/** In which state a generation may be for it: anything else was decided already. */
const DECIDES: Readonly<Record<Verb, BaselineRow["state"]>> = {
  approve: "candidate",
  reject: "candidate",
  rollback: "archived",
};

const DECIDED_BY = {
  by: parameter.requiredText("who decides: a person"),
  why: parameter.requiredText("the reason"),
};

export const listBaselines = defineRoute({
  method: "GET",
  path: "/api/v1/agents/{agent}/baselines",
  scope: "read",
  summary: "Every generation of an agent's baseline, with who decided what and why.",
  answer: "200 `{baselines}`, without their bodies; 404 for an agent nobody knows.",
  async run({ caller: { projectId }, path }, { store }) {
    const agent = await knownAgent(store, projectId, path["agent"]!);
    return json({ baselines: (await store.baselines.list(projectId, agent)).map(baselineJson) });
  },
});

export const proposeBaseline = defineRoute({
  method: "POST",
  path: "/api/v1/agents/{agent}/baselines",
  scope: "admin",
  summary: "Proposes a baseline, as `spoor baseline build` writes it; it counts when somebody approves it.",
  content: "a baseline file",
  answer: "201 with the new generation; 400 with every problem of the file.",
  async run({ caller: { projectId }, path, request }, { store, limits, now }) {
    const agent = await knownAgent(store, projectId, path["agent"]!);
    const text = (await collectBody(request, limits.wireBytes)).toString("utf8");
    parseBaseline(text, { file: "the body" });
    const row = await store.baselines.propose(projectId, agent, text, { source: "upload" }, now());
    return json(baselineJson(row), 201);
  },
});

export const showBaseline = defineRoute({
  method: "GET",
  path: "/api/v1/agents/{agent}/baselines/{generation}",
  scope: "read",
  summary: "The baseline file of a generation, which `spoor baseline` reads; `approved` is the one that counts.",
  answer: "200, the file; 404 where there is none.",
  async run({ caller: { projectId }, path }, { store }) {
    const agent = await knownAgent(store, projectId, path["agent"]!);
    const row =
      path["generation"] === "approved"
        ? await store.baselines.approved(projectId, agent)
        : (await store.baselines.list(projectId, agent)).find(
            ({ generation }) => String(generation) === path["generation"],
          );
    if (row === undefined) throw notFound("such baseline");
    return { status: 200, headers: { "content-type": "application/json; charset=utf-8" }, content: row.body };
  },
});

export const showBaselineChanges = defineRoute({
  method: "GET",
  path: "/api/v1/agents/{agent}/baselines/{generation}/changes",
  scope: "read",
  summary: "What approving a generation would change: paths that become known, and paths that stop being so.",
  answer:
    "200 `{sentence, added, dropped, kept, runs, runsBefore?}`, beside the generation that counts; 404 where there is none.",
  async run({ caller: { projectId }, path }, { store }) {
    const agent = await knownAgent(store, projectId, path["agent"]!);
    const rows = await store.baselines.list(projectId, agent);
    const row = rows.find(({ generation }) => String(generation) === path["generation"]);
    if (row === undefined) throw notFound("such baseline");
    const now = rows.find(({ state, generation }) => state === "approved" && generation !== row.generation);
    const { baselineChanges } = await import("../stages/baseline-changes.ts");
    const { describeBaselineChanges } = await import("spoor/internal/describe/service/baseline-changes");
    const changes = baselineChanges(row, now);
    return json({ ...changes, sentence: wordsJson(describeBaselineChanges(changes)) } as unknown as Json);
  },
});

export const approveBaseline = decisionRoute("approve", "Makes a proposed generation the one that counts.");
export const rejectBaseline = decisionRoute("reject", "Turns a proposed generation down.");
export const rollbackBaseline = decisionRoute("rollback", "Makes a generation count again that counted before.");

function decisionRoute(verb: Verb, summary: string): Route {
  return defineRoute({
    method: "POST",
    path: `/api/v1/agents/{agent}/baselines/{generation}/${verb}`,
    scope: "admin",
    summary,
    body: DECIDED_BY,
    answer: `200 with the generation; 409 when it is not ${DECIDES[verb]}; 404 where there is none.`,
    run: (asked, service) => decide(verb, asked, service),
  });
}

async function decide(
  verb: Verb,
  { caller: { projectId }, path, body }: Asked<unknown, unknown>,
  { store, now }: Service,
) {
  const agent = await knownAgent(store, projectId, path["agent"]!);
  const generation = Number(path["generation"]);
  const row = (await store.baselines.list(projectId, agent)).find((one) => one.generation === generation);
  if (row === undefined) throw notFound("such baseline");
  if (row.state !== DECIDES[verb])
    throw new SpoorError("request.conflict", `Generation ${generation} is ${row.state}, not ${DECIDES[verb]}.`, {
      hint: "Look at the generations again: somebody may have decided meanwhile.",
    });
  const { by, why } = body as { readonly by: string; readonly why: string };
  const state = verb === "reject" ? "rejected" : "approved";
  const decided = await store.baselines.decide(projectId, agent, generation, { state, by, why, at: now() });
  if (decided === undefined) throw notFound("such baseline");
  return json(baselineJson(decided));
}

export const acceptBehaviour = behaviourRoute(
  "accept",
  "Makes one path known: the approved baseline with it is the next generation, and counts at once.",
);
export const rejectBehaviour = behaviourRoute(
  "reject",
  "Turns one path down; the next generation of the baseline remembers it, so that it stays unknown whoever looks.",
);

function behaviourRoute(verb: "accept" | "reject", summary: string): Route {
  return defineRoute({
    method: "POST",
    path: `/api/v1/agents/{agent}/behaviours/{behaviour}/${verb}`,
    scope: "admin",
    summary,
    body: DECIDED_BY,
    answer:
      "200 with the new generation; 409 without an approved baseline, where the path is known already, or where another one was approved meanwhile; 404 where there is no such path.",
    async run({ caller: { projectId }, path, body }, { store, now }) {
      const agent = await knownAgent(store, projectId, path["agent"]!);
      const seen = await store.agents.behaviours(projectId, agent);
      const behaviour = seen.find(({ id }) => String(id) === path["behaviour"]);
      if (behaviour === undefined) throw notFound("such path");
      const { decideBehaviour } = await import("../stages/decide-behaviour.ts");
      const row = await decideBehaviour(store, projectId, { agent, behaviour, verb, ...body, now: now() });
      return json(baselineJson(row));
    },
  });
}

function baselineJson({ body: _, ...row }: BaselineRow): Json {
  return present({ ...row }) as Json;
}
