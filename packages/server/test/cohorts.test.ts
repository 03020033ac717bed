/** Releases against each other over all their runs: as `spoor cohort` on the same files, in both engines, also after the recordings went. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CohortReport } from "@spoor/core/internal/cohort/cohort-report";
import { runInMemory } from "spoor/internal/cli/run-in-memory";
import { afterAll, describe, expect, it } from "vitest";
import { cohortJob } from "../src/jobs/cohort-job.ts";
import { migrateStore } from "../src/store/open-store.ts";
import { NOW, startService, type TestService } from "./service.ts";
import { fileEngine, postgresEngines } from "./stores.ts";

const folder = mkdtempSync(join(tmpdir(), "spoor-cohorts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Eight scenarios, `trials` of each; a careless agent neither confirms nor says what it said. */
function record(name: string, trials: number, isCareless: boolean): string {
  const place = join(folder, name);
  mkdirSync(place);
  for (let scenario = 1; scenario <= 8; scenario++) {
    for (let trial = 1; trial <= trials; trial++) {
      const tools = ["lookup", ...(isCareless ? [] : ["confirm"]), ...(trial === 2 ? ["note"] : []), "refund"];
      const messages = [
        { role: "user", content: `refund order ${scenario}, ${name}, ${trial}` },
        ...tools.flatMap((tool, index) => [
          {
            role: "assistant",
            tool_calls: [
              { id: `${index}`, type: "function", function: { name: tool, arguments: `{"order":${scenario}}` } },
            ],
          },
          { role: "tool", tool_call_id: `${index}`, content: "done" },
        ]),
        {
          role: "assistant",
          content: isCareless ? "money sent quickly" : "refunded, as agreed",
        },
      ];
      const metadata = { scenario_id: `order-${scenario}` };
      writeFileSync(join(place, `order-${scenario}.trial${trial}.json`), JSON.stringify({ metadata, messages }));
    }
  }
  return place;
}

async function push(service: TestService, place: string, release: string): Promise<void> {
  for (const file of readdirSync(place).sort()) {
    const name = join(place, file);
    const scenario = file.split(".")[0]!;
    const query = new URLSearchParams({ agent: "shop", release, name, scenario });
    const sent = await service.ask("POST", `/api/v1/traces?${query}`, { body: readFileSync(name) });
    expect(sent.status).toBe(201);
  }
  await service.evaluate();
}

/** Where inputs lie, and by which id and key a run is known, belongs to the place. */
function judgement(report: CohortReport): unknown {
  const { inputs: _, ...rest } = report;
  return JSON.parse(JSON.stringify(rest), (name, value) => (["key", "traceId"].includes(name) ? undefined : value));
}

const before = record("v1", 2, false);
const after = record("v2", 2, true);
const same = record("v1b", 2, false);

/** Asked once for all engines. */
const said = new Map<string, Promise<string>>();
function onTheCommandLine(...words: readonly string[]): Promise<string> {
  const key = words.join(" ");
  const asked = said.get(key) ?? runInMemory(["cohort", ...words]).then(({ out }) => out);
  said.set(key, asked);
  return asked;
}

const cohortsOf = async (service: TestService) =>
  (await service.ask("GET", "/api/v1/agents/shop/cohorts")).json.cohorts;
const cohortEvents = async ({ store, projectId }: TestService) =>
  (await store.events.after(projectId, 0, 1000)).filter(({ kind }) => kind === "cohort").map(({ body }) => body);

describe.each([fileEngine, ...postgresEngines])("in $name", (engine) => {
  async function start(): Promise<TestService> {
    const url = await engine.address();
    await migrateStore(url);
    return startService({ url });
  }

  it("a changed release is found with the words of the command line, and looked at once for the same runs", async () => {
    const service = await start();
    await push(service, before, "v1");
    service.clock += 1000;
    await push(service, after, "v2");
    const job = cohortJob();
    const turn = (ms: number) => job.run(service.store, new Date(NOW + ms));
    await turn(20_000);
    await turn(30_000);
    const [look, ...others] = await cohortsOf(service);
    expect(others).toEqual([]);
    expect(look).toMatchObject({
      release: "v2",
      against: "v1",
      looks: 1,
      verdict: "changed",
      alarm: true,
      runs: { baseline: 16, candidate: 16 },
      test: { asked: 1, verdict: "changed" },
    });

    const out = await onTheCommandLine(before, after, "--format", "json");
    const expected = JSON.parse(out) as CohortReport;
    const { json } = await service.ask("GET", `/api/v1/reports/${look.report}`);
    expect(judgement(json)).toEqual(judgement(expected));
    const words = await onTheCommandLine(before, after);
    expect(words.replaceAll(/\s+/g, " ")).toContain(look.headline.slice(0, -1));

    const watched = JSON.parse(
      await onTheCommandLine(before, after, "--sequential", "--wait", "0", "--format", "json"),
    );
    expect(look.sequential).toMatchObject({ verdict: "changed", stoppedAfter: watched.stoppedAfter });
    expect(look.evidence[watched.pairs - 1]).toMatchObject({ pairs: watched.pairs, wealth: watched.wealth });
    expect(look.evidence).toHaveLength(16);
    expect(await cohortEvents(service)).toEqual([
      { agent: "shop", release: "v2", against: "v1", verdict: "changed", alarm: true, report: look.report },
    ]);

    const asked = { json: { release: "v2", against: "v1" } };
    const again = await service.ask("POST", "/api/v1/agents/shop/cohorts", asked);
    expect(again.json).toMatchObject({ id: look.report, verdict: "changed", headline: look.headline });
  });

  it("without a change nothing alarms, it says how many more runs, and recordings may go", async () => {
    const service = await start();
    await push(service, before, "v1");
    service.clock += 1000;
    await push(service, same, "v1b");
    const job = cohortJob();
    await job.run(service.store, new Date(NOW + 20_000));
    const [first] = await cohortsOf(service);
    expect(first).toMatchObject({ alarm: false, sequential: { verdict: "not_enough_evidence" } });
    const out = await onTheCommandLine(before, same, "--format", "json");
    const { verdict, needed } = JSON.parse(out) as CohortReport;
    expect([first.verdict, first.needed?.runsPerSide]).toEqual([verdict, needed?.runsPerSide]);

    await service.store.retention.apply({ bodiesMs: 0, rejectedMs: 0, eventsMs: 0 }, NOW + 25_000);
    service.clock = NOW + 30_000;
    await push(service, after, "v1b");
    await job.run(service.store, new Date(NOW + 60_000));
    const [second] = await cohortsOf(service);
    expect(second).toMatchObject({ looks: 2, runs: { baseline: 16, candidate: 32 }, test: { asked: 2 } });
    expect(second.problem).toBeUndefined();
    expect(second.evidence.slice(0, first.evidence.length), "what was seen stays seen").toEqual(first.evidence);
    // Between scheduled looks the fixed test is shown, and only the sequential one may alarm.
    expect(second.alarm).toBe(second.sequential.verdict === "changed");
  });
});

it("says why where nothing can be compared, and refuses a release beside itself", async () => {
  const service = await startService();
  await push(service, before, "v1");
  await service.store.retention.apply({ bodiesMs: 0, rejectedMs: 0, eventsMs: 0 }, NOW + 1);
  service.clock += 1000;
  await push(service, after, "v2");
  await cohortJob().run(service.store, new Date(NOW + 20_000));
  expect(await cohortsOf(service)).toMatchObject([
    { verdict: "not_enough_evidence", alarm: false, problem: { code: "server.body-gone" } },
  ]);
  const ask = async (release: string, against: string) =>
    (await service.ask("POST", "/api/v1/agents/shop/cohorts", { json: { release, against } })).json.error.code;
  expect(await ask("v1", "v1")).toBe("request.invalid");
  expect(await ask("v9", "v1")).toBe("request.not-found");
  expect(await ask("v2", "v1")).toBe("server.body-gone");
});
