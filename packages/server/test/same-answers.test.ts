/**
 * Both engines answer alike: whatever the dashboard, a guard or a command asks, in words, figures, pages and refusals. The same steps are taken on a
 * service over a file and on one over PostgreSQL, and each answer is held to the other; what the answers have to be, other tests say.
 */
import { readFileSync } from "node:fs";
import { runInMemory } from "spoor/internal/cli/run-in-memory";
import { expect, it, onTestFinished } from "vitest";
import { alertsJob } from "../src/jobs/alerts-job.ts";
import { cohortJob } from "../src/jobs/cohort-job.ts";
import { reevaluationJob } from "../src/jobs/reevaluation-job.ts";
import { verdictJob } from "../src/jobs/verdict-job.ts";
import { migrateStore } from "../src/store/open-store.ts";
import { type AskOptions, NOW, recording, startService, type TestAnswer, type TestService } from "./service.ts";
import { fileEngine, postgresEngines } from "./stores.ts";

const RUNS = 60;
const HOUR_MS = 3_600_000;
const example = (name: string) => new URL(`../../../examples/refund/${name}`, import.meta.url);
const BASELINE = readFileSync(example("baselines/support_agent.json"), "utf8");
const RULES = `rules:
  - { id: no-refund, kind: no_call, params: { tool: issue_refund } }
  - { id: no-delete, kind: no_call, params: { tool: delete_all } }
`;

it.skipIf(postgresEngines.length === 0)("both engines answer alike", async () => {
  const services = [await started(await fileEngine.address()), await started(await postgresEngines[0]!.address())];
  const both = async (what: string, step: (service: TestService) => Promise<unknown>) => {
    const [one, other] = await Promise.all(services.map(step));
    expect(other, what).toEqual(one);
    return one;
  };
  const ask = (method: string, path: string, options: AskOptions = {}) =>
    both(`${method} ${path}`, async (service) => {
      const answer = await service.ask(method, path, options);
      expect(answer.status, `${method} ${path}`).toBeLessThan(500);
      return comparable(answer);
    });

  await both("recordings", fill);
  await ask("PUT", "/api/v1/policies/main.yaml", { body: RULES });
  await ask("PUT", "/api/v1/agents/shop/releases/v9", { json: { commit: "abc" } });
  await ask("POST", "/api/v1/agents/shop/baselines", { body: BASELINE });
  await ask("POST", "/api/v1/agents/shop/baselines/1/approve", { json: { by: "Ada", why: "meant" } });
  await ask("POST", "/api/v1/agents/shop/baselines", { body: BASELINE });
  await ask("POST", "/api/v1/agents/shop/baselines/2/reject", { json: { by: "Ada", why: "not meant" } });
  await ask("POST", "/api/v1/agents/shop/baselines/2/approve", { json: { by: "Eve", why: "late" } });
  const saved = await runInMemory([
    "diff",
    example("baseline").pathname,
    example("candidate").pathname,
    "--format",
    "json",
  ]);
  for (let time = 0; time < 2; time += 1) await ask("POST", "/api/v1/reports", { body: saved.out });
  await both("jobs", runJobs);
  await both("a path is accepted", acceptPath);

  for (const query of [
    ...["", "agent=shop", "agent=other", "agent=nobody", "release=v1", "agent=shop&release=v2", "scenario=late"],
    ...["tool=issue_refund", "tool=lookup&status=failed", "tool=nothing", "status=passed", "verdict=new", "model=x"],
    ...["rule=no-refund", "rule=no-delete", `from=${NOW + HOUR_MS}`, `to=${NOW + HOUR_MS}`, "replaced=1", "limit=0"],
  ])
    await ask("GET", `/api/v1/runs?count=1&${query}`);
  const listed = (await both("every page", (service) => allPages(service, "/api/v1/runs?agent=shop&limit=7"))) as {
    id: string;
  }[];
  expect(listed.length).toBe(RUNS - RUNS / 5);
  await both("every page of a tool", (service) => allPages(service, "/api/v1/runs?tool=lookup&limit=4"));
  const [newest, before] = [listed[0]!.id, listed.at(-1)!.id];
  for (const path of [
    ...[
      "overview",
      "agents",
      "rejected",
      "policies",
      "policies/main.yaml",
      "config",
      "reports",
      "tokens",
      "hooks",
      "me",
    ],
    ...[
      "releases",
      "behaviours",
      "rollups",
      "baselines",
      "baselines/1",
      "baselines/2/changes",
      "baselines/approved",
    ].map((part) => `agents/shop/${part}`),
    ...["agents/other/behaviours", "agents/shop/cohorts", "agents/nobody/releases", `agents/shop/rollups?to=${NOW}`],
    ...["", "/trace", "/export"].map((part) => `runs/${newest}${part}`),
    ...["runs/00", `compare?baseline=${before}&candidate=${newest}`, "compare?baseline=shop@v1&candidate=shop@v2"],
    ...["agents/shop/releases/v2/gate?against=v1", "export?agent=shop&release=v1&last=3", "export?agent=nobody"],
  ])
    await ask("GET", `/api/v1/${path}`);
  await ask("POST", "/api/v1/policies/preview?limit=20", { body: RULES });

  const session = (verb: string, lock: string) =>
    `/api/v1/guard/${verb}?session=${"a".repeat(64)}&lock=${lock.repeat(32)}`;
  for (const [verb, lock, body] of [
    ["take", "1"],
    ["take", "2"],
    ["take", "1"],
    ["keep", "2", "other"],
    ["keep", "1", "remembered \u0000 é"],
    ["keep", "1", "remembered \u0000 é"],
    ["take", "2"],
    ["release", "2"],
    ["take", "3"],
    ["keep", "3", ""],
  ] as const)
    await ask("POST", session(verb, lock), body === undefined ? {} : { body });

  await ask("DELETE", `/api/v1/runs/${newest}`);
  await ask("DELETE", `/api/v1/runs/${newest}`);
  for (const path of ["agents", "agents/shop/rollups", "agents/shop/behaviours", `runs/${newest}`])
    await ask("GET", `/api/v1/${path}`);
  await ask("GET", "/readyz");
});

async function started(url: string): Promise<TestService> {
  await migrateStore(url);
  return startService({ url, atEnd: (end) => onTestFinished(end) });
}

/** Two agents, two releases, three scenarios, in three hours; names that need care; one recording twice, and one that is none. */
async function fill(service: TestService): Promise<unknown> {
  const statuses: unknown[] = [];
  for (let number = 0; number < RUNS; number += 1) {
    service.clock = NOW + Math.floor(number / (RUNS / 3)) * HOUR_MS;
    const agent = number % 5 === 0 ? "other" : "shop";
    const scenario = ["refund", "late", "50 %_'\" é"][number % 3]!;
    const query = new URLSearchParams({ agent, scenario, release: number % 2 === 0 ? "v1" : "v2" });
    const body = recording(`said ${number}`, number % 4 === 0 ? "lookup" : "issue_refund");
    const { status, json } = await service.ask("POST", `/api/v1/traces?${query}`, { body });
    statuses.push([status, json.id]);
  }
  statuses.push((await service.ask("POST", "/api/v1/traces", { body: recording("said 1") })).status);
  statuses.push((await service.ask("POST", "/api/v1/traces", { body: '{"messages": 7}' })).status);
  await service.evaluate();
  return statuses;
}

/** Until there is nothing more to do for any of them. */
async function runJobs(service: TestService): Promise<void> {
  for (let minute = 0; minute < 5; minute += 1)
    for (const job of [reevaluationJob(), verdictJob(), cohortJob(), alertsJob()])
      await job.run(service.store, new Date(service.clock + minute * 60_000));
}

async function acceptPath(service: TestService): Promise<unknown> {
  const { behaviours } = (await service.ask("GET", "/api/v1/agents/shop/behaviours")).json;
  const decision = { json: { by: "Ada", why: "meant" } };
  const path = `/api/v1/agents/shop/behaviours/${behaviours[0].id}/accept`;
  return [comparable(await service.ask("POST", path, decision)), comparable(await service.ask("POST", path, decision))];
}

async function allPages(service: TestService, path: string): Promise<unknown> {
  const runs: unknown[] = [];
  for (let next: string | undefined = ""; next !== undefined; ) {
    const { json } = await service.ask("GET", next === "" ? path : `${path}&cursor=${encodeURIComponent(next)}`);
    runs.push(...json.runs);
    next = json.next;
  }
  return plain(runs);
}

function comparable({ status, json, text, headers }: TestAnswer): unknown {
  return { status, type: headers["content-type"], said: json === undefined ? text : plain(json) };
}

/** Numbers of rows may differ: a database that was asked to insert what is there leaves out a number. Cursors are signed with a key of the store's own. */
const OWN = /^(id|\w+Id|behaviour|first|last|next|etag)$/;

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      OWN.test(key) && (typeof inner === "number" || key === "next") ? "#" : plain(inner),
    ]),
  );
}
